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
        proven(conversation, crypto).filter {
            conversation.generations.isMember(
                $0.device,
                as: $0.role,
                certifiedBy: $0.generation,
                of: generation,
                using: crypto
            )
        }
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
            // Of two certificates, the later one counts.
            let isLater = devices[origin.device].map {
                conversation.generations.number(of: $0.generation)
                    < conversation.generations.number(of: record.generation)
            }
            if isLater ?? true { devices[origin.device] = writer }
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
        learn(new, of: conversation, hasLink: true, &step)
    }

    /// Keeps the proven role of a device, unless a later generation has proven one.
    ///
    /// Half of the places are for devices with links, as members can make cards of devices that do
    /// not exist.
    mutating func learn(
        _ new: KnownDevice,
        of conversation: Conversation,
        hasLink: Bool,
        _ step: inout Step
    ) {
        let (device, number) = (new.device, conversation.number)
        let generations = conversation.generations
        var new = new
        // Only cards tell of persons.
        if hasLink { new.person = known[number]?[device]?.person }
        let before = known[number]?[device].map { generations.number(of: $0.generation) } ?? 0
        guard before <= generations.number(of: new.generation) else { return }
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
        guard conversation.role == .writer,
            let creator = conversation.generations.birth?.creator
        else { return false }
        return self[conversation.number].path(to: device, from: creator, using: crypto) == nil
    }

    /// Admits a writer to whom no path of admissions leads, as links with the keys name no inviter.
    mutating func admit(
        writer device: DeviceID,
        to conversation: Conversation,
        _ links: inout LinkTable,
        _ step: inout Step,
        _ crypto: some Cryptography
    ) {
        let number = conversation.number
        let creator = conversation.generations.birth?.creator
        let path = self[number].path(to: conversation.device, from: creator, using: crypto)
        guard known[number]?[device]?.role == .writer,
            path.map({ $0.count < Limits.admissionSteps }) ?? false,
            self[number].path(to: device, from: creator, using: crypto) == nil,
            let admission = admit(device, as: .writer, conversation, &step, crypto)
        else { return }
        step.deliver(.admissions(conversation: number))
        pass([.admission(admission)], in: number, besides: nil, &links)
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
        let path = self[conversation.number].path(
            to: conversation.device,
            from: conversation.generations.birth?.creator,
            using: crypto
        )
        guard let path, conversation.generations.birth != nil else { throw .notAdmitted }
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
                ? highest(stays, of: conversation, crypto) : stays,
            seed: seed,
            ephemeral: ephemeral
        )
    }

    /// The devices for which a record has places: this one, then writers by rank, readers, relays.
    ///
    /// A member can invent devices with its own rights, and below its own rank. They must not keep
    /// others from throwing it out.
    private func highest(
        _ devices: [KnownDevice],
        of conversation: Conversation,
        _ crypto: some Cryptography
    ) -> [KnownDevice] {
        let lowest = MemberRank(
            numbers: Array(repeating: .max, count: Limits.admissionSteps + 1),
            device: conversation.device
        )
        let places = devices.map { known in
            let rank =
                known.role == .writer ? rank(of: known.device, in: conversation, crypto) : nil
            return (known: known, rank: rank ?? lowest, isOwn: known.device == conversation.device)
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
        let own = rank(of: conversation.device, in: conversation, crypto)
        return list(conversation, crypto).map(\.device).filter { device in
            guard removals.contains(device), let own else { return false }
            return rank(of: device, in: conversation, crypto).map { own < $0 } ?? true
        }
    }

    /// The rank of a device, as far as its admissions are known here.
    package func rank(
        of device: DeviceID,
        in conversation: Conversation,
        _ crypto: some Cryptography
    ) -> MemberRank? {
        let creator = conversation.generations.birth?.creator
        return self[conversation.number].path(to: device, from: creator, using: crypto)
            .map { MemberRank(numbers: $0.map(\.number), device: device) }
    }
}
