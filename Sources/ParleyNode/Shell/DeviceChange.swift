import ParleyCore
import ParleyKeys

/// The data directory had the key of another device at the last start.
struct DeviceChange: Sendable {
    /// That device; nil if the directory does not say, as an earlier version wrote it.
    let previous: DeviceID?
}

extension Recovery {
    /// Compares everything that follows from the key of the device with `key`, and makes anew what
    /// follows from another one: the certificates of a writer, and the epoch.
    ///
    /// Cursors, addresses and names are of peers, so they stay valid, and participants and origins
    /// are derived when they are needed. Signatures of another key stay that device's.
    ///
    /// - Returns: nil if the key is that of the last start.
    mutating func adapt(to key: DeviceKey) -> DeviceChange? {
        guard device != key.id else { return nil }
        let previous = device
        var isChanged = previous != nil
        corrections.append(.device(key.id))
        for index in conversations.indices {
            if let record = conversations[index].record.certified(for: key.id) {
                conversations[index].record = record
                corrections.append(.conversation(record))
                isChanged = true
            }
            corrections += conversations[index].certifyOrigins()
        }
        device = key.id
        guard isChanged else { return nil }
        epoch = nil
        return DeviceChange(previous: previous)
    }
}

extension ConversationRecord {
    /// This record with a certificate of `device`; nil if it has one, or is not that of a writer.
    fileprivate func certified(for device: DeviceID) -> ConversationRecord? {
        if let certificate, capability.hasCertified(device, by: certificate) { return nil }
        // Readers and relays have no certificate.
        guard let renewed = try? capability.certify(device) else { return nil }
        return ConversationRecord(
            number: number,
            id: id,
            name: name,
            isOpen: isOpen,
            capability: capability,
            certificate: renewed
        )
    }
}

extension RecoveredConversation {
    /// Certifies the devices of origins that have the certificate of another device: earlier
    /// versions wrote that down after the key had changed, and peers refuse it.
    ///
    /// - Returns: what has to be written.
    fileprivate mutating func certifyOrigins() -> [StoreWrite] {
        var writes: [StoreWrite] = []
        for (id, origin) in origins.sorted(by: { $0.key < $1.key }) {
            let device = DeviceID(publicKey: origin.deviceKey)
            guard !record.capability.hasCertified(device, by: origin.certificate),
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
