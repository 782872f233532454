import Foundation
import ParleyDiscovery
import TestSupport
import Testing

extension LiveTests {
    /// Discovery between hosts that each have an avahi-daemon.
    @Suite(
        .tags(.avahi, .lab),
        .enabled(if: Lab.isPossible, Lab.reason),
        .timeLimit(.minutes(5))
    )
    struct LabTests {
        /// Another host is found under both versions of IP, with the interface index of a
        /// link-local address.
        @Test func findsAnotherHostUnderBothVersionsOfIP() async {
            await #expect(processExitsWith: .success) {
                try await Lab.with(hosts: 2, host: 2) { lab in
                    let one = try await Finder.started(shortID: "bbbbbbbb00000002", port: 4002)
                    let publisher = try lab.start(
                        "avahi-publish -s parley-aaaaaaaa _parley._tcp 4001 v=1 id=aaaaaaaa",
                        in: 1
                    )
                    try await eventually("both") { one.found.count == 2 }
                    let four = try #require(one.found.first { !$0.isIPv6 })
                    let six = try #require(one.found.first { $0.isIPv6 })
                    #expect(four.address == [10, 77, 0, 1])
                    #expect(Array(six.address.prefix(2)) == [0xFE, 0x80])
                    #expect(six.interfaceIndex == four.interfaceIndex)
                    #expect(six.interfaceIndex > 1)
                    // A service that is withdrawn before it is established sends no goodbye.
                    try await eventually("established") {
                        try String(contentsOfFile: publisher.output, encoding: .utf8)
                            .contains("Established")
                    }
                    try shell("kill \(publisher.pid)")
                    try await eventually("departure of both") { one.lost.count == 2 }
                    let others = one.events.compactMap {
                        if case .lost(_, _, let others) = $0 { others } else { nil }
                    }
                    #expect(others == [1, 0])
                    await one.discovery.stop()
                }
            }
        }

        /// A service that was announced during a partition, and healed between two queries of the
        /// browser, is found after `recommit`.
        @Test func isSeenAfterAPartitionOnceItAnnouncesAgain() async {
            await #expect(processExitsWith: .success) {
                try await Lab.with(hosts: 2, host: 1) { lab in
                    let browser = try lab.start("avahi-browse -p _parley._tcp", in: 2)
                    func isSeen() throws -> Bool {
                        try String(contentsOfFile: browser.output, encoding: .utf8)
                            .contains("parley-aaaaaaaa")
                    }
                    // The browser sends queries at 0, 1, 3, 7 and 15 s.
                    try await Task.sleep(for: .seconds(1))
                    try lab("partition", "1")
                    let one = try await Finder.started(shortID: "aaaaaaaa00000001", port: 4001)
                    let published = DiscoveryState.published(name: "parley-aaaaaaaa")
                    try await eventually("published") { await one.discovery.state == published }
                    // The announcements end 7 s after the first.
                    try await Task.sleep(for: .seconds(7.7))
                    try lab("heal", "1")
                    // Neither side sends anything by itself.
                    try await Task.sleep(for: .seconds(2))
                    #expect(try !isSeen())
                    await one.discovery.recommit()
                    try await eventually("a sighting", within: .seconds(3)) { try isSeen() }
                    await one.discovery.stop()
                }
            }
        }
    }
}
