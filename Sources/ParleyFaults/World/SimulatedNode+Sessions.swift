package import ParleyCore

/// The sessions of a conversation as a node shows them.
extension SimulatedNode {
    /// A conversation as the machine has it.
    package func state(of conversation: SimulatedConversation) -> Conversation? {
        machine?.conversations.first(withRecord: { $0.id == conversation.id })
    }

    /// Tells the person a delivery; returns the broken rule in words, if any.
    func tell(_ delivery: Delivery) -> String? {
        var view: SessionView?
        if case .shown(let shown) = delivery {
            view = machine?.conversation(shown.conversation)?.view(shown.tag)
        }
        return person.take(delivery, disk: disk, view: view)
    }

    func view(_ tag: SessionTag, in conversation: SimulatedConversation) -> SessionView? {
        state(of: conversation)?.view(tag)
    }

    /// The shown message, from memory or else from the disk, opened.
    func body(_ tag: SessionTag, in conversation: SimulatedConversation) -> MessageBody? {
        guard let state = state(of: conversation), let view = state.view(tag),
            let shown = view.heads.first
        else { return nil }
        let stored = disk.rows[view.row]?.heads.first { $0.dot == shown.dot }
        return (shown.envelope ?? stored?.envelope).flatMap { state.open($0, using: crypto) }
    }

    /// The picture of the shown message, from the blob on the disk.
    func picture(_ tag: SessionTag, in conversation: SimulatedConversation) -> [UInt8]? {
        guard let state = state(of: conversation), let head = state.view(tag)?.heads.first,
            let blob = head.blobs.first, disk.isComplete(blob.id),
            let sealed = disk.bytes(of: blob.id)
        else { return nil }
        return state.keys.openBlob(sealed, of: head.dot.origin, using: crypto)
    }
}
