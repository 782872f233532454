import ParleyCore
import ParleyFaults
import Testing

/// Checkers see the frames of a send as the peer does.
@Suite struct SentFramesTests {
    private let table = SimulatedConversation(1)

    /// Reads every send in both ways.
    private final class Reading: Checker {
        static let watches: WorldEvent.Kinds = .sent
        var differing = 0
        var envelopes = 0
        var batches = 0
        var sends = 0

        func observe(_ event: WorldEvent, in world: World) {
            guard case .sent(_, _, _, let bytes) = event else { return }
            var parser = FrameParser()
            parser.append(bytes)
            var parsed: [RawFrame] = []
            while let frame = try? parser.next(frameBytesMax: Limits.frameBytes) {
                parsed.append(frame)
            }
            let frames = Array(SentFrames(bytes))
            if frames != parsed || parser.bufferedBytes > 0 { differing += 1 }
            envelopes += frames.count { $0.type == FrameType.envelope.rawValue }
            sends += 1
            batches += Self.batches(in: bytes)
        }

        private static func batches(in bytes: Slice) -> Int {
            var (count, offset) = (0, 0)
            while offset < bytes.count {
                let header = FrameHeader(reading: bytes, at: offset)
                if header.type == BatchFrame.type { count += 1 }
                offset += FrameHeader.count + header.length
            }
            return count
        }
    }

    @Test func framesAreReadAsTheParserReadsThem() {
        let world = World(nodes: 3)
        let reading = Reading()
        world.watch(with: [reading])
        world.join(table, [0, 1, 2])
        world.run(.seconds(1))
        for round in 0..<4 {
            let drafts = (0..<30).map { World.Draft(session: "s\($0)", text: "round \(round)") }
            _ = world.send(drafts, by: round % 3, in: table)
            world.run(.seconds(1))
        }
        #expect(reading.differing == 0)
        #expect(reading.sends > 50)
        #expect(reading.batches >= 4)
        #expect(reading.envelopes >= 2 * 4 * 30, "each goes to two others")
    }

    /// The bytes of a later version or a Byzantine node may end anywhere.
    @Test func whatIsNotWholeIsNoFrame() {
        var bytes: [UInt8] = []
        Frame.ping(7).append(to: &bytes)
        let whole = bytes.count
        Frame.ping(8).append(to: &bytes)
        for end in 0..<bytes.count {
            let frames = Array(SentFrames(Slice(Array(bytes[..<end]))))
            #expect(frames.count == (end < whole ? 0 : 1), "\(end) bytes")
        }
    }
}
