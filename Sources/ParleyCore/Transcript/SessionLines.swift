/// The lines that the replaced messages of one session have left on this node.
package struct SessionLines: Sendable, Equatable {
    /// The lines in the order in which their messages were replaced.
    package private(set) var lines: [ShownLine]

    package init(_ lines: [ShownLine] = []) {
        self.lines = lines
    }

    package var isEmpty: Bool { lines.isEmpty }

    /// Adds the line of a message that was replaced; at most `countMax` lines stay, the latest
    /// ones.
    ///
    /// A message leaves one line, however often it is added.
    package mutating func add(_ line: ShownLine, countMax: Int) {
        lines.removeAll { $0.dot == line.dot }
        lines.append(line)
        lines.removeFirst(max(0, lines.count - max(0, countMax)))
    }
}
