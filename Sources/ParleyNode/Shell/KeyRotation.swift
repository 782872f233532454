import ParleyCore
import ParleyKeys
import ParleyValues

/// A change of a conversation's keys: who stays with the new ones, and who goes.
struct KeyRotation {
    private let name: String
    private let conversation: UInt32
    private let members: [Member]
    private let without: [DeviceID]

    /// A change without some members, by their names, IDs or beginnings of IDs.
    init(
        _ name: String,
        without: [String],
        on shell: isolated NodeShell
    ) throws(NodeError) {
        let conversation = try shell.machine.conversation(named: name)
        let members = try Self.members(of: name, on: shell)
        var devices: [DeviceID] = []
        for typed in without {
            devices.append(try Self.device(typed, among: members, of: name, shell.key.id))
        }
        self.name = conversation.record.name
        self.conversation = conversation.number
        self.members = members
        self.without = devices
    }

    static func members(
        of name: String,
        on shell: isolated NodeShell
    ) throws(NodeError) -> [Member] {
        let machine = shell.machine
        let conversation = try machine.conversation(named: name)
        let table = machine.members
        let paths = table.paths(in: conversation, machine.crypto)
        let own = paths.rank(of: machine.device)
        let writers = Set(conversation.origins.values.map(\.device)).union([machine.device])
        return table.list(conversation, machine.crypto).map { known in
            let rank = paths.rank(of: known.device)
            let inviters = table[conversation.number].admissions(of: known.device)
                .map { DeviceID(publicKey: $0.inviterKey, using: machine.crypto) }
            let inviter = inviters.first(where: writers.contains) ?? inviters.first
            return Member(
                device: known.device.text,
                name: shownName(of: known.device, on: shell),
                role: Role(known.role),
                isOwn: known.device == machine.device,
                standsHigher: rank.map { rank in own.map { rank < $0 } ?? true } ?? false,
                invitedBy: inviter.map {
                    shownName(of: $0, on: shell) ?? String($0.text.prefix(7))
                },
                person: PersonOfDevice(of: known, in: machine)
            )
        }
    }

    /// The state that the change would bring, unless the change would be refused now.
    func expected(on shell: isolated NodeShell) throws(NodeError) -> KeyChange {
        if let obstacle = shell.commits.obstacle { throw obstacle }
        let machine = shell.machine
        let conversation = try machine.conversation(named: name)
        var generations = conversation.generations
        var stays: Set<String> = []
        do throws(RotationRefusal) {
            let terms = try machine.members.rotationTerms(
                of: conversation,
                without: without,
                seed: .zero,
                ephemeral: .zero,
                machine.crypto
            )
            _ = try generations.rotate(by: terms, using: machine.crypto)
            stays = Set(terms.stays.map(\.device.text))
        } catch {
            throw .keys(conversation: name, KeysFault(error))
        }
        return KeyChange(
            conversation: name,
            generation: Int(generations.number),
            stays: members.filter { stays.contains($0.device) },
            goes: members.filter { !stays.contains($0.device) }
        )
    }

    /// Changes the keys.
    ///
    /// - Returns: what is so now, which is on disk.
    func carryOut(on shell: isolated NodeShell) async throws(NodeError) -> KeyChange {
        let goes = try expected(on: shell).goes
        let id = shell.requests.next()
        let request = RotationRequest(request: id, conversation: conversation, without: without)
        let result = await withCheckedContinuation { (done: RequestTable.Rotated) in
            shell.requests.await(keys: id, done)
            shell.feed(.rotated(request))
        }
        switch result {
        case nil: throw shell.commits.obstacle ?? .stopped
        case .failure(.storeFull)?: throw .storeFull
        case .failure(.unknownConversation)?: throw .unknownConversation(name)
        case .failure(let refusal)?: throw .keys(conversation: name, KeysFault(refusal))
        case .success?: break
        }
        let conversation = try shell.machine.conversation(named: name)
        return KeyChange(
            conversation: conversation.record.name,
            generation: Int(conversation.generations.number),
            stays: try Self.members(of: name, on: shell),
            goes: goes
        )
    }

    /// The only member that a text means: an ID, or a name or the beginning of an ID.
    private static func device(
        _ typed: String,
        among members: [Member],
        of conversation: String,
        _ own: DeviceID
    ) throws(NodeError) -> DeviceID {
        let others = members.filter { !$0.isOwn }.map { ($0.device, $0.name) }
        do throws(NodeError) {
            let device = try DeviceLists().device(typed, or: others, except: own).0
            guard members.contains(where: { $0.device == device.text }) else {
                throw .unknownDevice(typed)
            }
            return device
        } catch {
            guard case .unknownDevice = error else { throw error }
            let isOwn = members.contains { $0.isOwn && [$0.device, $0.name].contains(typed) }
            let id = try? DeviceID(parsing: typed)
            let shown = id.map { String($0.text.prefix(7)) } ?? typed
            throw .keys(conversation: conversation, isOwn ? .oneself : .unknownMember(shown))
        }
    }

    private static func shownName(of device: DeviceID, on shell: isolated NodeShell) -> String? {
        if device == shell.machine.device { return shell.machine.configuration.deviceName }
        return shell.news.acquaintances.printableName(of: device, in: shell.machine)
    }
}

extension KeysFault {
    init(_ standing: Generations.Standing) {
        self = standing == .out ? .thrownOut : .missing
    }

    init(_ refusal: RotationRefusal) {
        self =
            switch refusal {
            case .open: .open
            case .readOnly: .readOnly
            case .notMember(let standing): KeysFault(standing)
            case .notAdmitted: .notAdmitted
            case .lower: .lower
            case .unknownDevice(let device): .unknownMember(String(device.text.prefix(7)))
            case .ownDevice: .oneself
            case .unknownConversation, .storeFull: .missing
            }
    }
}
