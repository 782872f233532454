/// A text file of the project: what every check looks at.
struct TreeFile: Sendable {
    /// Relative to the root of the project, with slashes.
    let path: String
    let text: String
    let isExecutable: Bool
    /// The lines of `text`; the first is number 1 in findings.
    let lines: [String]

    init(_ path: String, _ text: String, isExecutable: Bool = false) {
        self.path = path
        self.text = text
        self.isExecutable = isExecutable
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        self.lines = lines
    }

    /// The part after the last slash.
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    var isSwift: Bool { path.hasSuffix(".swift") }
    var isMarkdown: Bool { path.hasSuffix(".md") }

    /// A finding about the line at `index` of `lines`.
    func finding(_ index: Int, _ message: String) -> Finding {
        Finding(path: path, line: index + 1, message: message)
    }
}

/// One thing that is not as it should be, and where.
struct Finding: Hashable, Sendable, CustomStringConvertible {
    let path: String
    /// From 1.
    let line: Int
    let message: String

    var description: String { "\(path):\(line): \(message)" }
}
