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
    private var kept: KeptPerson?

    init(_ file: PersonFile, _ kept: KeptPerson?) {
        self.file = file
        self.kept = kept
    }

    /// The person of a node's device, as others see the person.
    static func shown(on shell: isolated NodeShell) -> PersonOfDevice? {
        shell.machine.members.cards.person.flatMap { PersonOfDevice($0) }
    }

    /// Whether a device may have the secret, as it was offered the secret or shows the person.
    func has(_ device: DeviceID, _ shown: PersonOfDevice?, on shell: isolated NodeShell) -> Bool {
        let own = Self.shown(on: shell)
        return kept?.given.contains(device.hint) == true || own != nil && shown?.id == own?.id
    }

    /// Starts to link another device of the person, or agrees to its request.
    static func link(
        _ device: String,
        on shell: isolated NodeShell
    ) async throws(NodeError) -> PairingState {
        guard !shell.settings.isRelay else { throw .relayOnly }
        let hint = try shell.pairingList.partner(device, asOwn: true)
        let secret = try await shell.person.given(to: hint, on: shell)
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

    /// The secret of the person, once the file says that a device may have it.
    private func given(
        to hint: UInt64,
        on shell: isolated NodeShell
    ) async throws(NodeError) -> PersonSecret {
        var kept = self.kept ?? Self.new(on: shell)
        kept.give(to: hint)
        try await keep(kept, on: shell)
        return kept.secret
    }

    private static func new(on shell: isolated NodeShell) -> KeptPerson {
        // Of two devices that are linked, the older one gives the name.
        let key = shell.directory.file("device.key")
        let attributes = try? FileManager.default.attributesOfItem(atPath: key)
        let date = attributes?[.modificationDate] as? Date ?? Date()
        let since = UInt64(max(0, date.timeIntervalSince1970 * 1_000))
        return KeptPerson(PersonSecret.new(named: shell.deviceName, since: since))
    }

    /// Replaces the key of the person, as a device that has it is lost.
    ///
    /// The person's remaining devices have to be linked again.
    static func renew(on shell: isolated NodeShell) async throws(NodeError) {
        guard let kept = shell.person.kept else { return }
        // A device that compares digits now was offered the former key.
        for pairing in shell.machine.links.pairings.pairings where pairing.isForOwn {
            shell.feed(.pairing(.cancel(hint: pairing.hint)))
        }
        try await shell.person.keep(kept.renewed(), on: shell)
    }

    /// Takes another state at once, and returns when it is on disk.
    private func keep(
        _ kept: KeptPerson,
        on shell: isolated NodeShell
    ) async throws(NodeError) {
        self.kept = kept
        let error = await withCheckedContinuation { done in
            file.write(kept) { done.resume(returning: $0) }
        }
        if let error { throw error }
        shell.feed(.owned(kept.secret.shown(by: shell.key.id)))
    }

    /// Another device has given its conversations and its person; `done` is called when all is on
    /// disk.
    func linked(
        _ invites: [Slice],
        by other: Slice,
        on shell: isolated NodeShell,
        _ done: @escaping @Sendable (isolated NodeShell, PairingState.Ending) -> Void
    ) {
        guard let own = kept, let other = PersonSecret(packed: other) else {
            return done(shell, .lost)
        }
        var linked = own
        linked.secret = own.secret.linked(to: other)
        kept = linked
        shell.feed(.owned(linked.secret.shown(by: shell.key.id)))
        let name = linked.secret.name.printable
        let (joined, failures) = joinAll(invites, on: shell)
        let written = shell.here { (shell: isolated NodeShell, failure: NodeError?) in
            shell.whenStored { error in
                let ending = PairingState.Ending.linked(
                    as: name,
                    joined: joined,
                    notJoined: failures
                )
                shell.assumeIsolated {
                    done($0, (failure ?? error).map { .notJoined($0) } ?? ending)
                }
            }
        }
        let executor = shell.executor
        file.write(linked) { error in executor.queue.async { written(error) } }
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
