import ParleyCore
import ParleyDiscovery
import ParleyNode
import ParleyTransport
import Testing

/// What follows from the events of discovery, and the words for its state.
@Suite struct NodeDiscoveryTests {
    private var discovery = NodeDiscovery(
        interfaces: [],
        device: DeviceID(Bytes32(1, 0, 0, 0)),
        name: "one"
    )

    private func service(_ address: [UInt8], port: UInt16 = 9, index: Int32 = 7)
        -> DiscoveredService
    {
        DiscoveredService("AAAAAAAAAAAAAAAA", index: index, address: address, port: port)
    }

    /// The addresses in the inputs, those that are lost with a minus sign.
    private func words(_ inputs: [NodeInput]) -> [String] {
        inputs.compactMap { input in
            switch input {
            case .addressFound(let found): found.text
            case .addressLost(let address): "-\(address)"
            default: nil
            }
        }
    }

    @Test mutating func aNodeThatMovesIsFoundBeforeItsOldAddressIsLost() throws {
        let (here, there) = (service([192, 0, 2, 1]), service([192, 0, 2, 2]))
        #expect(words(try discovery.heard(.found(here))) == ["192.0.2.1:9"])
        #expect(words(try discovery.heard(.found(here))) == ["192.0.2.1:9"])
        #expect(words(try discovery.heard(.found(there))) == ["192.0.2.2:9", "-192.0.2.1:9"])
        #expect(discovery.announced.all.map(\.address) == ["192.0.2.2:9"])
        let lost = DiscoveryEvent.lost(there.sighting, shortID: there.shortID, others: 0)
        #expect(words(try discovery.heard(lost)) == ["-192.0.2.2:9"])
        #expect(words(try discovery.heard(lost)).isEmpty)
    }

    @Test(
        arguments: [
            [0, 0, 0, 0], [224, 0, 0, 1], [255, 255, 255, 255], [127, 0, 0, 1],
        ] as [[UInt8]]
    )
    func anAddressOfNoOtherNodeIsRefused(address: [UInt8]) {
        var discovery = discovery
        #expect(throws: AddressError.self) {
            try discovery.heard(.found(service(address)))
        }
        #expect(discovery.announced.all.isEmpty)
    }

    @Test mutating func thisMachineAnnouncesItsLoopback() throws {
        let service = service([127, 0, 0, 1], index: Int32(LocalAddress.loopback))
        #expect(words(try discovery.heard(.found(service))) == ["127.0.0.1:9"])
    }

    @Test func theStatusSaysWhoCanFindTheNode() throws {
        let cases: [(DiscoveryState, [String], DiscoveryStatus.State, String?)] = [
            (.stopped, ["192.0.2.1:9"], .off, nil),
            (.waitingForBus, ["192.0.2.1:9"], .waitingForBus, nil),
            (.running, ["127.0.0.1:9"], .browsing, nil),
            (.published(name: "one"), ["127.0.0.1:9"], .publishedHere, "one"),
            (.published(name: "one"), ["127.0.0.1:9", "192.0.2.1:9"], .published, "one"),
        ]
        for (state, listening, expected, name) in cases {
            var discovery = discovery
            #expect(try discovery.heard(.stateChanged(state)).isEmpty)
            let status = discovery.status(at: try listening.map(SocketAddress.init(parsing:)))
            #expect(status.state == expected && status.name == name)
            #expect(discovery.isPublished == (name != nil))
            #expect(status.detail.hasSuffix("is its loopback") == (expected == .publishedHere))
        }
    }
}
