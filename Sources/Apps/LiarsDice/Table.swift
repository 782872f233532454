import Foundation
import Messages

/// The picture of a table: a cup for each player with the dice beside it, and the call.
struct Table {
    struct Cup {
        var count: Int
        /// The dice; nil while they are under the cup.
        var dice: [Int]?
        var isMine = false
    }

    let cups: [Cup]
    var call: Call?

    var picture: UIImage? {
        let rows = cups.enumerated().map { index, cup in
            "<g transform='translate(12 \(8 + index * 56))'>\(row(cup))</g>"
        }
        let height = 4 + cups.count * 56 + (call == nil ? 0 : 40)
        let svg = """
            <svg xmlns='http://www.w3.org/2000/svg' width='288' height='\(height)'>
            <style>.t{fill:#eef2ec}.c{fill:#8a5a3c}.m{fill:#b5793f}.d{fill:#fff;stroke:#999}
            .p{fill:#222}text{fill:#333;font:600 24px sans-serif}
            @media (prefers-color-scheme:dark){.t{fill:#20302a}text{fill:#eee}}</style>
            <rect class='t' width='288' height='\(height)' rx='8'/>\(rows.joined())
            <text x='144' y='\(height - 14)' text-anchor='middle'>\(call?.text ?? "")</text>
            </svg>
            """
        return UIImage(data: Data(svg.utf8))
    }

    private func row(_ cup: Cup) -> String {
        let dice = (0..<cup.count).map { index in
            "<g transform='translate(\(52 + index * 44) 4)'>\(die(cup.dice?[index]))</g>"
        }
        return "<path class='\(cup.isMine ? "m" : "c")' d='M8 0H36L44 44H0Z'/>" + dice.joined()
    }

    /// A die with its pips; without a face, with none.
    private func die(_ face: Int?) -> String {
        let places = ["", "4", "08", "048", "0268", "02468", "023568"][face ?? 0]
        let pips = places.compactMap(\.wholeNumberValue).map { place in
            "<circle class='p' cx='\(9 + place % 3 * 9)' cy='\(9 + place / 3 * 9)' r='3.500'/>"
        }
        return "<rect class='d' width='36' height='36' rx='7'/>" + pips.joined()
    }
}
