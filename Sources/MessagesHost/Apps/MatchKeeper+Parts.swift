import Foundation
import ParleyNode

/// Secrets for single players.
extension MatchKeeper {
    /// Opens parts for this device, and gives the others the key for sealing.
    func readParts(_ view: MatchStanding, _ shown: Message, _ model: ConversationModel) {
        for part in view.match.parts ?? [] where view.opened[part] == nil {
            node.opened(part, of: view.match, in: view.session, of: model.name) {
                [weak self] result in
                guard let self, case .success(let content?) = result else { return }
                model.note(content, of: part, in: view.session)
                tell(view.session, model)
            }
        }
        // Whoever joined has given the key with the seat; who made the offer has not.
        let owing = OwedPart(session: view.session, conversation: model.name, kind: .key)
        guard view.match.phase == .running, view.mySeat != nil, view.canWrite,
            !view.joined.contains(view.me), host?.hasParts(shown) ?? false,
            owed.insert(owing).inserted
        else { return }
        add(Addition(to: view.session, .seat), model) { [weak self] _ in self?.owed.remove(owing) }
    }
}

extension AppHost {
    func hasParts(_ message: Message) -> Bool {
        apps.contains { $0.speaks == message.content?.app && $0.hasParts }
    }
}
