import Foundation
import Messages

extension ShownWord {
    /// The drawing as it was drawn; when it was guessed, with confetti along the edges.
    var picture: UIImage? {
        guard guesser != nil else {
            return ParleyView.Drawing(size: Ink.paper, strokes: strokes).image
        }
        let svg = """
            <svg xmlns='http://www.w3.org/2000/svg' width='320' height='240'>
            <rect width='320' height='240' fill='\(ParleyView.Drawing.paperColor)'/>\(confetti)
            <g fill='none' stroke='\(ParleyView.Drawing.inkColor)' stroke-width='\(Ink.penWidth)' \
            stroke-linecap='round' stroke-linejoin='round'>
            \(strokes.map { "<path d='\($0.path)'/>" }.joined())</g></svg>
            """
        return UIImage(data: Data(svg.utf8))
    }

    /// Pieces of paper along the four edges, where they lie over no drawing.
    private var confetti: String {
        let colors = ["#ff5d73", "#ffc145", "#3bceac", "#4f86f7", "#b15dff"]
        return (0..<56).map { index in
            // How far the piece is on its way around the sheet, and how far from the edge.
            let (way, depth) = (index * 20, index * 7 % 9 + 1)
            let (x, y) =
                way < 320
                ? (way, depth)
                : way < 560
                    ? (315 - depth, way - 320)
                    : way < 880 ? (880 - way, 236 - depth) : (depth, 1_120 - way)
            return
                "<rect x='\(x)' y='\(y)' width='8' height='4.500' rx='1.500' "
                + "fill='\(colors[index % 5])' transform='rotate(\(index * 37 % 180) \(x) \(y))'/>"
        }.joined()
    }
}

/// A bottle that shows how much ink is left.
enum Bottle {
    static func picture(share: Double) -> UIImage? {
        let width = Int((max(0, min(1, share)) * 212).rounded())
        let svg = """
            <svg xmlns='http://www.w3.org/2000/svg' width='220' height='18'>
            <rect x='1' y='1' width='218' height='16' rx='8' fill='#fff' stroke='#8b867b' \
            stroke-width='2'/><rect x='4' y='4' width='\(width)' height='10' rx='5' \
            fill='\(share < 0.2 ? "#c0392b" : "#2b3a67")'/></svg>
            """
        return UIImage(data: Data(svg.utf8))
    }
}
