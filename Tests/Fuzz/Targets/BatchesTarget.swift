import ParleyCore

/// The body of a batch frame: envelopes that share a signature.
struct BatchesTarget: FuzzTarget {
    // Each envelope of a batch is given out with a copy of its path.
    var heapFactor: Int? { 24 }

    func run(_ bytes: [UInt8]) {
        guard var batch = try? BatchFrame(decoding: Slice(bytes)) else { return }
        var writer = BatchFrameWriter(conversation: 0)
        var frames: [EnvelopeFrame] = []
        while let raw = (try? batch.next()) ?? nil {
            guard let frame = try? EnvelopeFrame(decoding: raw.body) else { break }
            frames.append(frame)
            guard let envelope = try? Envelope(decoding: frame.envelope) else { continue }
            writer.append(
                .whole(frame.envelope),
                proofStart: envelope.proofStart,
                hops: frame.hops,
                position: frame.position
            )
        }
        // What is packed again is unpacked to the same.
        let legal = frames.filter { (try? Envelope(decoding: $0.envelope)) != nil }
        var parser = FrameParser()
        parser.append(Slice(writer.finish()))
        for frame in legal {
            let raw = (try? parser.next(frameBytesMax: Limits.frameBytes)) ?? nil
            let again = raw.flatMap { try? EnvelopeFrame(decoding: $0.body) }
            promise(again?.envelope == frame.envelope, "a batch that is packed again is another")
            promise(again?.position == frame.position, "a position of a batch changes")
        }
    }
}
