/// The header fields of an envelope that replaces all heads of a session.
package struct Replacement: Sendable, Equatable {
    package let revision: UInt64
    /// The context of the heads without the writer's own origin, ascending by origin.
    package let context: [Dot]

    package init(revision: UInt64, context: [Dot]) {
        self.revision = revision
        self.context = context
    }
}

/// Why nothing can be written to a session any more.
package enum SessionFull: Error, Sendable, Equatable {
    /// More than `Limits.contextOrigins` origins besides the writer have written.
    case origins(Int)
    /// The highest possible revision is taken.
    case revisions
}

extension SessionRegister {
    /// The union of the heads and their contexts: the highest sequence of each origin, ascending by
    /// origin.
    package func context() -> [Dot] {
        var dots: [Dot] = []
        dots.reserveCapacity(heads.reduce(0) { $0 + $1.context.count + 1 })
        for head in heads {
            dots.append(contentsOf: head.context)
            dots.append(head.dot)
        }
        dots.sort()
        var context: [Dot] = []
        for dot in dots {
            if context.last?.origin == dot.origin { context.removeLast() }
            context.append(dot)
        }
        return context
    }

    /// The highest revision plus 1, or nil above the limit.
    package func nextRevision() -> UInt64? {
        let revision = (shown?.revision ?? 0) + 1
        return revision < Limits.sequenceEnd ? revision : nil
    }

    /// The header fields of an envelope by `origin` that replaces all heads, or is the first.
    package func replacement(by origin: OriginID) throws(SessionFull) -> Replacement {
        guard let revision = nextRevision() else { throw .revisions }
        var context = self.context()
        context.removeAll { $0.origin == origin }
        guard context.count <= Limits.contextOrigins else { throw .origins(context.count) }
        return Replacement(revision: revision, context: context)
    }

    /// Whether `dots`, in any order, are the dots of the heads; otherwise a request with them is
    /// stale.
    package func consists(of dots: [Dot]) -> Bool {
        heads.count == dots.count && heads.map(\.dot).sorted() == dots.sorted()
    }
}
