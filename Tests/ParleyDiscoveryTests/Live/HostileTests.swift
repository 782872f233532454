import Foundation
import ParleyDiscovery
import TestSupport
import Testing

extension LiveTests {
    /// Hostile announcements are refused with a reason, or cost no more than the limits allow.
    @Suite(
        .tags(.avahi),
        .enabled(if: PrivateDaemons.isPossible, PrivateDaemons.reason),
        .timeLimit(.minutes(5))
    )
    struct HostileTests {
        @Test func refusesBadTextAndNamesWithAReason() async {
            await #expect(processExitsWith: .success) {
                try await PrivateDaemons.with { _ in
                    let publisher = try RawPublisher()
                    let good = ["v=1", "id=cccccccc00000003"].map { Array($0.utf8) }
                    try publisher.add("no text", strings: [])
                    try publisher.add("no id", strings: [Array("v=1".utf8)])
                    try publisher.add("bad id", strings: [good[0], Array("id=../../x".utf8)])
                    try publisher.add("bad version", strings: [good[1], Array("v=-1".utf8)])
                    try publisher.add("esc\u{1B}]0;x\u{7}", strings: good)
                    try publisher.add(
                        "large",
                        strings: good
                            + Array(repeating: Array(repeating: 0x61, count: 190), count: 8)
                    )
                    try publisher.add(
                        "good",
                        strings: [Array("n=".utf8) + [0xFF, 0x0A, 0x41], [0, 0xFF]] + good
                    )
                    publisher.commit()
                    let one = try await Finder.started()
                    try await eventually("the good one") { one.hasFound("cccccccc00000003") }
                    try await eventually("the refusals") {
                        !one.refusals(of: "bad version").isEmpty
                            && !one.refusals(of: "no text").isEmpty
                            && !one.refusals(of: "no id").isEmpty
                            && !one.refusals(of: "bad id").isEmpty
                    }
                    #expect(one.found.map(\.deviceName) == ["\u{FFFD}A"])
                    #expect(one.refusals(of: "no text") == [.textMissing(key: "v")])
                    #expect(one.refusals(of: "no id") == [.textMissing(key: "id")])
                    #expect(one.refusals(of: "bad id") == [.shortIDMalformed])
                    #expect(one.refusals(of: "bad version") == [.versionMalformed])
                    #expect(one.refusals(of: "esc]0;x") == [.instanceNameMalformed])
                    #expect(!one.found.contains { $0.instanceName == "large" })
                    await one.discovery.stop()
                    publisher.end()
                }
            }
        }

        /// All of 300 services are found, with at most 64 resolvers at a time.
        @Test func resolvesManyWithFewResolvers() async {
            await #expect(processExitsWith: .success) {
                try await PrivateDaemons.with { _ in
                    let publisher = try RawPublisher()
                    for number in 1000..<1300 {
                        try publisher.add(
                            "parley-many\(number)",
                            strings: [Array("v=1".utf8), Array("id=many\(number)".utf8)]
                        )
                    }
                    publisher.commit()
                    let one = try await Finder.started()
                    var resolversMax = 0
                    // A service that the daemon tells twice is resolved twice, and waits meanwhile.
                    try await eventually("all of them", within: .seconds(40)) {
                        let figures = await one.discovery.figures
                        resolversMax = max(resolversMax, figures.resolvers)
                        return figures.found == 300 && figures.waiting == 0
                    }
                    #expect(resolversMax <= DiscoveryLimits.resolvers)
                    // Events are delivered after the figures have changed.
                    try await eventually("news of all of them") {
                        Set(one.found.map(\.shortID)).count == 300
                    }
                    publisher.end()
                    try await eventually("departure of all", within: .seconds(20)) {
                        await one.discovery.figures.known == 0
                    }
                    try await eventually("news of their departure") { one.lost.count >= 300 }
                    await one.discovery.stop()
                }
            }
        }
    }
}
