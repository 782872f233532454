import Foundation
import ParleyCore
import ParleyKeys
import ParleyLoop
import ParleyStore
import ParleyValues

/// The person to whom the device of a node belongs, and the linking of the person's other devices.
///
/// Everything here runs on the queue of the node.
final class OwnPerson {
    private let file: PersonFile
    /// Nil until another device is to be linked.
    private(set) var secret: PersonSecret?

    init(_ file: PersonFile, _ secret: PersonSecret?) {
        self.file = file
        self.secret = secret
    }

    /// The person of a node's device, as others see the person.
    static func shown(on shell: isolated NodeShell) -> PersonOfDevice? {
        shell.machine.members.cards.person.flatMap { PersonOfDevice($0) }
    }

    /// Has the machine show the person to others, once several devices have the secret.
    private func show(on shell: isolated NodeShell) {
        shell.feed(.owned(secret?.shown(by: shell.key.id)))
    }

    /// Starts to link another device of the person, or agrees to its request.
    static func link(
        _ device: String,
        on shell: isolated NodeShell
    ) async throws(NodeError) -> PairingState {
        guard !shell.settings.isRelay else { throw .relayOnly }
        let hint = try shell.pairingList.partner(device, asOwn: true)
        let secret = try await shell.person.made(on: shell)
        let offer = PairingOffer.own(
            invites: invites(on: shell),
            person: Slice(secret.packed)
        )
        shell.feed(.pairing(.start(hint: hint, offer: offer)))
        return try shell.pairingList.pairing(PairingState.id(ofHint: hint))
    }

    /// The texts of invites to the conversations of this node, each for its role there.
    private static func invites(on shell: isolated NodeShell) -> [Slice] {
        let records = shell.machine.conversations.map { ($0.record.name, Role($0.role)) }
        // A device that was thrown out of a conversation has no invite to it.
        return records.prefix(Limits.ownInvites)
            .compactMap { try? shell.reader.invite(to: $0.0, role: $0.1, isRelay: false) }
            .map { Slice(Array($0.link.utf8)) }
    }

    /// The secret of the person, which is on disk.
    private func made(on shell: isolated NodeShell) async throws(NodeError) -> PersonSecret {
        if let secret { return secret }
        // Of two devices that are linked, the older one gives the name.
        let key = shell.directory.file("device.key")
        let attributes = try? FileManager.default.attributesOfItem(atPath: key)
        let date = attributes?[.modificationDate] as? Date ?? Date()
        let since = UInt64(max(0, date.timeIntervalSince1970 * 1_000))
        let new = PersonSecret.new(named: shell.deviceName, since: since)
        try await keep(new, on: shell)
        return new
    }

    /// Replaces the key of the person, as a device that has it is lost.
    ///
    /// The person's remaining devices have to be linked again.
    static func renew(on shell: isolated NodeShell) async throws(NodeError) {
        guard let secret = shell.person.secret, secret.isLinked else { return }
        try await shell.person.keep(secret.renewed(), on: shell)
    }

    private func keep(
        _ secret: PersonSecret,
        on shell: isolated NodeShell
    ) async throws(NodeError) {
        let error = await withCheckedContinuation { done in
            file.write(secret) { done.resume(returning: $0) }
        }
        if let error { throw error }
        self.secret = secret
        show(on: shell)
    }

    /// Another device has given its conversations and its person; `done` is called when all is on
    /// disk.
    func linked(
        _ invites: [Slice],
        by other: Slice,
        on shell: isolated NodeShell,
        _ done: @escaping @Sendable (isolated NodeShell, PairingState.Ending) -> Void
    ) {
        guard let own = secret, let other = PersonSecret(packed: other) else {
            return done(shell, .lost)
        }
        let linked = own.linked(to: other)
        let (joined, failures) = joinAll(invites, on: shell)
        let finish = shell.here { (shell: isolated NodeShell, error: NodeError?) in
            if let error { return done(shell, .notJoined(error)) }
            shell.person.secret = linked
            shell.person.show(on: shell)
            done(shell, .linked(as: linked.name, joined: joined, notJoined: failures))
        }
        let executor = shell.executor
        shell.whenStored { [file] error in
            if let error { return finish(error) }
            file.write(linked) { error in executor.queue.async { finish(error) } }
        }
    }

    /// Joins the conversations of invites that this node is not in.
    private func joinAll(
        _ invites: [Slice],
        on shell: isolated NodeShell
    ) -> (joined: [String], failures: [NodeError]) {
        var joined: [String] = []
        var failures: [NodeError] = []
        for invite in invites {
            do throws(NodeError) {
                let new = try NewConversation(pairedBy: invite, on: shell)
                joined.append(try shell.adopt(new).name)
            } catch .alreadyJoined {
                continue
            } catch {
                failures.append(error)
            }
        }
        return (joined, failures)
    }
}
