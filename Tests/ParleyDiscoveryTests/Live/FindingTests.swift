import Foundation
import ParleyDiscovery
import TestSupport
import Testing

extension LiveTests {
    /// Nodes find each other through a real avahi-daemon.
    @Suite(
        .tags(.avahi),
        .enabled(if: PrivateDaemons.isPossible, PrivateDaemons.reason),
        .timeLimit(.minutes(5))
    )
    struct FindingTests {
        @Test func twoNodesOfOneMachineFindEachOtherAndNotThemselves() async {
            await #expect(processExitsWith: .success) {
                try await PrivateDaemons.with { _ in
                    let one = try await Finder.started(shortID: "aaaaaaaa00000001", port: 4001)
                    let two = try await Finder.started(
                        shortID: "bbbbbbbb00000002",
                        port: 4002,
                        name: "Küche\u{1B}[2J"
                    )
                    try await eventually("each other") {
                        one.hasFound("bbbbbbbb00000002") && two.hasFound("aaaaaaaa00000001")
                    }
                    let service = try #require(one.found.first)
                    #expect(service.instanceName == "parley-bbbbbbbb")
                    #expect(service.deviceName == "Küche[2J")
                    #expect(service.version == 1)
                    #expect(service.address == [127, 0, 0, 1])
                    #expect(service.port == 4002)
                    #expect(service.interfaceName == "lo")
                    #expect(service.interfaceIndex == 1)
                    #expect(!service.isIPv6)
                    try await eventually("both published") {
                        await one.discovery.state == .published(name: "parley-aaaaaaaa")
                    }
                    await two.discovery.setPublication(nil)
                    try await eventually("withdrawal") { !one.lost.isEmpty }
                    #expect(one.lost.first == service.sighting)
                    #expect(!one.hasFound("aaaaaaaa00000001"))
                    #expect(!two.hasFound("bbbbbbbb00000002"))
                    #expect(one.warnings.isEmpty)
                    await one.discovery.stop()
                    await two.discovery.stop()
                }
            }
        }

        /// A service that an earlier process of this node left in the daemon is not reported.
        ///
        /// A service with the same short ID on another port is reported: it is a copy of this
        /// device, which the link will detect.
        @Test func doesNotFindItsOwnLeftover() async {
            await #expect(processExitsWith: .success) {
                try await PrivateDaemons.with { _ in
                    let text = [Array("v=1".utf8), Array("id=aaaaaaaa00000001".utf8)]
                    let leftover = try RawPublisher()
                    try leftover.add("parley-leftover", port: 4001, strings: text)
                    try leftover.add("parley-copy", port: 4002, strings: text)
                    leftover.commit()
                    let one = try await Finder.started(shortID: "aaaaaaaa00000001", port: 4001)
                    let two = try await Finder.started(shortID: "bbbbbbbb00000002", port: 4003)
                    try await eventually("both, seen by another") {
                        two.found.count { $0.instanceName != "parley-aaaaaaaa" } == 2
                    }
                    try await eventually("the other") { one.hasFound("bbbbbbbb00000002") }
                    try await eventually("all answers") {
                        let figures = await one.discovery.figures
                        return figures.known >= 3 && figures.resolvers == 0 && figures.waiting == 0
                    }
                    let names = one.found.map(\.instanceName)
                    #expect(Set(names) == ["parley-copy", "parley-bbbbbbbb"], "\(names)")
                    leftover.end()
                    await one.discovery.stop()
                    await two.discovery.stop()
                }
            }
        }
    }
}
