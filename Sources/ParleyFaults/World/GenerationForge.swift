package import ParleyCore

/// Makes generation records and vouches by hand, as a device with the keys of a generation can.
package struct GenerationForge {
    package let crypto: SimulatedCryptography
    package let table: SimulatedConversation
    /// The admissions from the creator down to the device.
    package let path: [Admission]

    package init(
        _ crypto: SimulatedCryptography,
        _ table: SimulatedConversation,
        path: [Admission] = []
    ) {
        self.crypto = crypto
        self.table = table
        self.path = path
    }

    package var device: DeviceID { DeviceID(publicKey: crypto.devicePublicKey, using: crypto) }

    /// S of the birth generation.
    package var birthSeed: Bytes32 { table.capability(.writer).writerSeed ?? .zero }

    /// The forge of a device that this one lets in.
    package func admitting(_ other: SimulatedCryptography, number: UInt32) -> GenerationForge {
        let device = DeviceID(publicKey: other.devicePublicKey, using: other)
        let signed = Admission.signedBytes(for: device, as: .writer, number: number, in: table.id)
        let admission = Admission(
            inviterKey: crypto.devicePublicKey,
            device: device,
            role: .writer,
            number: number,
            signature: crypto.sign(signed.span.bytes)
        )
        return GenerationForge(other, table, path: path + [admission])
    }

    /// A generation with this S behind a parent, which has an S and a number; nobody can open the
    /// boxes.
    package func record(
        behind parent: (id: GenerationID, seed: Bytes32, number: UInt32),
        seed: Bytes32,
        stays: [DeviceID]
    ) -> (record: GenerationRecord, boxes: KeyBoxes?) {
        let packed = [UInt8](repeating: 3, count: Bytes32.count + 49 * stays.count)
        let boxes = KeyBoxes(packed: Slice(packed))
        let writeSeed = Capability.writeSeed(seed, using: crypto)
        let statement = GenerationRecord.Statement(
            conversation: table.id,
            parent: parent.id,
            number: parent.number + 1,
            publicWriteKey: crypto.publicKey(ofSeed: writeSeed),
            author: crypto.devicePublicKey,
            path: path,
            stays: stays.map { $0.listing(in: table.id, using: crypto) }.sorted(),
            earlier: Slice([UInt8](repeating: 1, count: Limits.earlierBytes)),
            check: .zero,
            boxes: crypto.sha256(packed)
        )
        let signed = GenerationRecord.signedBytes(statement.id(using: crypto))
        let parentSeed = Capability.writeSeed(parent.seed, using: crypto)
        let record = GenerationRecord(
            statement: statement,
            writeSignature: crypto.sign(signed.span.bytes, bySeed: parentSeed),
            deviceSignature: crypto.sign(signed.span.bytes)
        )
        return (record, boxes)
    }
}
