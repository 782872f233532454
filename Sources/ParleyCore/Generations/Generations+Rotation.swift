/// Why the keys of a conversation were not changed.
package enum RotationRefusal: Error, Sendable, Equatable {
    case unknownConversation
    /// Everybody can derive the keys of an open conversation.
    case open
    /// Only writers change keys.
    case readOnly
    /// This node has no keys to begin with.
    case notMember(Generations.Standing)
    /// No path of admissions leads from the creator to this device, as far as is known here.
    case notAdmitted
    /// The keys were changed without this device, by somebody who stands higher.
    case lower
    /// Not among the members: perhaps gone already.
    case unknownDevice(DeviceID)
    /// This device cannot throw itself out.
    case ownDevice
    case storeFull
}

/// The parts of other keys that are drawn or looked up beforehand.
package struct RotationTerms {
    /// The generation before.
    let parent: GenerationID
    /// The admissions from the creator down to this device.
    let path: [Admission]
    /// The staying devices, but for devices without a usable key.
    package let stays: [KnownDevice]
    /// The new S.
    let seed: Bytes32
    /// The secret half of the key for the boxes.
    let ephemeral: Bytes32

    package init(
        parent: GenerationID,
        path: [Admission],
        stays: [KnownDevice],
        seed: Bytes32,
        ephemeral: Bytes32
    ) {
        self.parent = parent
        self.path = path
        self.stays = stays
        self.seed = seed
        self.ephemeral = ephemeral
    }
}

extension Generations {
    /// The latest generation with this device as a member, from which the device may change keys;
    /// `path` has the admissions down to the device.
    func parentOfRotation(by path: [Admission], using crypto: some Cryptography) -> GenerationID? {
        guard let rootGeneration, let birth else { return nil }
        let device = DeviceID(publicKey: crypto.devicePublicKey, using: crypto)
        let house = MemberRank.house(of: device, by: path, from: birth.creator)
        return ([first] + line)
            .last {
                ($0 == rootGeneration || secrets[$0] != nil)
                    && isMember(ownListing, certifiedBy: rootGeneration, of: $0)
                    && hasPlace(for: house, behind: $0)
            }
    }

    /// Makes a generation, and adds it.
    ///
    /// - Returns: its ID, with the record and the boxes.
    package mutating func rotate(
        by terms: RotationTerms,
        using crypto: some Cryptography
    ) throws(RotationRefusal) -> (id: GenerationID, record: GenerationRecord, boxes: KeyBoxes) {
        let parent = terms.parent
        let seed = parent == rootGeneration ? root.writerSeed : secrets[parent]
        let readKeys = ReadKeys(of: self, using: crypto)
        let readKey = readKeys.keys[parent]
        guard root.role == .writer, let seed, let readKey else { throw .readOnly }
        let writeSeed = Capability.writeSeed(terms.seed, using: crypto)
        let new = Capability(
            terms.seed,
            as: .writer,
            publicWriteKey: crypto.publicKey(ofSeed: writeSeed),
            using: crypto
        )
        let (listings, boxes) = boxes(of: new, from: parent, terms, using: crypto)
        guard let newReadKey = new.readKey else { throw .readOnly }
        let earlier = EarlierKeys(
            ofParent: readKey,
            further: readKeys.further(behind: parent, for: listings, using: crypto)
        )
        let statement = GenerationRecord.Statement(
            conversation: conversation,
            parent: parent,
            number: number(of: parent) + 1,
            publicWriteKey: new.publicWriteKey,
            author: crypto.devicePublicKey,
            path: terms.path,
            stays: listings,
            earlier: earlier.sealed(under: newReadKey, using: crypto),
            check: GenerationRecord.Statement.check(newReadKey, using: crypto),
            boxes: crypto.sha256(boxes.packed)
        )
        let id = statement.id(using: crypto)
        let signed = GenerationRecord.signedBytes(id)
        let record = GenerationRecord(
            statement: statement,
            writeSignature: crypto.sign(
                signed.span.bytes,
                bySeed: Capability.writeSeed(seed, using: crypto)
            ),
            deviceSignature: crypto.sign(signed.span.bytes)
        )
        guard (try? add(record, boxes, using: crypto)) != nil else { throw .notAdmitted }
        secrets[id] = terms.seed
        settle(using: crypto)
        guard line.contains(id) else { throw .lower }
        return (id, record, boxes)
    }

    /// The boxes with new keys, and the listings of those who have one.
    private func boxes(
        of new: Capability,
        from parent: GenerationID,
        _ terms: RotationTerms,
        using crypto: some Cryptography
    ) -> (listings: [Bytes16], boxes: KeyBoxes) {
        let boxTerms = BoxTerms(
            conversation: conversation,
            parent: parent,
            publicWriteKey: new.publicWriteKey,
            ephemeral: crypto.agreementKey(of: terms.ephemeral)
        )
        var boxes: [(listing: Bytes16, box: KeyBoxes.Box)] = []
        for known in terms.stays.prefix(Limits.stayingDevices) {
            guard let secret = new.secret(of: known.role),
                let box = boxTerms.box(
                    secret,
                    for: known.key,
                    as: known.role,
                    by: terms.ephemeral,
                    using: crypto
                )
            else { continue }
            let listing = known.device.listing(in: conversation, as: known.role, using: crypto)
            boxes.append((listing, box))
        }
        boxes.sort { $0.listing < $1.listing }
        let packed = KeyBoxes(ephemeral: boxTerms.ephemeral, boxes: boxes.map(\.box))
        return (boxes.map(\.listing), packed)
    }
}
