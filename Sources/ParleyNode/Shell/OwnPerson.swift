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
    let file: PersonFile
    /// Nil until another device is to be linked.
    private var kept: KeptPerson?
    var linked: LinkedDevices

    init(_ file: PersonFile, _ kept: KeptPerson?, _ linked: LinkedDevices) {
        self.file = file
        self.kept = kept
        self.linked = linked
    }

    /// The person of a node's device, as others see the person.
    static func shown(on shell: isolated NodeShell) -> PersonOfDevice? {
        shell.machine.members.cards.person.flatMap { PersonOfDevice($0) }
    }

    /// The IDs and names of the linked devices.
    static func linked(on shell: isolated NodeShell) -> [(id: String, name: String?)] {
        shell.person.linked.all.map { device in
            (device.text, shell.news.acquaintances.printableName(of: device, in: shell.machine))
        }
    }

    /// Whether this device was ever to be linked.
    var isLinked: Bool { kept != nil }

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
        guard shell.person.linked.hasPlace(for: hint) else {
            throw .badSetting(
                "At most \(LinkedDevices.countMax) other devices can be linked. Throw out one that "
                    + "you have no more: parley person lost DEVICE"
            )
        }
        let secret = try await shell.person.given(to: hint, on: shell)
        shell.feed(.pairing(.start(hint: hint, offer: .own(Slice(secret.packed)))))
        return try shell.pairingList.pairing(PairingState.id(ofHint: hint))
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
        let before = (kept: self.kept, linked: linked)
        take(kept)
        let error = await withCheckedContinuation { done in
            file.write(kept, linked) { done.resume(returning: $0) }
        }
        if let error {
            (self.kept, linked) = before
            file.write(linked)
            throw error
        }
        shell.feed(.owned(kept.secret.shown(by: shell.key.id)))
    }

    private func take(_ kept: KeptPerson) {
        self.kept = kept
        linked = linked.having(kept.secret)
    }

    /// A device has given its person; `done` is called when that is on disk.
    func linked(
        to device: DeviceID?,
        _ other: Slice,
        on shell: isolated NodeShell,
        _ done: @escaping @Sendable (isolated NodeShell, PairingState.Ending) -> Void
    ) {
        guard var own = kept, let device, let other = PersonSecret(packed: other) else {
            return done(shell, .lost)
        }
        own.secret = own.secret.linked(to: other)
        take(own)
        linked.add(device)
        shell.feed(.owned(own.secret.shown(by: shell.key.id)))
        let name = own.secret.name.printable
        let written = shell.here { (shell: isolated NodeShell, error: NodeError?) in
            done(shell, error.map { .notJoined($0) } ?? .linked(as: name))
        }
        let executor = shell.executor
        file.write(own, linked) { error in executor.queue.async { written(error) } }
        shareAll(with: device, on: shell)
    }
}
