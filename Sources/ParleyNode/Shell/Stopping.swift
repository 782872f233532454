/// How far a node has come on its way to its end, and the callers that wait for that.
package enum Stopping {
    case notYet
    /// The node is stopping, and calls these once it has stopped.
    case underWay([() -> Void])
    case done

    /// Whether the node is stopping or has stopped.
    package var hasBegun: Bool {
        if case .notYet = self { false } else { true }
    }

    /// Begins to stop.
    ///
    /// - Returns: whether the node was not stopping yet.
    package mutating func begin() -> Bool {
        guard case .notYet = self else { return false }
        self = .underWay([])
        return true
    }

    /// Adds a caller that waits for the end of a node that is stopping.
    ///
    /// - Returns: whether the caller has to wait.
    package mutating func wait(_ done: @escaping () -> Void) -> Bool {
        guard case .underWay(let waiting) = self else { return false }
        self = .underWay(waiting + [done])
        return true
    }

    /// The node has stopped.
    ///
    /// - Returns: the callers that waited.
    package mutating func finish() -> [() -> Void] {
        guard case .underWay(let waiting) = self else { return [] }
        self = .done
        return waiting
    }
}
