import ParleyAPI
import ParleyNode

extension LostDevice {
    /// The document of a removal from all conversations.
    init(_ removal: DeviceRemoval) {
        self.init(
            device: removal.device,
            name: removal.name,
            person: removal.person,
            conversations: removal.places.map { LostPlace(in: $0.conversation, $0.result) }
        )
    }
}

extension LostPlace {
    fileprivate init(in name: String, _ result: Result<KeyChange, NodeError>) {
        switch result {
        case .success(let change):
            let isUndoable = change.goes.contains(where: \.standsHigher)
            let count = change.stays.count
            self.init(
                conversation: name,
                kind: isUndoable ? .undoable : .out,
                message: "New keys (\(change.generation)) for "
                    + (count == 1 ? "1 member." : "\(count) members.")
                    + (isUndoable ? " The lost device stands higher and can undo this." : "")
            )
            generation = change.generation
            members = count
        case .failure(let error):
            let problem = Problem(error)
            self.init(conversation: name, kind: Kind(error), message: problem.message)
            hint = problem.hint.isEmpty ? nil : problem.hint
        }
    }
}

extension LostPlace.Kind {
    fileprivate init(_ error: NodeError) {
        self =
            switch error {
            case .keys(_, .open): .open
            case .keys(_, .readOnly): .readOnly
            case .keys(_, .thrownOut), .keys(_, .missing): .notMember
            case .keys(_, .notAdmitted): .notAdmitted
            case .keys(_, .lower): .lower
            case .keys(_, .tooMany): .tooMany
            case .storeFull: .storeFull
            case .storeFailed: .storeFailed
            default: .failed
            }
    }
}
