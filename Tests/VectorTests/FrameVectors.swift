import ParleyCore

/// What `Tests/Vectors/frames.json` holds: one frame of every kind, and frames that every reader
/// refuses.
struct FrameVectors: Codable, Equatable {
    var frames: [Entry]
    /// The encoding of each is right, and its content breaks one rule.
    var refused: [Entry]

    struct Entry: Codable, Equatable {
        var name: String
        var type: UInt8
        /// The one item of the body; nil for an envelope frame.
        var body: Item?
        /// The prefix of an envelope frame.
        var prefix: Prefix?
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
    }
}

extension FrameVectors.Entry {
    fileprivate init(_ frame: RefusedFrame) throws {
        name = frame.name
        type = frame.type.rawValue
        body = frame.body
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
