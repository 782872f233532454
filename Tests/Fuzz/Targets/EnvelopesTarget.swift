import ParleyCore

/// An envelope, its header, and both ways of reading one: alone, and as a part of a frame.
struct EnvelopesTarget: FuzzTarget {
    var heapFactor: Int? { 4 }

    func run(_ bytes: [UInt8]) {
        let slice = Slice(bytes)
        if let header = try? EnvelopeHeader(decoding: slice) {
            let again = try? EnvelopeHeader(decoding: Slice(header.encoded()))
            promise(again == header, "a header that is written is another one")
        }
        guard let envelope = try? Envelope(decoding: slice) else { return }
        let parts = Envelope.encode(
            headerBytes: envelope.headerBytes,
            body: envelope.body,
            proof: envelope.proof
        )
        promise(Slice(parts) == slice, "an envelope is more than its parts")
        var writer = BatchFrameWriter(conversation: 7)
        writer.append(.whole(slice), proofStart: envelope.proofStart, hops: 3, position: 9)
        var parser = FrameParser()
        parser.append(Slice(writer.finish()))
        let raw = try? parser.next(frameBytesMax: Limits.frameBytes)
        guard let raw, case .envelope(let frame)? = try? Frame(decoding: raw) else {
            end("broken: an envelope does not travel")
        }
        promise(frame.envelope == slice, "an envelope changes on its way")
        promise(frame.position == 9 && frame.hops == 3, "the place of an envelope changes")
    }
}
