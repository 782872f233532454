import ParleyCore
import Testing

/// Requests that wait to hear how many nodes have their message.
struct AudienceTests {
    /// Request 1 waits for position 5 of conversation 1, request 2 for position 8 of the same, and
    /// request 3 for position 5 of conversation 2.
    private func audience() -> Audience {
        var audience = Audience()
        audience.follow(RequestID(1), conversation: 1, position: 5)
        audience.follow(RequestID(2), conversation: 1, position: 8)
        audience.follow(RequestID(3), conversation: 2, position: 5)
        return audience
    }

    @Test(arguments: [
        Confirming([Stored(1, 4)], [[]]),
        Confirming([Stored(1, 5)], [[Heard(1, 1)]]),
        Confirming([Stored(1, 7)], [[Heard(1, 1)]]),
        Confirming([Stored(1, 8)], [[Heard(1, 1), Heard(2, 1)]]),
        Confirming([Stored(2, 9)], [[Heard(3, 1)]]),
        Confirming([Stored(3, 9)], [[]]),
        // Each device counts once, however often it confirms.
        Confirming([Stored(1, 5), Stored(1, 6)], [[Heard(1, 1)], []]),
        Confirming([Stored(1, 5), Stored(1, 8)], [[Heard(1, 1)], [Heard(2, 1)]]),
        Confirming(
            [Stored(1, 5), Stored(1, 8, by: 2), Stored(1, 8, by: 1)],
            [[Heard(1, 1)], [Heard(1, 2), Heard(2, 1)], [Heard(2, 2)]]
        ),
    ])
    func devicesAreCounted(_ confirming: Confirming) {
        var audience = audience()
        for (stored, heard) in zip(confirming.stored, confirming.heard) {
            let deliveries = audience.stored(
                stored.conversation,
                upTo: stored.position,
                by: DeviceID(number: stored.device),
                at: .start
            )
            #expect(self.heard(deliveries) == heard)
        }
    }

    @Test func nobodyHearsOfAForgottenRequest() {
        var audience = audience()
        audience.forget(RequestID(1))
        let deliveries = audience.stored(1, upTo: 9, by: DeviceID(number: 1), at: .start)
        #expect(heard(deliveries) == [Heard(2, 1)])
    }

    /// The oldest of more than 4,096 is let go.
    @Test func oldestIsLetGo() {
        var audience = Audience()
        for request in 1...UInt64(4_096) {
            audience.follow(RequestID(request), conversation: 1, position: request)
        }
        let first = audience.stored(1, upTo: 1, by: DeviceID(number: 1), at: .start)
        #expect(heard(first) == [Heard(1, 1)])
        audience.follow(RequestID(5_000), conversation: 1, position: 1)
        let deliveries = audience.stored(1, upTo: 2, by: DeviceID(number: 2), at: .start)
        #expect(heard(deliveries) == [Heard(2, 1), Heard(5_000, 1)])
    }

    // MARK: Blobs

    private static let blob = BlobReference(id: BlobID(number: 1), size: 100_000)
    private static let other = BlobReference(id: BlobID(number: 2), size: 4 << 20)

    /// Who has confirmed a message is asked for its blobs, less and less often.
    @Test func aPeerIsAskedForTheBlobs() {
        var audience = Audience()
        audience.follow(RequestID(1), conversation: 1, position: 5, blobs: [Self.blob, Self.other])
        let device = DeviceID(number: 1)
        #expect(audience.deadline == nil)
        #expect(audience.stored(1, upTo: 5, by: device, at: .start).isEmpty)
        #expect(audience.stored(1, upTo: 6, by: device, at: .start).isEmpty)
        var moments: [Int64] = []
        while let due = audience.deadline, moments.count < 14 {
            moments.append((due - .start).milliseconds)
            let asks = audience.asks(at: due)
            // Behind the end of the first one, and at the end of the longest one.
            #expect(asks.map(\.chunks) == [[2], [63]])
        }
        #expect(moments.prefix(4) == [50, 100, 200, 400])
        #expect(moments[13] - moments[12] == 64_000)
        #expect(heard(audience.has(Self.other.id, device)).isEmpty)
        #expect(heard(audience.has(Self.other.id, DeviceID(number: 2))).isEmpty)
        #expect(audience.asks(at: audience.deadline ?? .start).map(\.blob) == [Self.blob.id])
        #expect(heard(audience.has(Self.blob.id, device)) == [Heard(1, 1)])
        #expect(audience.deadline == nil)
        #expect(audience.stored(1, upTo: 7, by: device, at: .start).isEmpty)
        #expect(audience.deadline == nil)
    }

    @Test(arguments: [(false, true), (true, false)])
    func nobodyIsAskedInVain(isLinked: Bool, isListed: Bool) {
        var audience = Audience()
        audience.follow(RequestID(1), conversation: 1, position: 5, blobs: [Self.blob])
        _ = audience.stored(1, upTo: 5, by: DeviceID(number: 1), at: .start)
        let asks = audience.asks(
            at: audience.deadline ?? .start,
            isLinked: isLinked,
            isListed: isListed
        )
        #expect(asks.isEmpty)
        #expect(audience.deadline == nil)
    }

    @Test func nobodyIsAskedForAForgottenRequest() {
        var audience = Audience()
        audience.follow(RequestID(1), conversation: 1, position: 5, blobs: [Self.blob])
        _ = audience.stored(1, upTo: 5, by: DeviceID(number: 1), at: .start)
        audience.forget(RequestID(1))
        #expect(audience.deadline == nil)
    }

    private func heard(_ deliveries: [Delivery]) -> [Heard] {
        deliveries.compactMap { delivery in
            if case .linked(let request, let nodes) = delivery {
                Heard(request.value, nodes)
            } else {
                nil
            }
        }
    }

    /// A request hears of so many nodes.
    struct Heard: Sendable, Equatable {
        let request: UInt64
        let nodes: Int

        init(_ request: UInt64, _ nodes: Int) {
            self.request = request
            self.nodes = nodes
        }
    }

    struct Stored: Sendable {
        let conversation: UInt32
        let position: UInt64
        let device: UInt64

        init(_ conversation: UInt32, _ position: UInt64, by device: UInt64 = 1) {
            self.conversation = conversation
            self.position = position
            self.device = device
        }
    }

    struct Confirming: Sendable {
        let stored: [Stored]
        let heard: [[Heard]]

        init(_ stored: [Stored], _ heard: [[Heard]]) {
            self.stored = stored
            self.heard = heard
        }
    }
}

extension Audience {
    fileprivate mutating func asks(
        at now: Moment,
        isLinked: Bool = true,
        isListed: Bool = true
    ) -> [BlobExchange.Ask] {
        asks(
            at: now,
            isLinked: { _ in isLinked },
            isListed: { _, _ in isListed },
            link: { _, _ in LinkID(1) }
        )
    }
}
