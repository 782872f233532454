import ParleyCore
import ParleyKeys
import ParleyLoop

/// Conversations that the linked devices of a person share with each other.
///
/// Whenever two of them have a link, each sends invites to what the other does not have yet, and is
/// told what the other has. A conversation that a device has left is not shared with it again.
extension OwnPerson {
    /// Takes what a delivery says of linked devices.
    func heard(_ delivery: Delivery, on shell: isolated NodeShell) {
        switch delivery {
        case .link(let notice):
            guard case .greeted = notice.change, linked.contains(notice.device) else { return }
            shell.atEndOfIteration { $0.person.shareAll(with: notice.device, on: $0) }
        case .generation(let notice): keysChanged(notice, on: shell)
        case .shared(let frame, let device):
            // The end of linking, which may have come just before, is handled at that time, too.
            shell.atEndOfIteration { $0.person.received(frame, from: device, on: $0) }
        default: break
        }
    }

    /// Shares the conversations of this node with a linked device that lacks them.
    func shareAll(with device: DeviceID, on shell: isolated NodeShell) {
        // No copy of a conversation is kept while the machine changes.
        let frames = shell.machine.conversations.compactMap { share($0, with: device, on: shell) }
        for frame in frames { shell.feed(.pairing(.share(device, frame))) }
    }

    private func share(
        _ conversation: ParleyCore.Conversation,
        with device: DeviceID,
        on shell: isolated NodeShell
    ) -> PairingFrame? {
        let record = conversation.record
        guard linked.lacks(record.id, device),
            !shell.machine.members.isFormer(device, in: conversation, shell.machine.crypto)
        else { return nil }
        // A node that was thrown out of a conversation has no invite to pass on.
        let role = Role(conversation.role)
        let invite = try? shell.reader.invite(to: record.name, role: role, isRelay: false)
        return invite.map { .share(Slice(Array($0.link.utf8))) }
    }

    /// This node made or joined a conversation, which is shared once it is on disk.
    func adopted(_ id: ConversationID, on shell: isolated NodeShell) {
        if linked.isLeft(id) {
            linked.note(id, isLeft: false)
            file.write(linked)
        }
        guard !linked.all.isEmpty else { return }
        let stored = shell.here { (shell: isolated NodeShell, error: NodeError?) in
            guard error == nil else { return }
            let person = shell.person
            for device in person.linked.all {
                let known = shell.machine.conversations.first(withRecord: { $0.id == id })
                let frame = known.flatMap { person.share($0, with: device, on: shell) }
                if let frame { shell.feed(.pairing(.share(device, frame))) }
            }
        }
        shell.whenStored { stored($0) }
    }

    /// This node left a conversation.
    func left(_ id: ConversationID) {
        guard isLinked else { return }
        linked.note(id, isLeft: true)
        file.write(linked)
    }

    /// The keys of a conversation were changed: a linked device that one of the person's devices
    /// threw out is linked no more.
    private func keysChanged(_ notice: GenerationNotice, on shell: isolated NodeShell) {
        let machine = shell.machine
        guard let conversation = machine.conversation(notice.conversation) else { return }
        for change in notice.new {
            let removed = machine.members.removed(
                from: conversation,
                in: change,
                by: { $0 == machine.device || linked.contains($0) },
                machine.crypto
            )
            for device in removed where linked.contains(device) {
                unlink(device)
                shell.news.unlinked(device, in: machine)
            }
        }
    }

    /// Shares nothing more with a device.
    func unlink(_ device: DeviceID) {
        guard linked.contains(device) else { return }
        linked.remove(device)
        file.write(linked)
    }

    // MARK: What others share

    /// A device shares a conversation, or has taken one.
    private func received(
        _ frame: PairingFrame,
        from device: DeviceID,
        on shell: isolated NodeShell
    ) {
        guard linked.contains(device) else { return }
        switch frame {
        case .share(let invite): take(invite, of: device, on: shell)
        case .taken(let conversation): note(conversation, at: device, on: shell)
        default: break
        }
    }

    /// Joins a conversation unless this node is or was in it, and answers once that is on disk.
    private func take(_ invite: Slice, of device: DeviceID, on shell: isolated NodeShell) {
        do throws(NodeError) {
            let new = try NewConversation(pairedBy: invite, on: shell)
            if !linked.isLeft(new.id) {
                do throws(NodeError) {
                    let name = try shell.adopt(new).name
                    shell.news.shared(.success(name), by: device, in: shell.machine)
                } catch .alreadyJoined {
                    // The other device could not know that.
                }
            }
            note(new.id, at: device, on: shell)
            let stored = shell.here { (shell: isolated NodeShell, error: NodeError?) in
                guard error == nil else { return }
                shell.feed(.pairing(.share(device, .taken(new.id))))
            }
            shell.whenStored { stored($0) }
        } catch {
            shell.news.shared(.failure(error), by: device, in: shell.machine)
        }
    }

    /// A linked device has a conversation.
    private func note(
        _ conversation: ConversationID,
        at device: DeviceID,
        on shell: isolated NodeShell
    ) {
        let present = shell.machine.conversations.map(\.record.id)
        // What is not on disk is shared once more.
        if linked.note(conversation, at: device, among: present) { file.write(linked) }
    }
}
