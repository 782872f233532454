import ParleyCore
import ParleyDiscovery
import ParleyKeys
import ParleyNode
import Testing

/// The pairings as people see them, told from a machine without any link.
@Suite struct PairingListTests {
    private let other = DeviceKey(seed: Bytes32(2, 0, 0, 0)).id
    private let moment = Moment.start
    private var machine: NodeMachine
    private var announced = AnnouncedNodes()

    init() {
        machine = NodeMachine(DeviceKey(seed: Bytes32(1, 0, 0, 0)))
        _ = announced.found(DiscoveredService(other.announcedText), at: "192.0.2.1:9")
    }

    private var list: PairingList { PairingList(machine, announced: announced, at: moment) }

    @Test mutating func aPairingGoesByTheNameOfTheAnnouncedDevice() throws {
        let hint = try list.partner("two", asOwn: false)
        #expect(hint == other.hint)
        _ = machine.handle(.pairing(.start(hint: hint, offer: .nothing)), at: moment)
        let pairing = try list.pairing(PairingState.id(ofHint: hint))
        #expect(pairing.name == "two" && pairing.stage == .waiting)
        #expect(list.all == [pairing] && list.isUnderWay(pairing))
        #expect(throws: NodeError.self) { try list.partner("nobody", asOwn: false) }
    }

    @Test mutating func aBlockedDeviceIsNobody() {
        _ = machine.handle(.gated(DeviceGate(blocked: [other], allowed: [])), at: moment)
        #expect(throws: NodeError.unknownDevice("two")) { try list.partner("two", asOwn: false) }
    }

    @Test func thePairingIsUnknownUntilItBegins() {
        let id = PairingState.id(ofHint: other.hint)
        #expect(id.count == 16)
        #expect(throws: NodeError.unknownPairing) { try list.pairing(id) }
    }
}
