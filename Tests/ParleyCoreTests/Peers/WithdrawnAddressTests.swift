import ParleyCore
import Testing

/// The devices that can be dialled, and the reports of a dialer on changes of its addresses.
@Suite struct WithdrawnAddressTests {
    private func found(
        _ text: String,
        _ device: UInt64,
        _ source: FoundAddress.Source = .discovered
    ) -> FoundAddress {
        FoundAddress(text: text, source: source, device: DeviceID(Bytes32(device, 0, 0, 0)))
    }

    @Test func aWithdrawnAddressLeadsNowhere() {
        var dialer = Dialer(limits: Limits())
        for (text, device) in [("a", 1), ("b", 1), ("c", 2)] {
            dialer.found(found(text, UInt64(device)), at: .start)
        }
        dialer.found(found("d", 3, .configured), at: .start)
        #expect(dialer.reachableHints == [1, 2, 3])
        dialer.lost("a")
        #expect(dialer.reachableHints == [1, 2, 3], "another address is left")
        dialer.lost("b")
        // A configured address is not forgotten, but nobody announces it any more.
        dialer.lost("d")
        #expect(dialer.reachableHints == [2])
        dialer.found(found("d", 3), at: .start)
        #expect(dialer.reachableHints == [2, 3])
    }

    @Test func changesAreToldOnce() {
        var dialer = Dialer(limits: Limits())
        let none = Dialer.Changes()
        #expect(dialer.takeChanges() == none)
        dialer.found(found("a", 1), at: .start)
        #expect(dialer.takeChanges() == .init(areAnnouncementsNew: true))
        #expect(dialer.takeChanges() == none)
        dialer.found(found("b", 1, .told), at: .start)
        #expect(dialer.takeChanges() == none)
        dialer.lost("a")
        #expect(dialer.takeChanges() == .init(areAnnouncementsNew: true))
        dialer.joined(at: .start)
        #expect(dialer.takeChanges() == .init(areAllDue: true))
        dialer.networkChanged(at: .start)
        #expect(dialer.takeChanges() == .init(areAllDue: true))
    }
}
