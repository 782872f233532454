import ParleyCore

/// The content of `Tests/Vectors/frames.json`: one frame of every kind, and frames that every
/// reader refuses.
struct FrameVectors: Codable, Equatable {
    var frames: [Entry]
    /// The encoding of each is right, and its content breaks one rule.
    ///
    /// `goodbye` says how it is refused.
    var refused: [Entry]
    /// The envelopes of the batch in `envelope.json` in one frame.
    var batch: Batch

    struct Batch: Codable, Equatable {
        var type: UInt8
        /// The `envelope` frames that it stands for.
        var envelopes: [Member]
        /// Header and body as they are sent.
        var bytes: String
    }

    struct Member: Codable, Equatable {
        /// The index in `envelopes` of `envelope.json`.
        var envelope: Int
        var prefix: Prefix
    }

    struct Entry: Codable, Equatable {
        var name: String
        var type: UInt8
        /// The one item of the body; nil for an envelope frame.
        var body: Item?
        /// The prefix of an envelope frame.
        var prefix: Prefix?
        /// The reason with which a frame is refused; nil for one that is legal.
        var goodbye: String?
        /// Header and body as they are sent.
        var bytes: String
    }

    struct Prefix: Codable, Equatable {
        var conversation: UInt32
        var hops: UInt8
        var position: UInt64
    }

    init(_ world: World) throws {
        frames = try SampleFrame.all(world).map(Entry.init)
        refused = try RefusedFrame.all.map(Entry.init)
        batch = try Batch(world)
    }
}

extension FrameVectors.Batch {
    private static let conversation: UInt32 = 1

    fileprivate init(_ world: World) throws {
        let vectors = try EnvelopeVectors(world)
        var writer = BatchFrameWriter(conversation: Self.conversation, capacity: 0)
        envelopes = []
        for (number, index) in vectors.batch.envelopes.enumerated() {
            let prefix = FrameVectors.Prefix(
                conversation: Self.conversation,
                hops: UInt8(number),
                position: UInt64(41 + number)
            )
            let envelope = try Envelope(
                decoding: Slice(try VectorTests.bytes(vectors.envelopes[index].envelope))
            )
            writer.append(
                .whole(envelope.bytes),
                proofStart: envelope.proofStart,
                hops: prefix.hops,
                position: prefix.position
            )
            envelopes.append(FrameVectors.Member(envelope: index, prefix: prefix))
        }
        type = BatchFrame.type
        bytes = Hexadecimal.text(writer.finish())
    }
}

extension FrameVectors.Entry {
    fileprivate init(_ frame: RefusedFrame) throws {
        name = frame.name
        type = frame.type.rawValue
        body = frame.body
        goodbye = "\(frame.goodbye)"
        bytes = Hexadecimal.text(try frame.bytes)
    }

    fileprivate init(_ sample: SampleFrame) {
        var buffer: [UInt8] = []
        sample.frame.append(to: &buffer)
        name = sample.name
        type = sample.frame.type.rawValue
        body = sample.body
        if case .envelope(let frame) = sample.frame {
            prefix = FrameVectors.Prefix(
                conversation: frame.conversation,
                hops: frame.hops,
                position: frame.position
            )
        }
        bytes = Hexadecimal.text(buffer)
    }
}
