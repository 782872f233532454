import ParleyNode
import ParleyWeb
import Testing

/// The devices nearby as a page lists them.
@Suite struct PeersOfDevicesTests {
    private func peer(_ device: String, _ address: String, in names: [String] = []) -> Peer {
        Peer(device: device, state: .discovered, address: address, conversations: names)
    }

    /// Regression: a device with several addresses had a row for each of them for some seconds.
    @Test func eachDeviceHasOneRow() {
        let all = [
            peer("ada", "192.0.2.1:1"), peer("", "192.0.2.9:1"), peer("ben", "192.0.2.2:1"),
            peer("ada", "[fd00::1]:1", in: ["games"]), peer("ada", "192.0.2.3:1"),
            peer("", "192.0.2.8:1"), peer("", "192.0.2.9:1"),
        ]
        let rows = all.oneOfEachDevice
        #expect(rows.map(\.device) == ["ada", "", "ben", ""])
        #expect(rows.first?.conversations == ["games"])
    }
}
