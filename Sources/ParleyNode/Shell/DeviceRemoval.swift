import ParleyCore
import ParleyKeys
package import ParleyValues

/// The removal of a device from all conversations of a node.
package struct DeviceRemoval: Sendable {
    /// A conversation with the device, or to which the device may have an invite; and the change of
    /// keys or the reason without a change.
    package struct Place: Sendable {
        package let conversation: String
        package let result: Result<KeyChange, NodeError>
        /// Whether a member that stays has a link to this node, and so hears of the change at once.
        package let isTold: Bool
        /// The names, or the beginnings of the IDs, of other members that the device let in.
        package let letIn: [String]
    }

    /// The device ID.
    package let device: String
    /// The name of the device; nil if unknown.
    package let name: String?
    /// The name of the person here, if the device is another one of the person; the person's key
    /// is replaced then.
    package let person: String?
    /// The conversations with the device, or to which the device may have invites, in the order of
    /// joining.
    package private(set) var places: [Place] = []

    /// Throws out the only device that a text means: a name, an ID or the beginning of an ID.
    ///
    /// A failure in one conversation leaves the others as they are. A dry run changes nothing.
    init(
        of typed: String,
        isDryRun: Bool,
        on shell: isolated NodeShell
    ) async throws(NodeError) {
        var rooms: [(name: String, isShared: Bool, members: [Member])] = []
        for conversation in shell.machine.conversations {
            let name = conversation.record.name
            let isOpen = conversation.record.isOpen
            let isShared = !isOpen && conversation.generations.standing == .member
            rooms.append((name, isShared, try KeyRotation.members(of: name, on: shell)))
        }
        let (id, name) = try Self.device(typed, among: rooms.flatMap(\.members), on: shell)
        device = id.text
        self.name = name
        let shown = rooms.flatMap(\.members).first { $0.device == id.text && $0.person != nil }
        let isOwn = shell.person.has(id, shown?.person, on: shell)
        let own = OwnPerson.shown(on: shell)
        // A linked device may have an invite without having been seen.
        let isInvited =
            shell.person.linked.contains(id) || own != nil && shown?.person?.id == own?.id
        rooms.removeAll { room in
            !(isInvited && room.isShared) && !room.members.contains { $0.device == id.text }
        }
        guard !rooms.isEmpty || isOwn else { throw .unknownDevice(typed) }
        // Nothing is changed anywhere if the new key cannot be written.
        if isOwn, !isDryRun { try await OwnPerson.renew(on: shell) }
        if !isDryRun { shell.person.unlink(id) }
        person = isOwn ? own?.name ?? shell.deviceName : nil
        for room in rooms {
            let isMember = room.members.contains { $0.device == id.text }
            let result = await Self.change(
                in: room.name,
                without: isMember ? [id.text] : [],
                isDryRun: isDryRun,
                on: shell
            )
            let isTold = shell.machine.links.contains { link in
                link.isMember && link.device != id
                    && link.conversations.map(shell.machine.conversationName).contains(room.name)
            }
            let label = name ?? String(id.text.prefix(7))
            let letIn = room.members.filter { $0.invitedBy == label && !$0.isOwn }
                .map { $0.name ?? String($0.device.prefix(7)) }
            places.append(
                Place(conversation: room.name, result: result, isTold: isTold, letIn: letIn)
            )
        }
    }

    private static func change(
        in name: String,
        without devices: [String],
        isDryRun: Bool,
        on shell: isolated NodeShell
    ) async -> Result<KeyChange, NodeError> {
        do throws(NodeError) {
            let rotation = try KeyRotation(name, without: devices, on: shell)
            return .success(
                isDryRun
                    ? try rotation.expected(on: shell) : try await rotation.carryOut(on: shell)
            )
        } catch {
            return .failure(error)
        }
    }

    private static func device(
        _ typed: String,
        among members: [Member],
        on shell: isolated NodeShell
    ) throws(NodeError) -> (DeviceID, String?) {
        let others =
            members.filter { !$0.isOwn }.map { ($0.device, $0.name) }
            + OwnPerson.linked(on: shell).map { ($0.id, $0.name) }
        let own = shell.key.id
        do throws(NodeError) {
            return try DeviceLists().device(typed, or: others, except: own)
        } catch {
            let name = shell.machine.configuration.deviceName
            guard case .unknownDevice = error, TypedDevice(typed).means(name, own.text) else {
                throw error
            }
            throw .badSetting(
                "that is this device, which cannot throw itself out: use another device"
            )
        }
    }
}
