package import Foundation

/// A board of noughts and crosses.
package struct DemoBoard: Hashable, Sendable {
    /// Nine cells, each `X`, `O` or `.`, row by row.
    private var cells = [Character](repeating: ".", count: 9)

    static let cellNames = [
        "the top left corner", "the top side", "the top right corner", "the left side",
        "the centre", "the right side", "the bottom left corner", "the bottom side",
        "the bottom right corner",
    ]
    private static let lines = [
        [0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6],
    ]

    /// An empty board.
    package init() {}

    /// The board in a message's URL, nil if there is none.
    package init?(url: String) {
        guard let start = url.range(of: "board=")?.upperBound else { return nil }
        let text = Array(url[start...].prefix(9))
        guard text.count == 9, text.allSatisfy({ "XO.".contains($0) }) else { return nil }
        cells = text
    }

    /// The nine cells as characters, row by row.
    package var text: String { String(cells) }
    package var url: String { "https://parley.example/noughts?board=\(text)" }

    /// Marks a cell for the player whose turn it is.
    package mutating func take(_ cell: Int) {
        let taken = cells.count { $0 != "." }
        cells[cell] = taken.isMultiple(of: 2) ? "X" : "O"
    }

    /// Whether nobody can move any more.
    package var isOver: Bool { winner != nil || !cells.contains(".") }

    /// The result of a finished game.
    package var result: String { winner.map { "\($0) wins" } ?? "A draw" }

    /// Three rows for people.
    package var rows: [String] {
        [0, 3, 6].map { row in
            cells[row..<row + 3].map { $0 == "." ? "·" : String($0) }.joined(separator: " ")
        }
    }

    private var winner: Character? {
        for line in Self.lines {
            let first = cells[line[0]]
            if first != ".", line.allSatisfy({ cells[$0] == first }) { return first }
        }
        return nil
    }
}

extension DemoBoard {
    /// The board as a PNG of 120 × 120 pixels.
    package var picture: Data {
        let side = 120
        var pixels = [UInt8](repeating: 0, count: side * side)
        for y in 0..<side {
            for x in 0..<side {
                let column = x / 40
                let row = y / 40
                pixels[y * side + x] = colour(
                    cells[row * 3 + column],
                    x: x % 40,
                    y: y % 40,
                    isGrid: (x % 40 == 0 && x > 0) || (y % 40 == 0 && y > 0)
                )
            }
        }
        return PalettePNG(
            width: side,
            palette: [[250, 248, 240], [120, 120, 120], [200, 50, 40], [40, 80, 190]],
            pixels: pixels
        ).bytes
    }

    /// The palette index of a pixel.
    private func colour(_ mark: Character, x: Int, y: Int, isGrid: Bool) -> UInt8 {
        if isGrid { return 1 }
        let dx = x - 20
        let dy = y - 20
        switch mark {
        case "X": return max(abs(dx), abs(dy)) < 12 && abs(abs(dx) - abs(dy)) < 3 ? 2 : 0
        case "O":
            let square = dx * dx + dy * dy
            return square > 81 && square < 170 ? 3 : 0
        default: return 0
        }
    }
}
