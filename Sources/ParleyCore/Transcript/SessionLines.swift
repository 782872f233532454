/// The lines of one session's replaced messages on this node.
package struct SessionLines: Sendable, Equatable {
    /// In the order in which the messages were replaced.
    package private(set) var lines: [ShownLine]

    package init(_ lines: [ShownLine] = []) {
        self.lines = lines
    }

    package var isEmpty: Bool { lines.isEmpty }

    /// Adds the line of a replaced message; the latest `countMax` lines stay.
    ///
    /// A message leaves one line, however often it is added.
    package mutating func add(_ line: ShownLine, countMax: Int) {
        lines.removeAll { $0.dot == line.dot }
        lines.append(line)
        lines.removeFirst(max(0, lines.count - max(0, countMax)))
    }
}
