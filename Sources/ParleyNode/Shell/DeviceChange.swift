import ParleyCore
import ParleyKeys

/// The data directory had another device's key at the last start.
struct DeviceChange: Sendable {
    /// The other device; nil if unknown, because an earlier version wrote the directory.
    let previous: DeviceID?
}

extension Recovery {
    /// Renews everything that follows from another key than `key`: certificates, and the epoch.
    ///
    /// Cursors, addresses and names belong to peers and stay valid; participants and origins are
    /// derived on demand. Signatures of another key remain that device's.
    ///
    /// - Returns: nil if nothing followed from another key.
    mutating func adapt(to key: DeviceKey) -> DeviceChange? {
        guard device != key.id else { return nil }
        let previous = device
        var isChanged = previous != nil
        corrections.append(.device(key.id))
        for index in conversations.indices {
            corrections += conversations[index].takePresentKeys(for: key)
            if let record = conversations[index].record.certified(for: key.id) {
                conversations[index].record = record
                corrections.append(.conversation(record))
                isChanged = true
            }
        }
        device = key.id
        guard isChanged else { return nil }
        epoch = nil
        return DeviceChange(previous: previous)
    }
}

extension ConversationRecord {
    /// The record with a certificate of `device`; nil if certified already, or not a writer's.
    fileprivate func certified(for device: DeviceID) -> ConversationRecord? {
        if let certificate, capability.hasCertified(device, by: certificate) { return nil }
        // Readers and relays have no certificate.
        guard let renewed = try? capability.certify(device) else { return nil }
        return with(capability, renewed)
    }

    fileprivate func with(
        _ capability: Capability,
        _ certificate: Signature?
    ) -> ConversationRecord {
        ConversationRecord(
            number: number,
            id: id,
            name: name,
            isOpen: isOpen,
            capability: capability,
            certificate: certificate
        )
    }
}

extension RecoveredConversation {
    /// Makes the present keys those of joining, as no change of keys has listed another device; if
    /// the keys never changed, certifies the devices of origins.
    ///
    /// - Returns: the changes to write.
    fileprivate mutating func takePresentKeys(for key: DeviceKey) -> [StoreWrite] {
        let conversation = ParleyCore.Conversation(
            recovered: self,
            device: key.id,
            epoch: Epoch(0),
            limits: Limits(),
            using: DeviceCryptography(key)
        )
        let generations = conversation.generations
        guard generations.current != generations.rootGeneration else {
            return generations.arePlain ? certifyOrigins() : []
        }
        guard conversation.standing == .member, let birth = generations.birth else { return [] }
        record = record.with(conversation.record.capability, nil)
        let bytes = Slice(birth.packed)
        members[.birth] = bytes
        return [
            .conversation(record), .member(conversation: record.number, .birth, bytes),
        ]
    }

    /// Certifies the devices of origins that have the certificate of another device.
    ///
    /// Earlier versions stored such certificates after the key had changed, and peers refuse them.
    ///
    /// - Returns: the changes to write.
    fileprivate mutating func certifyOrigins() -> [StoreWrite] {
        var writes: [StoreWrite] = []
        for (id, origin) in origins.sorted(by: { $0.key < $1.key }) {
            let device = DeviceID(publicKey: origin.deviceKey)
            // The guests of a lost key stay the guests of the device that had the key.
            guard origin.host == nil,
                !record.capability.hasCertified(device, by: origin.certificate),
                let certificate = try? record.capability.certify(device)
            else { continue }
            let renewed = OriginRecord(
                deviceKey: origin.deviceKey,
                epoch: origin.epoch,
                certificate: certificate
            )
            origins[id] = renewed
            writes.append(.origin(conversation: record.number, id, renewed))
        }
        return writes
    }
}
