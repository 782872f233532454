import Foundation
import Messages

extension Round {
    /// The drawing on a sheet of paper; when it was guessed, with confetti.
    var picture: UIImage? {
        let lines = strokes.map { stroke in
            let points = stroke.points.map { "\(Int($0.x)) \(Int($0.y))" }
            // A line of one point is a dot.
            return "<path d='M\((points + points.suffix(1)).joined(separator: "L"))'/>"
        }
        let svg = """
            <svg xmlns='http://www.w3.org/2000/svg' width='320' height='240'>
            <rect width='320' height='240' fill='#fffdf6'/>
            <path d='M0 48h320M0 96h320M0 144h320M0 192h320' stroke='#d9e6f2' stroke-width='1.5'/>
            <path d='M28 0v240' stroke='#f5b5b5' stroke-width='1.5'/>
            \(isGuessed ? confetti : "")
            <g fill='none' stroke='#2b3a67' stroke-width='5' stroke-linecap='round' \
            stroke-linejoin='round'>\(lines.joined())</g></svg>
            """
        return UIImage(data: Data(svg.utf8))
    }

    private var confetti: String {
        let colors = ["#ff5d73", "#ffc145", "#3bceac", "#4f86f7", "#b15dff"]
        return (0..<60).map { index in
            let (x, y) = (index * 89 % 320, index * 53 % 240)
            return
                "<rect x='\(x)' y='\(y)' width='9' height='5' rx='1.5' fill='\(colors[index % 5])' "
                + "opacity='.8' transform='rotate(\(index * 37 % 180) \(x) \(y))'/>"
        }.joined()
    }
}

/// A bottle that shows how much ink is left.
enum Bottle {
    static func picture(share: Double) -> UIImage? {
        let width = Int((max(0, min(1, share)) * 292).rounded())
        let svg = """
            <svg xmlns='http://www.w3.org/2000/svg' width='300' height='18'>
            <rect x='1' y='1' width='298' height='16' rx='8' fill='#fff' stroke='#8b867b' \
            stroke-width='2'/><rect x='4' y='4' width='\(width)' height='10' rx='5' \
            fill='\(share < 0.2 ? "#c0392b" : "#2b3a67")'/></svg>
            """
        return UIImage(data: Data(svg.utf8))
    }
}
