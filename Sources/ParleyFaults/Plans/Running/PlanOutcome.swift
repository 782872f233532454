/// What a node answered when a message was to be sent.
package enum PlanOutcome: Sendable, Equatable {
    /// It is on the node's disk.
    case stored(id: String, revision: UInt64)
    /// The name of the refusal, as `parley send --json` has it.
    case refused(String)
}

extension PlanRun {
    /// Takes the answer to a message.
    ///
    /// - Returns: what is wrong with it, nil if it is as the plan wants it.
    package mutating func answered(_ message: PlanMessage, _ outcome: PlanOutcome) -> String? {
        switch (outcome, message.refusal) {
        case (.stored(let id, let revision), nil):
            let acknowledgement = PlanBook.Acknowledgement(
                by: message.by,
                conversation: message.conversation,
                session: message.session,
                id: id,
                revision: revision
            )
            acknowledged(acknowledgement, name: message.name)
            return nil
        case (.stored, let refusal?): return "was stored, not refused with \(refusal.rawValue)"
        case (.refused(let name), nil): return "\(plan.name(message.by)) refuses it: \(name)"
        case (.refused(let name), let refusal?):
            return name == refusal.rawValue
                ? nil : "was refused with \(name), not \(refusal.rawValue)"
        }
    }
}
