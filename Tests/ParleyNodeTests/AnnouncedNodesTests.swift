import ParleyDiscovery
import ParleyNode
import Testing

/// The nodes that are announced: each is listed, whatever others announce.
@Suite struct AnnouncedNodesTests {
    private func service(_ id: String, named instance: String, index: Int32 = 1)
        -> DiscoveredService
    {
        DiscoveredService(id, "name of \(id)", instance: instance, index: index)
    }

    /// Regression: of several nodes that announced one address only the last was listed.
    @Test func nodesAtOneAddressAreAllListed() {
        var announced = AnnouncedNodes()
        _ = announced.found(service("AAAAAAAAAAAAAAAA", named: "a"), at: "192.0.2.1:9")
        _ = announced.found(service("BBBBBBBBBBBBBBBB", named: "b"), at: "192.0.2.1:9")
        #expect(announced.all.map(\.shortID) == ["AAAAAAAAAAAAAAAA", "BBBBBBBBBBBBBBBB"])
        #expect(
            announced.all.map(\.name) == ["name of AAAAAAAAAAAAAAAA", "name of BBBBBBBBBBBBBBBB"]
        )
        #expect(announced.all.allSatisfy { $0.hint != nil })
    }

    @Test func aNodeIsListedOnceForEachAddress() {
        var announced = AnnouncedNodes()
        _ = announced.found(service("AAAAAAAAAAAAAAAA", named: "a", index: 1), at: "192.0.2.1:9")
        _ = announced.found(service("AAAAAAAAAAAAAAAA", named: "a", index: 2), at: "192.0.2.1:9")
        _ = announced.found(service("AAAAAAAAAAAAAAAA", named: "a", index: 3), at: "192.0.2.2:9")
        #expect(announced.all.map(\.address) == ["192.0.2.1:9", "192.0.2.2:9"])
    }

    @Test func anAddressIsLostWithItsLastSighting() {
        var announced = AnnouncedNodes()
        let first = service("AAAAAAAAAAAAAAAA", named: "a")
        let second = service("BBBBBBBBBBBBBBBB", named: "b")
        _ = announced.found(first, at: "192.0.2.1:9")
        _ = announced.found(second, at: "192.0.2.1:9")
        #expect(announced.lost(first.sighting) == nil)
        #expect(announced.all.map(\.shortID) == ["BBBBBBBBBBBBBBBB"])
        #expect(announced.lost(second.sighting) == "192.0.2.1:9")
        #expect(announced.lost(second.sighting) == nil)
        #expect(announced.all.isEmpty)
    }

    /// Regression: the old address of a node that is found elsewhere stayed in the address book.
    @Test func anAddressIsLostWhenItsNodeIsFoundElsewhere() {
        var announced = AnnouncedNodes()
        let first = service("AAAAAAAAAAAAAAAA", named: "a")
        let second = service("BBBBBBBBBBBBBBBB", named: "b")
        #expect(announced.found(first, at: "192.0.2.1:9") == nil)
        #expect(announced.found(second, at: "192.0.2.1:9") == nil)
        #expect(announced.found(first, at: "192.0.2.1:9") == nil)
        #expect(announced.found(first, at: "192.0.2.1:10") == nil)
        #expect(announced.found(second, at: "192.0.2.1:11") == "192.0.2.1:9")
        #expect(announced.all.map(\.address) == ["192.0.2.1:10", "192.0.2.1:11"])
    }

    @Test func aShortIDThatIsNoneHasNoHint() {
        var announced = AnnouncedNodes()
        _ = announced.found(service("not1base", named: "a"), at: "192.0.2.1:9")
        #expect(announced.all.first?.hint == nil)
        #expect(announced.all.first?.shortID == "not1base")
    }
}
