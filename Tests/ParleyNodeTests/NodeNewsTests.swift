import ParleyCore
import ParleyKeys
import ParleyNode
import Testing

/// What a node says of the deliveries of its machine, and of pairings.
@Suite struct NodeNewsTests {
    private let lines = LogLines()
    private let key = DeviceKey(seed: Bytes32(1, 0, 0, 0))
    private let machine: NodeMachine
    private var news: NodeNews
    private let events: NodeEvents

    init() {
        machine = NodeMachine(key)
        news = NodeNews(device: key.id, log: lines.output)
        let (events, listener) = NodeEvents.make()
        self.events = events
        _ = news.listeners.add(listener)
    }

    private mutating func heard() async -> [NodeEvent] {
        news.listeners.finish()
        return await events.reduce(into: []) { $0.append($1) }
    }

    @Test mutating func aCopyOfThisDeviceIsToldToAll() async {
        let (own, other) = (key.id, DeviceKey(seed: Bytes32(2, 0, 0, 0)).id)
        for (device, address) in [(own, "192.0.2.1:9"), (other, "192.0.2.2:9")] {
            news.happened(.duplicateIdentity(device: device, address: address), in: machine)
        }
        #expect(news.symptoms.copy == "192.0.2.1:9", "the other copies are not this node's")
        #expect(lines.take().count { $0.contains("duplicate identity") } == 2)
        #expect(
            await heard() == [
                .duplicateIdentity(device: own.text, address: "192.0.2.1:9"),
                .duplicateIdentity(device: other.text, address: "192.0.2.2:9"),
            ]
        )
    }

    @Test mutating func whatAnybodyCausesInAnOpenConversationFillsNoLog() {
        for number in 0..<1_000 {
            let dot = Dot(origin: OriginID(Bytes16(UInt64(number), 0)), sequence: 1)
            let delivery = Delivery.equivocation(conversation: 1, tag: SessionTag(.zero), dot)
            news.happened(delivery, in: machine)
        }
        #expect(lines.take().count == LogGate.strangersPerMinute)
    }

    @Test mutating func theEndOfAnEarlierPairingIsNoNews() async {
        let asked = PairingState(id: "1", device: "AAAA", name: nil, stage: .waiting)
        let ended = PairingState(id: "1", device: "AAAA", name: nil, stage: .ended(.cancelled))
        news.paired(asked, isUnderWay: true)
        news.paired(ended, isUnderWay: true)
        #expect(news.pairings.all(with: []) == [asked])
        news.paired(ended, isUnderWay: false)
        #expect(news.pairings.all(with: []) == [ended])
        #expect(await heard() == [.pairing(asked), .pairing(ended)])
    }
}
