import ParleyCore
import Testing

/// What is on its way to one peer, and when the kernel is asked whether it took it.
struct OutboxTests {
    private func bytes(_ count: Int, _ value: UInt8) -> [UInt8] {
        [UInt8](repeating: value, count: count)
    }

    @Test func framesOfOneStepAreOnePiece() {
        var outbox = Outbox()
        outbox.append(.ping(1))
        outbox.append(.pong(2))
        var expected: [UInt8] = []
        Frame.ping(1).append(to: &expected)
        Frame.pong(2).append(to: &expected)
        let pieces = [outbox.take(), outbox.take()]
        #expect(pieces == [[expected], []])
    }

    @Test(arguments: [
        // Below 4 KiB shared frames are copied to what is around them.
        Sharing(4_095, pieces: [1 + 4_095 + 1]),
        Sharing(4_096, pieces: [1, 4_096, 1]),
    ])
    func longSharedFramesStandAlone(_ sharing: Sharing) {
        var outbox = Outbox()
        outbox.bytes += bytes(1, 1)
        outbox.append(shared: bytes(sharing.count, 2))
        outbox.bytes += bytes(1, 3)
        #expect(outbox.pending == sharing.count + 2)
        let pieces = outbox.take()
        #expect(pieces.map(\.count) == sharing.pieces)
        #expect(pieces.flatMap(\.self) == bytes(1, 1) + bytes(sharing.count, 2) + bytes(1, 3))
    }

    struct Sharing: Sendable {
        let count: Int
        let pieces: [Int]

        init(_ count: Int, pieces: [Int]) {
            self.count = count
            self.pieces = pieces
        }
    }

    /// What was handed over counts until the kernel has taken all.
    @Test func handedOverBytesStayPending() {
        var outbox = Outbox()
        #expect(outbox.pending == 0)
        outbox.bytes += bytes(10, 1)
        #expect(outbox.pending == 10)
        _ = outbox.take()
        #expect(outbox.pending == 10)
        outbox.append(shared: bytes(5_000, 1))
        #expect(outbox.pending == 5_010)
        _ = outbox.take()
        #expect(outbox.pending == 5_010)
        outbox.drained()
        #expect(outbox.pending == 0)
    }

    @Test(arguments: [
        Draining(handedOver: 0, limit: 0, asks: false),
        Draining(handedOver: 0, limit: 1_000, isAwaiting: true, asks: false),
        Draining(handedOver: 499, limit: 1_000, asks: false),
        Draining(handedOver: 499, limit: 1_000, isAwaiting: true, asks: true),
        Draining(handedOver: 500, limit: 1_000, asks: true),
        // What is not handed over yet does not count.
        Draining(handedOver: 499, gathered: 100, limit: 1_000, asks: false),
        // No limit is above 4 MiB.
        Draining(handedOver: 2 << 20, limit: .max, asks: true),
        Draining(handedOver: (2 << 20) - 1, limit: .max, asks: false),
    ])
    func asksOnceHalfTheLimitIsOnItsWay(_ draining: Draining) {
        var outbox = Outbox()
        outbox.bytes = bytes(draining.handedOver, 1)
        _ = outbox.take()
        outbox.bytes = bytes(draining.gathered, 1)
        outbox.isAwaitingCapacity = draining.isAwaiting
        let asks = (0..<2).map { _ in outbox.asksForDrain(limit: draining.limit) }
        #expect(asks == [draining.asks, false], "it asks once")
        outbox.drained()
        #expect(!outbox.isAwaitingCapacity)
        outbox.bytes = bytes(draining.handedOver, 1)
        _ = outbox.take()
        outbox.isAwaitingCapacity = draining.isAwaiting
        let asksAgain = outbox.asksForDrain(limit: draining.limit)
        #expect(asksAgain == draining.asks)
    }

    struct Draining: Sendable {
        let handedOver: Int
        var gathered = 0
        let limit: Int
        var isAwaiting = false
        let asks: Bool
    }
}
