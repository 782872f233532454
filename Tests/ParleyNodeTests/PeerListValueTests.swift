import ParleyCore
import ParleyDiscovery
import ParleyKeys
import ParleyNode
import Testing

/// The other devices as people see them, told from a machine without any link.
@Suite struct PeerListValueTests {
    private let key = DeviceKey(seed: Bytes32(1, 0, 0, 0))
    private let other = DeviceKey(seed: Bytes32(2, 0, 0, 0)).id
    private let moment = Moment.start
    private var machine: NodeMachine

    init() { machine = NodeMachine(key) }

    private func announced(_ nodes: [(id: DeviceID, name: String, address: String)])
        -> AnnouncedNodes
    {
        var announced = AnnouncedNodes()
        for (number, node) in nodes.enumerated() {
            let (id, instance) = (node.id.announcedText, "\(number)")
            let service = DiscoveredService(id, node.name, instance: instance)
            _ = announced.found(service, at: node.address)
        }
        return announced
    }

    @Test func aNodeOfSeveralAddressesIsListedOnceForEachName() {
        let nodes = announced([
            (other, "two", "192.0.2.1:9"), (other, "two", "192.0.2.2:9"),
            (other, "else", "192.0.2.3:9"),
        ])
        let nearby = PeerList(machine, announced: nodes, at: moment).nearby(except: [])
        #expect(nearby.map(\.name) == ["two", "else"])
        #expect(nearby.map(\.address) == ["192.0.2.1:9", "192.0.2.3:9"])
        #expect(nearby.allSatisfy { $0.state == .discovered })
    }

    @Test func thisNodeIsNotItsOwnNeighbour() {
        let nodes = announced([(key.id, "one", "192.0.2.1:9"), (other, "two", "192.0.2.2:9")])
        let list = PeerList(machine, announced: nodes, at: moment)
        #expect(list.nearby(except: []).map(\.name) == ["two"])
        #expect(list.nearby(except: ["192.0.2.2:9"]).isEmpty)
    }

    @Test mutating func anAddressThatAPersonNamedIsListed() {
        let found = FoundAddress(text: "192.0.2.1:9", source: .configured)
        _ = machine.handle(.addressFound(found), at: moment)
        let list = PeerList(machine, at: moment)
        #expect(list.nearby(except: []).map(\.address) == ["192.0.2.1:9"])
        #expect(list.nearby(except: []).first?.addresses.map(\.text) == ["192.0.2.1:9"])
        #expect(list.peers().isEmpty, "nobody has answered there")
    }

    /// A member that was met stays listed with its name, and what it shares.
    @Test mutating func aMemberThatIsAwayIsListed() throws {
        var random = SystemRandomNumberGenerator()
        let capability = Capability.newConversation(using: &random)
        let record = ConversationRecord(
            number: 1,
            id: capability.conversationID,
            name: "chess",
            isOpen: false,
            capability: capability,
            certificate: try capability.certify(key.id)
        )
        _ = machine.handle(.joined(record), at: moment)
        var acquaintances = Acquaintances()
        let changes: [LinkNotice.Change] = [
            .greeted(software: "test", name: "two"), .joined(conversation: 1),
        ]
        for change in changes {
            acquaintances.note(change, of: other, at: "192.0.2.1:9", moment) { _ in false }
        }
        let peers = PeerList(machine, acquaintances: acquaintances, at: moment).peers()
        #expect(peers.map(\.device) == [other.text])
        #expect(peers.map(\.name) == ["two"])
        #expect(peers.map(\.conversations) == [["chess"]])
        #expect(peers.map(\.state) == [.lastSeen])
    }
}
