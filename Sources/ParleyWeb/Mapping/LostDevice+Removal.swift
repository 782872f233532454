import ParleyAPI
import ParleyNode

extension LostDevice {
    /// The document of a removal from all conversations.
    init(_ removal: DeviceRemoval) {
        self.init(
            device: removal.device,
            name: removal.name,
            person: removal.person,
            conversations: removal.places.map { LostPlace($0) }
        )
    }
}

extension LostPlace {
    fileprivate init(_ place: DeviceRemoval.Place) {
        let name = place.conversation
        switch place.result {
        case .success(let change):
            let isUndoable = change.goes.contains(where: \.standsHigher)
            let count = change.stays.count
            let isAlone = count > 1 && !place.isTold
            self.init(
                conversation: name,
                kind: isUndoable ? .undoable : isAlone ? .alone : .out,
                message: "New keys (\(change.generation)) for "
                    + (count == 1 ? "1 member." : "\(count) members.")
                    + (change.goes.isEmpty ? Self.unseen : "")
                    + (isUndoable ? " The lost device stands higher and can undo this." : "")
                    + (isAlone ? " Nobody else has heard of it: keep this node running." : "")
            )
            generation = change.generation
            members = count
            hint = Self.remedy(against: place.letIn)
        case .failure(let error):
            let problem = Problem(error)
            self.init(conversation: name, kind: Kind(error), message: problem.message)
            hint = problem.hint.isEmpty ? nil : problem.hint
        }
    }
}

extension LostPlace {
    private static let unseen = " The device was not seen there, but may have an invite."

    /// A hint at members whom the lost device let in, perhaps for its finder.
    private static func remedy(against letIn: [String]) -> String? {
        guard !letIn.isEmpty else { return nil }
        let names = letIn.prefix(5).joined(separator: ", ")
        let more = letIn.count > 5 ? " and \(letIn.count - 5) more" : ""
        return "It let in \(names)\(more). Whom you do not know: "
            + "parley conversation rotate NAME --without DEVICE"
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
            case .storeFull: .storeFull
            case .storeFailed: .storeFailed
            default: .failed
            }
    }
}
