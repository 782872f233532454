import ParleyCore
import ParleyKeys
import ParleyLoop

/// Conversations that the linked devices of a person share with each other.
///
/// Whenever two of them have a link, each sends invites to what the other does not have yet, and is
/// told what the other has taken. A conversation that the other leaves later is not shared again.
extension OwnPerson {
    /// Shares the conversations of this node with a linked device that lacks them.
    func share(with device: DeviceID, on shell: isolated NodeShell) {
        let lacking = shell.machine.conversations.filter { linked.lacks($0.record.id, device) }
        for conversation in lacking {
            // A device that was thrown out of a conversation has no invite to it.
            let (name, role) = (conversation.record.name, Role(conversation.role))
            guard let invite = try? shell.reader.invite(to: name, role: role, isRelay: false) else {
                continue
            }
            let frame = PairingFrame.share(Slice(Array(invite.link.utf8)))
            shell.feed(.pairing(.share(hint: device.hint, frame)))
        }
    }

    /// Shares a conversation that is new here.
    func shareWithAll(on shell: isolated NodeShell) {
        for device in linked.all { share(with: device, on: shell) }
    }

    /// A link to a device began.
    func reached(_ device: DeviceID, on shell: isolated NodeShell) {
        guard linked.contains(device) else { return }
        shell.atEndOfIteration { $0.person.share(with: device, on: $0) }
    }

    /// A device shares a conversation, or has taken one.
    func received(_ frame: PairingFrame, from device: DeviceID, on shell: isolated NodeShell) {
        // The end of linking, which may have come just before, is handled at that time, too.
        shell.atEndOfIteration { shell in
            guard shell.person.linked.contains(device) else { return }
            switch frame {
            case .share(let invite): shell.person.take(invite, of: device, on: shell)
            case .taken(let conversation):
                shell.person.note(conversation, at: device, on: shell)
            default: break
            }
        }
    }

    /// Joins a conversation unless this node is in it, and says so once that is on disk.
    private func take(_ invite: Slice, of device: DeviceID, on shell: isolated NodeShell) {
        do throws(NodeError) {
            let new = try NewConversation(pairedBy: invite, on: shell)
            do throws(NodeError) {
                let name = try shell.adopt(new).name
                shell.news.shared(.success(name), by: device, in: shell.machine)
            } catch .alreadyJoined {
                // The other device could not know that.
            }
            note(new.id, at: device, on: shell)
            let taken = shell.here { (shell: isolated NodeShell, error: NodeError?) in
                guard error == nil else { return }
                shell.feed(.pairing(.share(hint: device.hint, .taken(new.id))))
            }
            shell.whenStored { taken($0) }
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
        guard linked.lacks(conversation, device) else { return }
        let present = shell.machine.conversations.map(\.record.id)
        linked.note(conversation, at: device, among: present)
        // What is not on disk is shared once more.
        file.write(linked)
    }
}
