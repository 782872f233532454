import ParleyCore
import ParleyFaults

extension SimulatedAuthor {
    /// The same messages with the proofs of one batch, signed by this device.
    func batch(_ envelopes: [Envelope]) throws -> [Envelope] {
        let digests = envelopes.map { $0.digest(in: table.id, using: crypto) }
        let tree = BatchTree(digests: digests, using: crypto)
        let signature = crypto.sign(BatchTree.signedBytes(root: tree.root).span.bytes)
        return try envelopes.indices.map {
            try envelopes[$0].with(tree.proof(at: $0, signature: signature))
        }
    }
}

extension [Envelope] {
    /// Frames of the conversation 0, in batch frames where the envelopes share a signature.
    func inBatchFrames(from position: UInt64 = 1) -> [UInt8] {
        var writer = BatchFrameWriter(conversation: 0, capacity: 0)
        for (number, envelope) in enumerated() {
            writer.append(
                .whole(envelope.bytes),
                proofStart: envelope.proofStart,
                hops: 0,
                position: position + UInt64(number)
            )
        }
        return writer.finish()
    }
}
