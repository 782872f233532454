import ParleyDiscovery
import Testing

struct FoundServicesTests {
    private let now: Duration = .seconds(100)

    private func service(_ number: Int, _ shortID: String = "AAAAAAAA") -> DiscoveredService {
        let key = key(number)
        return DiscoveredService(
            sighting: Sighting(
                instanceName: key.name,
                interfaceIndex: key.interfaceIndex,
                interfaceName: "eth0",
                isIPv6: key.isIPv6
            ),
            shortID: shortID,
            deviceName: "",
            version: 1,
            address: [192, 0, 2, UInt8(number)],
            port: 9
        )
    }

    private func key(_ number: Int) -> ResolveQueue.Key {
        ResolveQueue.Key(name: "parley-\(number)", interfaceIndex: 2, isIPv6: false)
    }

    /// The short ID that each loss names, with the number of sightings that remain.
    private func lost(_ events: [DiscoveryEvent]) -> [String] {
        events.compactMap { event in
            guard case .lost(_, let shortID, let others) = event else { return nil }
            return "\(shortID) \(others)"
        }
    }

    @Test func aNodeIsLostOnceNoSightingRemains() {
        var found = FoundServices()
        #expect(found.found(service(1), at: key(1)) == [.found(service(1))])
        _ = found.found(service(1), at: key(1))
        _ = found.found(service(2), at: key(2))
        #expect(found.count == 2)
        #expect(lost(found.lost(key(1))) == ["AAAAAAAA 1"])
        #expect(lost(found.lost(key(2))) == ["AAAAAAAA 0"])
        #expect(found.lost(key(2)).isEmpty)
    }

    @Test func anotherNodeInAPlaceIsTheLossOfTheFirst() {
        var found = FoundServices()
        _ = found.found(service(1), at: key(1))
        let events = found.found(service(1, "BBBBBBBB"), at: key(1))
        #expect(lost(events) == ["AAAAAAAA 0"])
        #expect(events.last == .found(service(1, "BBBBBBBB")))
    }

    @Test func whatANewBrowserDoesNotReportInTimeIsLost() {
        var found = FoundServices()
        for number in 1...3 { _ = found.found(service(number, "ID\(number)"), at: key(number)) }
        found.browserBegan(at: now)
        found.confirmed(key(2))
        #expect(found.wakeAt == now + DiscoveryLimits.confirmation)
        #expect(found.woke(at: now).isEmpty)
        #expect(lost(found.woke(at: now + .seconds(9))) == ["ID1 0", "ID3 0"])
        #expect(found.wakeAt == nil && found.all == [service(2, "ID2")])
    }
}
