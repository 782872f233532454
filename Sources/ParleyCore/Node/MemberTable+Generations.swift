/// The members of a conversation, as far as their keys and roles are proven here.
extension MemberTable {
    /// The members of the current generation, ascending by device; of a guest, its host.
    package func list(_ conversation: Conversation, _ crypto: some Cryptography) -> [KnownDevice] {
        list(conversation, of: conversation.generations.current, crypto)
    }

    /// The members of a generation, as far as they are proven here.
    private func list(
        _ conversation: Conversation,
        of generation: GenerationID,
        _ crypto: some Cryptography
    ) -> [KnownDevice] {
        let generations = conversation.generations
        let record = generations.generations[generation]?.record
        return proven(conversation, crypto).filter { known in
            // Readers and relays whose latest proof is of a generation beside the line are members
            // where they are listed. For writers only their certificates count.
            let isListed =
                known.role < .writer
                && record?.lists(
                    known.device.listing(in: conversation.record.id, as: known.role, using: crypto)
                ) == true
            return isListed
                || generations.isMember(known, of: generation, using: crypto)
        }
    }

    /// Whether a device has proved a role in a conversation, and is no member now.
    package func isFormer(
        _ device: DeviceID,
        in conversation: Conversation,
        _ crypto: some Cryptography
    ) -> Bool {
        proven(conversation, crypto).contains { $0.device == device }
            && !list(conversation, crypto).contains { $0.device == device }
    }

    /// The devices that were members before a change of keys by some devices, and none after it.
    package func removed(
        from conversation: Conversation,
        in change: GenerationID,
        by authors: (DeviceID) -> Bool,
        _ crypto: some Cryptography
    ) -> [DeviceID] {
        guard let statement = conversation.generations.generations[change]?.record.statement,
            authors(DeviceID(publicKey: statement.author, using: crypto))
        else { return [] }
        let after = Set(list(conversation, of: change, crypto).map(\.device))
        return list(conversation, of: statement.parent, crypto).map(\.device)
            .filter { !after.contains($0) }
    }

    /// The devices that proved a role, members or not, ascending.
    private func proven(
        _ conversation: Conversation,
        _ crypto: some Cryptography
    ) -> [KnownDevice] {
        var devices = known[conversation.number] ?? [:]
        for origin in conversation.origins.values where origin.record.host == nil {
            let record = origin.record
            var writer = KnownDevice(
                device: origin.device,
                key: record.deviceKey,
                role: .writer,
                generation: record.generation
            )
            writer.person = devices[origin.device]?.person
            // Of two proofs the later one counts, then the one of the higher role.
            let isBefore = devices[origin.device].map {
                conversation.generations.isBefore($0, writer)
            }
            if isBefore ?? true { devices[origin.device] = writer }
        }
        let own = KnownDevice(
            device: conversation.device,
            key: crypto.devicePublicKey,
            role: conversation.role,
            generation: conversation.record.generation
        )
        devices[conversation.device] = own
        return devices.values.sorted { $0.device < $1.device }
    }

    // MARK: Roles

    /// A peer proves its role.
    mutating func learn(
        _ proof: RoleProof,
        of conversation: Conversation,
        on index: Int,
        _ links: LinkTable,
        _ step: inout Step,
        _ crypto: some Cryptography
    ) {
        let device = links[index].device
        guard
            conversation.keys
                .hold(proof, of: device, exporter: links[index].exporter, using: crypto)
        else { return }
        let new = KnownDevice(
            device: device,
            key: links[index].peerKey,
            role: proof.role,
            generation: proof.generation
        )
        learn(new, of: conversation, hasLink: true, &step, crypto)
    }

    /// Keeps the proven role of a device, unless a later generation, or a higher role, is proven
    /// that makes the device a member.
    ///
    /// Half of the places are for devices with links, as members can make cards of devices that do
    /// not exist.
    mutating func learn(
        _ new: KnownDevice,
        of conversation: Conversation,
        hasLink: Bool,
        _ step: inout Step,
        _ crypto: some Cryptography
    ) {
        let (device, number) = (new.device, conversation.number)
        let generations = conversation.generations
        var new = new
        // Only cards tell of persons.
        if hasLink { new.person = known[number]?[device]?.person }
        if let before = known[number]?[device], generations.isBefore(new, before),
            generations.isMember(before, of: generations.current, using: crypto)
        {
            return
        }
        let limit = hasLink ? Limits.knownDevices : Limits.knownDevices / 2
        let isPlace = known[number]?.count ?? 0 < limit
        guard known[number]?[device] != new, isPlace || known[number]?[device] != nil else {
            return
        }
        known[number, default: [:]][device] = new
        step.writes.append(.member(conversation: number, .device(device), Slice(new.packed)))
        step.deliver(.admissions(conversation: number))
    }

    /// Whether this device is to ask for an admission: no path of admissions leads to it from the
    /// creator.
    func asksForAdmission(
        _ conversation: Conversation,
        _ device: DeviceID,
        _ crypto: some Cryptography
    ) -> Bool {
        conversation.role == .writer && paths(in: conversation, crypto)[device] == nil
    }

    /// Admits those of some devices that are writers and to whom no path of admissions leads, as
    /// links with the keys name no inviter; none beyond a number of admissions in all.
    mutating func admit(
        writers devices: [DeviceID],
        to conversation: Conversation,
        upTo countMax: Int = Limits.admissions,
        _ links: inout LinkTable,
        _ step: inout Step,
        _ crypto: some Cryptography
    ) {
        let number = conversation.number
        let paths = paths(in: conversation, crypto)
        guard let own = paths[conversation.device], own.count < Limits.admissionSteps else {
            return
        }
        let generations = conversation.generations
        var admissions: [MemberEntry] = []
        for device in devices where paths[device] == nil && self[number].count < countMax {
            guard let known = known[number]?[device], known.role == .writer,
                generations.isMember(known, of: generations.current, using: crypto),
                let admission = admit(device, as: .writer, conversation, &step, crypto)
            else { continue }
            admissions.append(.admission(admission))
        }
        guard !admissions.isEmpty else { return }
        step.deliver(.admissions(conversation: number))
        pass(admissions, in: number, besides: nil, &links)
    }

    // MARK: Changing keys

    /// The parts of other keys: the staying devices, and the path of this device.
    package func rotationTerms(
        of conversation: Conversation,
        without: [DeviceID],
        seed: Bytes32,
        ephemeral: Bytes32,
        _ crypto: some Cryptography
    ) throws(RotationRefusal) -> RotationTerms {
        guard !conversation.record.isOpen else { throw .open }
        guard conversation.role == .writer else { throw .readOnly }
        guard !without.contains(conversation.device) else { throw .ownDevice }
        let paths = paths(in: conversation, crypto)
        guard let path = paths[conversation.device], conversation.generations.birth != nil else {
            throw .notAdmitted
        }
        let parent = conversation.generations.parentOfRotation(by: path, using: crypto)
        guard let parent else { throw .notMember(conversation.standing) }
        let members = list(conversation, of: parent, crypto)
        if let unknown = without.first(where: { one in !members.contains { $0.device == one } }) {
            throw .unknownDevice(unknown)
        }
        let stays = members.filter { !without.contains($0.device) }
        return RotationTerms(
            parent: parent,
            path: path,
            stays: stays.count > Limits.stayingDevices
                ? highest(stays, paths, own: conversation.device) : stays,
            seed: seed,
            ephemeral: ephemeral
        )
    }

    /// The devices for which a record has places: the own, then writers by rank, readers, relays.
    ///
    /// A member can invent devices with its own rights, and can be thrown out nevertheless.
    private func highest(
        _ devices: [KnownDevice],
        _ paths: AdmissionPaths,
        own: DeviceID
    ) -> [KnownDevice] {
        let lowest = MemberRank(
            numbers: Array(repeating: .max, count: Limits.admissionSteps + 1),
            device: own
        )
        let places = devices.map { known in
            let rank = known.role == .writer ? paths.rank(of: known.device) : nil
            return (known: known, rank: rank ?? lowest, isOwn: known.device == own)
        }
        let sorted = places.sorted { left, right in
            if left.isOwn != right.isOwn { return left.isOwn }
            if left.known.role != right.known.role { return left.known.role > right.known.role }
            if left.rank != right.rank { return left.rank < right.rank }
            return left.known.device < right.known.device
        }
        return sorted.prefix(Limits.stayingDevices).map(\.known)
    }

    /// The members to remove again after a generation beside the line, but for members of a higher
    /// rank.
    func lostRemovals(of conversation: Conversation, _ crypto: some Cryptography) -> [DeviceID] {
        let removals = (self.removals[conversation.number] ?? [:])
            .filter { !conversation.generations.line.contains($0.key) }
            .flatMap(\.value)
        guard !removals.isEmpty else { return [] }
        let paths = paths(in: conversation, crypto)
        let own = paths.rank(of: conversation.device)
        return list(conversation, crypto).map(\.device).filter { device in
            guard removals.contains(device), let own else { return false }
            return paths.rank(of: device).map { own < $0 } ?? true
        }
    }

    /// The admissions from the creator of a conversation down to its members.
    package func paths(
        in conversation: Conversation,
        _ crypto: some Cryptography
    ) -> AdmissionPaths {
        AdmissionPaths(
            self[conversation.number].all,
            from: conversation.generations.birth?.creator,
            using: crypto
        )
    }
}

extension Generations {
    /// Whether a device, by the proof of its role, is a member of a generation.
    func isMember(
        _ known: KnownDevice,
        of id: GenerationID,
        using crypto: some Cryptography
    ) -> Bool {
        isMember(
            known.device,
            as: known.role,
            certifiedBy: known.generation,
            of: id,
            using: crypto
        )
    }

    /// Whether one proof of a role is of an earlier generation than another one, or of the same
    /// with a lower role.
    fileprivate func isBefore(_ one: KnownDevice, _ other: KnownDevice) -> Bool {
        let numbers = (number(of: one.generation), number(of: other.generation))
        return numbers.0 == numbers.1 ? one.role < other.role : numbers.0 < numbers.1
    }
}
