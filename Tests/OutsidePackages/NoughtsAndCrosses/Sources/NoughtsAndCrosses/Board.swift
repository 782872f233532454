import Foundation
import Messages

enum Mark: String {
    case cross = "X"
    case nought = "O"

    var opposite: Mark { self == .cross ? .nought : .cross }
}

/// Nine cells and who is next, as query items of a URL that has nothing else.
struct Board {
    private(set) var cells: [Mark?]
    private(set) var next: Mark

    init() {
        cells = Array(repeating: nil, count: 9)
        next = .cross
    }

    init?(message: MSMessage?) {
        guard let messageURL = message?.url else { return nil }
        guard
            let components = NSURLComponents(url: messageURL, resolvingAgainstBaseURL: false),
            let queryItems = components.queryItems
        else { return nil }
        self.init(queryItems: queryItems)
    }

    init?(queryItems: [URLQueryItem]) {
        self.init()
        for item in queryItems {
            guard let value = item.value else { continue }
            if item.name == "Next", let mark = Mark(rawValue: value) {
                next = mark
            } else if item.name == "Cells", value.count == 9 {
                cells = value.map { Mark(rawValue: String($0)) }
            }
        }
    }

    var queryItems: [URLQueryItem] {
        let text = cells.map { $0?.rawValue ?? "-" }.joined()
        return [
            URLQueryItem(name: "Cells", value: text),
            URLQueryItem(name: "Next", value: next.rawValue),
        ]
    }

    mutating func play(_ index: Int) -> Bool {
        guard cells.indices.contains(index), cells[index] == nil, winner == nil else {
            return false
        }
        cells[index] = next
        next = next.opposite
        return true
    }

    var winner: Mark? {
        let lines = [
            [0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6],
        ]
        for line in lines {
            if let mark = cells[line[0]], cells[line[1]] == mark, cells[line[2]] == mark {
                return mark
            }
        }
        return nil
    }
}

extension MSMessage {
    /// The board as a message of `session`.
    convenience init(board: Board, caption: String, session: MSSession) {
        self.init(session: session)
        var components = URLComponents()
        components.queryItems = board.queryItems
        let template = MSMessageTemplateLayout()
        template.caption = caption
        url = components.url
        layout = template
    }
}
