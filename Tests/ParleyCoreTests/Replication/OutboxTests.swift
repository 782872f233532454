import ParleyCore
import Testing

/// An outbox counts the bytes on their way to one peer, and asks the kernel about them.
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

    /// Bytes that were handed over count until the kernel has taken all.
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
        // Bytes that are not handed over yet do not count.
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

    // MARK: Expectations of the peer

    /// Something is appended to an outbox that may send 1,000 bytes of envelopes.
    struct Appending: Sendable, CustomTestStringConvertible {
        let name: String
        /// The result: what the peer has to do, and how many envelopes and bytes count.
        var expectation = Outbox.Expectation.nothing
        var envelopes = 0
        var creditBytes: UInt64 = 0
        let append: @Sendable (inout Outbox) -> Void

        var testDescription: String { name }

        static let all = [
            Appending(name: "nothing") { _ in },
            Appending(name: "a frame") { $0.append(.pong(1)) },
            Appending(name: "short shared frames") { $0.append(shared: [1, 2, 3]) },
            Appending(name: "long shared frames") {
                $0.append(shared: [UInt8](repeating: 1, count: 5_000))
            },
            Appending(name: "entries that are confirmed", expectation: .answer) {
                $0.expect(.answer)
            },
            Appending(name: "entries that nobody confirms", expectation: .receipt) {
                $0.expect(.receipt)
            },
            Appending(name: "both", expectation: .answer) {
                $0.expect(.answer)
                $0.expect(.receipt)
            },
            Appending(
                name: "an envelope",
                expectation: .answer,
                envelopes: 1,
                creditBytes: 1_000
            ) { $0.appended(envelopes: 1, creditBytes: 1_000) },
            Appending(
                name: "envelopes, and envelopes",
                expectation: .answer,
                envelopes: 5,
                creditBytes: 350
            ) {
                $0.appended(envelopes: 2, creditBytes: 300)
                $0.appended(envelopes: 3, creditBytes: 50)
            },
            Appending(
                name: "an envelope that was handed over and taken",
                expectation: .answer,
                envelopes: 1,
                creditBytes: 10
            ) {
                $0.appended(envelopes: 1, creditBytes: 10)
                _ = $0.take()
                $0.drained()
            },
        ]
    }

    @Test(arguments: Appending.all)
    func appendedEnvelopesAreCountedOnce(_ appending: Appending) {
        var outbox = Outbox()
        outbox.credit.envelopeLimit = 1_000
        appending.append(&outbox)
        let expectations = (0..<2).map { _ in outbox.takeExpectation() }
        #expect(expectations == [appending.expectation, .nothing], "it is asked once")
        let envelopes = (0..<2).map { _ in outbox.takeEnvelopesAppended() }
        #expect(envelopes == [appending.envelopes, 0], "they are counted once")
        #expect(outbox.credit.envelopesSent == appending.creditBytes)
        let left = 1_000 - Int(appending.creditBytes)
        #expect(outbox.credit.allowsEnvelope(left))
        #expect(!outbox.credit.allowsEnvelope(left + 1))
    }
}
