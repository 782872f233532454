import ParleyAPI
package import ParleyNode

extension PairingDocument {
    /// Describes a pairing for people and programs.
    package init(_ state: PairingState) {
        self.init(
            id: state.id,
            device: state.device,
            name: state.name,
            stage: "",
            ended: state.hasEnded,
            own: state.isForOwn ? true : nil
        )
        switch state.stage {
        case .asked(let shares):
            stage = "asked"
            self.shares = shares ? true : nil
        case .waiting:
            stage = "waiting"
        case .comparing(let digits, let isConfirmed):
            stage = "comparing"
            self.digits = digits
            confirmed = isConfirmed ? true : nil
        case .ended(let ending):
            describe(ending)
        }
    }

    private mutating func describe(_ ending: PairingState.Ending) {
        switch ending {
        case .done(let name):
            stage = "done"
            joined = name
        case .linked(let name):
            stage = "linked"
            person = name
        case .notJoined(let error):
            let problem = Problem(error)
            end("notJoined", problem.message, problem.hint)
        case .nothingShared:
            end(
                "nothingShared",
                "Neither of you shares a conversation.",
                "One of you has to choose one: parley pair NAME --conversation C"
            )
        case .ownedByOne:
            end(
                "ownedByOne",
                "Only one side said that both devices belong to one person.",
                "On both: parley person link NAME. For one conversation: parley pair NAME -c C"
            )
        case .cancelled: end("cancelled", "You ended it.", "")
        case .declined:
            end("declined", "The other person ended it.", "Ask them, and try again.")
        case .refused:
            end(
                "refused",
                "The other device takes no more requests now.",
                "Try again in ten minutes."
            )
        case .timedOut:
            end(
                "timedOut",
                "Nobody answered within two minutes.",
                "Over there, somebody has to answer on the page or with parley pair."
            )
        case .lost:
            end("lost", "The connection ended, or the other side started over.", "Try again.")
        case .unsupported:
            end(
                "unsupported",
                "The other device runs a Parley that cannot pair.",
                "Update it, or pass it a link: parley invite NAME"
            )
        case .forged:
            end(
                "forged",
                "The other device did not keep to the rules of pairing.",
                "Somebody may be between you. Do not confirm anything; pass a link another way."
            )
        }
    }

    private mutating func end(_ stage: String, _ message: String, _ hint: String) {
        self.stage = stage
        self.message = message
        self.hint = hint.isEmpty ? nil : hint
    }
}
