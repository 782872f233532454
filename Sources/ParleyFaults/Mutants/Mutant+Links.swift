import ParleyCore

extension Mutant {
    /// Nodes that tell people and programs less, or more often, than they should.
    static let ofDeliveries = [
        Mutant(
            "showsTwice",
            seed: 0,
            "Shows each message two times: a message is shown once."
        ) { node in
            node.delivery = { if case .shown = $0 { [$0, $0] } else { [$0] } }
        },
        Mutant(
            "losesConflicts",
            seed: 6,
            "Says nothing of conflicts: each is reported on each node."
        ) { node in
            node.delivery = { if case .conflict = $0 { [] } else { [$0] } }
        },
        Mutant(
            "losesEquivocations",
            seed: 18,
            "Says nothing of two envelopes under one dot: they are reported."
        ) { node in
            node.delivery = { if case .equivocation = $0 { [] } else { [$0] } }
        },
        Mutant(
            "dropsStaleCheck",
            seed: 2,
            "Writes although other heads are there than were named: nothing is replaced unseen."
        ) { node in
            node.request = { $0.replacingAnything }
        },
    ]

    /// Nodes that drop some frames, sent or received.
    static let ofLinks = [
        Mutant(
            "refusesByRate",
            seed: 5,
            "Takes only some envelopes a second: a rate may delay and never refuse."
        ) { node in
            var rate = EnvelopeRate()
            node.receives = { !$0.isOf(.envelope) || rate.allowsOneMore(at: $1) }
        },
        Mutant(
            "limitsHopsOfCatchUp",
            seed: 11,
            "Keeps what came over many hops to itself: catching up knows no hops."
        ) { node in
            node.sends = { !$0.isFarEnvelope }
        },
        Mutant(
            "ignoresAudit",
            seed: 15,
            "Ignores audits: nodes that are level and differ repair it."
        ) { node in
            node.receives = { frame, _ in !frame.isOf(.audit) }
        },
        Mutant(
            "neverPings",
            seed: 16,
            "Stays silent on an idle link: who is alive is known to be."
        ) { node in
            node.sends = { !$0.isOf(.ping) }
        },
    ]
}

/// Counts the envelopes of a second.
private struct EnvelopeRate {
    private static let countMax = 12

    private var second: Int64 = 0
    private var count = 0

    mutating func allowsOneMore(at now: Moment) -> Bool {
        if now.milliseconds / 1_000 != second {
            second = now.milliseconds / 1_000
            count = 0
        }
        count += 1
        return count <= Self.countMax
    }
}

extension RawFrame {
    func isOf(_ types: FrameType...) -> Bool { types.contains { $0.rawValue == type } }

    /// Whether the frame carries an envelope that crossed too many links to be pushed further.
    fileprivate var isFarEnvelope: Bool {
        // Machines send only frames that can be decoded.
        guard isOf(.envelope), let frame = try? EnvelopeFrame(decoding: body) else { return false }
        return Int(frame.hops) >= Limits.hops
    }
}

extension AuthorRequest {
    /// The same message without named heads, so that it replaces any.
    fileprivate var replacingAnything: AuthorRequest {
        AuthorRequest(
            request: request,
            conversation: conversation,
            body: body,
            next: next,
            isTombstone: isTombstone,
            picture: picture,
            following: following
        )
    }
}
