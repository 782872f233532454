import ParleyCore
import ParleyKeys
package import ParleyValues

/// The removal of a device from all conversations of a node.
package struct DeviceRemoval: Sendable {
    /// A conversation with the device, and the change of its keys or the reason without one.
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
    /// The conversations with the device, in the order of joining.
    package private(set) var places: [Place] = []

    /// Throws out the only device that a text means: a name, an ID or the beginning of an ID.
    ///
    /// A failure in one conversation leaves the others as they are. A dry run changes nothing.
    init(
        of typed: String,
        isDryRun: Bool,
        on shell: isolated NodeShell
    ) async throws(NodeError) {
        var rooms: [(name: String, members: [Member])] = []
        for conversation in shell.machine.conversations {
            let name = conversation.record.name
            rooms.append((name, try KeyRotation.members(of: name, on: shell)))
        }
        let (id, name) = try Self.device(typed, among: rooms.flatMap(\.members), on: shell)
        device = id.text
        self.name = name
        let shown = rooms.flatMap(\.members).first { $0.device == id.text && $0.person != nil }
        let isOwn = shell.person.has(id, shown?.person, on: shell)
        rooms.removeAll { room in
            // An own device may have an invite without being seen there.
            let isInvited = isOwn && Self.gaveInvites(to: room.name, on: shell)
            return !isInvited && !room.members.contains { $0.device == id.text }
        }
        guard !rooms.isEmpty || isOwn else { throw .unknownDevice(typed) }
        if !isDryRun { shell.person.unlink(id) }
        let own = OwnPerson.shown(on: shell)?.name ?? shell.deviceName
        person = isOwn ? own : nil
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
        if isOwn, !isDryRun { try await OwnPerson.renew(on: shell) }
    }

    /// Whether this node shares invites to a conversation with its person's other devices that end
    /// with a change of keys.
    private static func gaveInvites(to name: String, on shell: isolated NodeShell) -> Bool {
        guard let conversation = try? shell.machine.conversation(named: name) else { return false }
        return !conversation.record.isOpen && conversation.generations.standing == .member
            && conversation.role == .writer
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
        let linked = shell.person.linked.all.map { id in
            (id.text, shell.news.acquaintances.printableName(of: id, in: shell.machine))
        }
        let others = members.filter { !$0.isOwn }.map { ($0.device, $0.name) } + linked
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
