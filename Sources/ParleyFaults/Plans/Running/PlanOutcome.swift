/// The answer of a node to the request to send a message.
package enum PlanOutcome: Sendable, Equatable {
    /// The message is on the disk of the node.
    case stored(id: String, revision: UInt64)
    /// The message was refused, with the name that `parley send --json` uses.
    case refused(String)
}

extension PlanRun {
    /// Takes the answer to a message.
    ///
    /// - Returns: the deviation from the plan, nil if there is none.
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
