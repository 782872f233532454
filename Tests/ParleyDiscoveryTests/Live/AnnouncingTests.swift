import Foundation
import ParleyDiscovery
import TestSupport
import Testing

extension LiveTests {
    /// Announcing the own service.
    @Suite(
        .tags(.avahi),
        .enabled(if: PrivateDaemons.isPossible, PrivateDaemons.reason),
        .timeLimit(.minutes(5))
    )
    struct AnnouncingTests {
        /// A clone of this device gets another instance name, and both find each other.
        @Test func takesAnotherNameThanItsClone() async {
            await #expect(processExitsWith: .success) {
                try await PrivateDaemons.with { _ in
                    let one = try await Finder.started(shortID: "aaaaaaaa00000001", port: 4001)
                    let first = DiscoveryState.published(name: "parley-aaaaaaaa")
                    try await eventually("the first") { await one.discovery.state == first }
                    let two = try await Finder.started(shortID: "aaaaaaaa00000001", port: 4002)
                    let second = DiscoveryState.published(name: "parley-aaaaaaaa-2")
                    try await eventually("the second") { await two.discovery.state == second }
                    #expect(
                        two.events.contains(
                            .collision(name: "parley-aaaaaaaa", newName: "parley-aaaaaaaa-2")
                        )
                    )
                    try await eventually("each other") {
                        one.found.contains { $0.port == 4002 }
                            && two.found.contains { $0.port == 4001 }
                    }
                    #expect(await one.discovery.state == first)
                    await one.discovery.stop()
                    await two.discovery.stop()
                }
            }
        }

        /// Without an interface that fits, discovery says so instead of looking as if it announced.
        @Test func saysThatNoInterfaceFits() async {
            await #expect(processExitsWith: .success) {
                try await PrivateDaemons.with { _ in
                    let none = try InterfaceFilter(globs: ["wlan9"])
                    let one = try await Finder.started(shortID: "aaaaaaaa00000001", filter: none)
                    try await eventually("the state") { await one.discovery.state == .noInterface }
                    #expect(one.warnings.contains(.noInterfaceAllowed))
                    for (interfaces, state) in [
                        (Set<UInt32>(), DiscoveryState.noInterface),
                        ([1], .published(name: "parley-aaaaaaaa")),
                    ] {
                        let two = try await Finder.started()
                        let publication = try Publication(
                            shortID: "aaaaaaaa00000001",
                            port: 4001,
                            deviceName: "",
                            version: 1,
                            interfaces: interfaces
                        )
                        await two.discovery.setPublication(publication)
                        try await eventually("\(state)") { await two.discovery.state == state }
                        await two.discovery.stop()
                    }
                    await one.discovery.stop()
                }
            }
        }

        /// When other services have all four names, the node reports it and stops renaming.
        @Test func givesUpAfterThreeOtherNames() async {
            await #expect(processExitsWith: .success) {
                try await PrivateDaemons.with { _ in
                    let publisher = try RawPublisher()
                    for suffix in ["", "-2", "-3", "-4"] {
                        try publisher.add("parley-aaaaaaaa" + suffix, strings: [])
                    }
                    publisher.commit()
                    let one = try await Finder.started(shortID: "aaaaaaaa00000001")
                    try await eventually("the end of names") {
                        one.events.contains(.collision(name: "parley-aaaaaaaa-4", newName: nil))
                    }
                    #expect(await one.discovery.state == .running)
                    publisher.end()
                    await one.discovery.recommit()
                    try await eventually("the old name") {
                        await one.discovery.state == .published(name: "parley-aaaaaaaa")
                    }
                    await one.discovery.stop()
                }
            }
        }

        /// Makes many calls to announce, of which only the first and the last have an effect.
        private static func announceOnce(
            _ node: Finder,
            _ published: DiscoveryState
        ) async throws {
            // After the spacing, the next call takes effect at once.
            try await Task.sleep(for: DiscoveryLimits.commitSpacing)
            node.forget()
            let began = ContinuousClock.now
            for _ in 1...50 { await node.discovery.recommit() }
            let took = ContinuousClock.now - began
            try await eventually("the last of them") {
                node.states.count { $0 == published } >= 2
            }
            // Wait to make sure that no further announcement follows.
            try await Task.sleep(for: DiscoveryLimits.commitSpacing)
            try await eventually("the end of one that is under way") {
                node.states.last == published
            }
            // There are two announcements, and one more for each spacing that the calls took on a
            // busy machine.
            let most = 2 + Int(took / DiscoveryLimits.commitSpacing)
            let count = node.states.count { $0 == published }
            #expect((2...most).contains(count), "\(node.states) in \(took)")
            let each = repeatElement([.running, published], count: count)
            #expect(node.states == each.flatMap { $0 })
        }

        /// Many calls after network changes lead to one announcement, which nodes that know the
        /// service do not notice.
        @Test func announcesAgainOnceForManyNetworkChanges() async {
            await #expect(processExitsWith: .success) {
                try await PrivateDaemons.with { _ in
                    let one = try await Finder.started()
                    let two = try await Finder.started(shortID: "bbbbbbbb00000002", port: 4002)
                    let published = DiscoveryState.published(name: "parley-bbbbbbbb")
                    try await eventually("found") { one.hasFound("bbbbbbbb00000002") }
                    try await eventually("published") { await two.discovery.state == published }
                    // Withdrawn records expire after 1 s, and avahi-daemon announces them again
                    // after 0.9 s. On a busy machine that is too late now and then.
                    var (unnoticed, tries) = (0, 0)
                    while unnoticed < 2, tries < 5 {
                        tries += 1
                        let before = one.lost.count
                        try await Self.announceOnce(two, published)
                        if one.lost.count == before { unnoticed += 1 }
                    }
                    #expect(unnoticed == 2, "in \(tries) tries")
                    try await eventually("the service is known in the end") {
                        one.found.count > one.lost.count
                    }
                    await one.discovery.stop()
                    await two.discovery.stop()
                }
            }
        }

        @Test func keepsToTheInterfacesThatTheGlobsAllow() async {
            await #expect(processExitsWith: .success) {
                try await PrivateDaemons.with { _ in
                    let one = try await Finder.started(shortID: "aaaaaaaa00000001", port: 4001)
                    let out = try await Finder.started(
                        shortID: "bbbbbbbb00000002",
                        filter: InterfaceFilter(globs: ["!lo"])
                    )
                    let only = try await Finder.started(
                        shortID: "cccccccc00000003",
                        port: 4003,
                        filter: InterfaceFilter(globs: ["l?"])
                    )
                    try await eventually("the allowed") {
                        only.hasFound("aaaaaaaa00000001") && one.hasFound("cccccccc00000003")
                    }
                    try await eventually("the reason") { !out.events.isEmpty }
                    let skipped = DiscoveryEvent.interfaceSkipped(
                        name: "lo",
                        reason: .denied(by: "!lo")
                    )
                    #expect(out.events.count { $0 == skipped } == 1)
                    #expect(out.found.isEmpty)
                    #expect(!one.hasFound("bbbbbbbb00000002"))
                    for finder in [one, out, only] { await finder.discovery.stop() }
                }
            }
        }

        /// A changed name for people reaches others, though the instance name is the same.
        @Test func announcesAChangedText() async {
            await #expect(processExitsWith: .success) {
                try await PrivateDaemons.with { _ in
                    let one = try await Finder.started()
                    let two = try await Finder.started(shortID: "bbbbbbbb00000002", name: "Old")
                    try await eventually("the old name") { one.found.last?.deviceName == "Old" }
                    let changed = try Publication(
                        shortID: "bbbbbbbb00000002",
                        port: 77,
                        deviceName: "New",
                        version: 2
                    )
                    await two.discovery.setPublication(changed)
                    try await eventually("the new name") { one.found.last?.deviceName == "New" }
                    #expect(one.found.last?.port == 77)
                    await one.discovery.stop()
                    await two.discovery.stop()
                }
            }
        }
    }
}
