import Foundation
import ParleyCore
import ParleyKeys
import ParleyStore

extension NodeShell {
    // MARK: Names

    /// The conversation that a person of this node calls `name`.
    func conversation(named name: String) throws(NodeError) -> ParleyCore.Conversation {
        let normal = GivenName.normal(name)
        guard let found = machine.conversations.first(withRecord: { $0.name == normal }) else {
            throw .unknownConversation(name)
        }
        return found
    }

    /// A reader of the machine in its present state.
    var reader: MessageReader {
        MessageReader(machine)
    }

    // MARK: Sessions

    /// The session with the envelopes of all heads, read from disk where necessary.
    ///
    /// If heads are replaced during the read, it starts over, at most twice.
    func withEnvelopes(_ view: SessionView) async throws(NodeError) -> SessionView {
        var view = view
        for _ in 0..<3 {
            guard view.heads.contains(where: { $0.envelope == nil }), let store else { break }
            let row = view.row
            let result = await withCheckedContinuation { done in
                store.heads(ofRow: row) { done.resume(returning: $0) }
            }
            switch result {
            case .success(let heads): view = view.filled(from: heads)
            case .failure(let error): throw NodeError(whileRunning: error)
            }
            guard view.heads.contains(where: { $0.envelope == nil }) else { break }
            view = machine.conversations.view(view.tag, in: view.conversation) ?? view
        }
        return view
    }

    /// The messages of a session's heads, the shown one first.
    func messages(of view: SessionView) -> [Message] {
        reader.messages(of: view)
    }

    /// The bytes of a message's picture; nil if there is none, or while members are asked for it.
    func pictureBytes(_ head: HeadView, in view: SessionView) async throws(NodeError) -> Data? {
        switch reader.pictureSource(of: head, in: view) {
        case .message(let bytes): return bytes
        case .blob(let blob):
            guard let store else { return nil }
            let result = await withCheckedContinuation { done in
                store.blobBytes(blob) { done.resume(returning: $0) }
            }
            let stored: StoredBlob
            do { stored = try result.get() } catch { throw NodeError(whileRunning: error) }
            let picture = stored.bytes.flatMap { reader.opened($0, of: head, in: view) }
            if picture == nil, !isStopping { feed(.blobDoubted(blob)) }
            return picture
        case nil: return nil
        }
    }
}

extension NodeShell {
    // MARK: Damage

    /// Reads back sessions and pictures that another process found damaged.
    ///
    /// Damaged parts are written again from memory, or count as lost, and members send them again.
    func doubt(sessions: [Int64], pictures: [BlobID]) {
        store?.forgetPages()
        for picture in pictures { feed(.blobDoubted(picture)) }
        if !sessions.isEmpty { readSessions(sessions) }
    }
}

extension SessionView {
    /// The view with its missing envelopes taken from `stored`.
    func filled(from stored: Few<StoredHead>) -> SessionView {
        var view = self
        for index in view.heads.indices where view.heads[index].envelope == nil {
            let dot = view.heads[index].dot
            view.heads[index].envelope = stored.first { $0.dot == dot }?.envelope
        }
        return view
    }
}

extension Date {
    /// A time by the author's clock, clamped to the years 1 to 9999, which RFC 3339 can represent.
    init(sentAt milliseconds: Int64) {
        let held = min(max(milliseconds, -62_135_596_800_000), 253_402_300_799_999)
        self.init(timeIntervalSince1970: Double(held) / 1_000)
    }
}
