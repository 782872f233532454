import Foundation
import ParleyDiscovery
import TestSupport
import Testing

extension LiveTests {
    /// Discovery restores its desired state whenever avahi-daemon or the bus was away.
    @Suite(
        .tags(.avahi),
        .enabled(if: PrivateDaemons.isPossible, PrivateDaemons.reason),
        .timeLimit(.minutes(5))
    )
    struct RecoveryTests {
        /// After each of five restarts of the daemon all services are found again, and no resource
        /// leaks.
        @Test func findsAgainAfterTheDaemonWasKilled() async {
            await #expect(processExitsWith: .success) {
                try await PrivateDaemons.with { daemons in
                    let one = try await Finder.started(shortID: "aaaaaaaa00000001", port: 4001)
                    let two = try await Finder.started(shortID: "bbbbbbbb00000002", port: 4002)
                    try await eventually("the first time") { one.hasFound("bbbbbbbb00000002") }
                    try await daemons.signal("avahi", SIGKILL)
                    let busy = processorSeconds()
                    // Discovery does not spin in the meantime.
                    try await Task.sleep(for: .seconds(2))
                    #expect(processorSeconds() - busy < 0.1)
                    try daemons.start()
                    var descriptors = 0
                    var memory = 0
                    for round in 1...5 {
                        try await daemons.signal("avahi", SIGKILL)
                        try await eventually("outage") {
                            await one.discovery.state == .waitingForDaemon
                        }
                        one.forget()
                        two.forget()
                        try daemons.start()
                        try await eventually("round \(round)", within: .seconds(20)) {
                            one.hasFound("bbbbbbbb00000002") && two.hasFound("aaaaaaaa00000001")
                        }
                        try await eventually("quiet") { await one.discovery.figures.resolvers == 0 }
                        let figures = await one.discovery.figures
                        #expect(figures.watches <= 2)
                        #expect(figures.timers <= 8)
                        #expect(figures.known == 1)
                        // Sources release their descriptors a little later.
                        if round == 1 {
                            descriptors = try openDescriptors()
                        } else {
                            try await eventually("old number of descriptors", within: .seconds(20))
                            {
                                try openDescriptors() <= descriptors
                            }
                        }
                        if round == 2 { memory = try residentKilobytes() }
                    }
                    let growth = try residentKilobytes() - memory
                    // The thread sanitizer's own memory grows, so the limit does not apply to it.
                    let isSanitized = ProcessInfo.processInfo.environment["TSAN_OPTIONS"] != nil
                    #expect(growth < 1_024 || isSanitized, "\(growth) kB")
                    await one.discovery.stop()
                    await two.discovery.stop()
                }
            }
        }

        @Test func findsAgainAfterTheBusWasKilled() async {
            await #expect(processExitsWith: .success) {
                try await PrivateDaemons.with { daemons in
                    let one = try await Finder.started(shortID: "aaaaaaaa00000001", port: 4001)
                    let two = try await Finder.started(shortID: "bbbbbbbb00000002", port: 4002)
                    try await eventually("the first time") { one.hasFound("bbbbbbbb00000002") }
                    for round in 1...2 {
                        // avahi-daemon ends when its bus does.
                        try await daemons.signal("bus", SIGKILL)
                        try await eventually("outage") {
                            await one.discovery.state == .waitingForBus
                        }
                        one.forgetFound()
                        try daemons.start()
                        try await eventually("round \(round)", within: .seconds(20)) {
                            one.hasFound("bbbbbbbb00000002")
                        }
                    }
                    // The outages follow one another so closely that they count as one.
                    #expect(one.warnings.count == 1, "\(one.warnings)")
                    await one.discovery.stop()
                    await two.discovery.stop()
                }
            }
        }

        /// Regression: `start` took a bus for running whose process lives and does not answer.
        ///
        /// A bus that was killed is in the same state until its process has ended.
        @Test func findsAgainAfterTheBusHung() async {
            await #expect(processExitsWith: .success) {
                try await PrivateDaemons.with { daemons in
                    let one = try await Finder.started(shortID: "aaaaaaaa00000001", port: 4001)
                    let two = try await Finder.started(shortID: "bbbbbbbb00000002", port: 4002)
                    try await eventually("the first time") { one.hasFound("bbbbbbbb00000002") }
                    try await daemons.signal("bus", SIGSTOP)
                    one.forgetFound()
                    try daemons.start()
                    try await eventually("again", within: .seconds(20)) {
                        one.hasFound("bbbbbbbb00000002")
                    }
                    await one.discovery.stop()
                    await two.discovery.stop()
                }
            }
        }

        /// Regression: what left while the daemon was away stayed found for ever.
        @Test func losesWhatLeftWhileTheDaemonWasAway() async {
            await #expect(processExitsWith: .success) {
                try await PrivateDaemons.with { daemons in
                    let one = try await Finder.started(shortID: "aaaaaaaa00000001", port: 4001)
                    let two = try await Finder.started(shortID: "bbbbbbbb00000002", port: 4002)
                    let three = try await Finder.started(shortID: "cccccccc00000003", port: 4003)
                    try await eventually("the first time") {
                        one.hasFound("bbbbbbbb00000002") && one.hasFound("cccccccc00000003")
                    }
                    try await daemons.signal("avahi", SIGKILL)
                    try await eventually("outage") {
                        await one.discovery.state == .waitingForDaemon
                    }
                    one.forgetFound()
                    await two.discovery.stop()
                    try daemons.start()
                    try await eventually("the loss", within: .seconds(20)) {
                        one.hasLost("bbbbbbbb00000002")
                    }
                    // On a busy machine the other one may have been late, and lost as well.
                    try await eventually("the rest", within: .seconds(20)) {
                        await one.discovery.services.map(\.shortID) == ["cccccccc00000003"]
                    }
                    await one.discovery.stop()
                    await three.discovery.stop()
                }
            }
        }

        @Test func waitsForABusThatComesLater() async {
            await #expect(processExitsWith: .success) {
                try await PrivateDaemons.with(started: false) { daemons in
                    let one = try await Finder.started(shortID: "aaaaaaaa00000001", port: 4001)
                    let two = try await Finder.started(shortID: "bbbbbbbb00000002", port: 4002)
                    try await eventually("state") { one.states == [.waitingForBus] }
                    try daemons.start()
                    try await eventually("each other", within: .seconds(20)) {
                        one.hasFound("bbbbbbbb00000002") && two.hasFound("aaaaaaaa00000001")
                    }
                    #expect(one.warnings.count == 1)
                    await one.discovery.stop()
                    await two.discovery.stop()
                }
            }
        }

        /// Without a bus there is one warning, no descriptor is held, and few attempts are made.
        @Test func saysOnceThatThereIsNoDaemon() async {
            await #expect(processExitsWith: .success) {
                try await PrivateDaemons.with(started: false) { _ in
                    let before = try openDescriptors()
                    let one = try await Finder.started(shortID: "aaaaaaaa00000001")
                    let busy = processorSeconds()
                    // Further attempts give no further warning and do not spin.
                    try await Task.sleep(for: .seconds(3))
                    #expect(processorSeconds() - busy < 0.1)
                    #expect(one.warnings.count == 1, "\(one.warnings)")
                    #expect(one.states == [.waitingForBus])
                    await one.discovery.stop()
                    #expect(try openDescriptors() <= before + 2)
                }
            }
        }

        /// When the daemon changes the host name, the service is withdrawn and announced again.
        @Test func announcesAgainWhenTheHostNameChanges() async {
            await #expect(processExitsWith: .success) {
                try await PrivateDaemons.with { daemons in
                    let one = try await Finder.started(shortID: "aaaaaaaa00000001", port: 4001)
                    let two = try await Finder.started(shortID: "bbbbbbbb00000002", port: 4002)
                    let published = DiscoveryState.published(name: "parley-bbbbbbbb")
                    try await eventually("the first time") { one.hasFound("bbbbbbbb00000002") }
                    try await eventually("published") { await two.discovery.state == published }
                    one.forget()
                    two.forget()
                    try daemons.call(
                        "org.freedesktop.Avahi.Server.SetHostName",
                        "string:other-\(getpid())"
                    )
                    try await eventually("a new host name") {
                        two.states.contains(.waitingForHostName) && two.states.last == published
                    }
                    try await eventually("the same again") { one.hasFound("bbbbbbbb00000002") }
                    await one.discovery.stop()
                    await two.discovery.stop()
                }
            }
        }

        /// A daemon that hangs blocks the queue of discovery and nothing else.
        @Test func goesOnAfterTheDaemonHung() async {
            await #expect(processExitsWith: .success) {
                try await PrivateDaemons.with { daemons in
                    let one = try await Finder.started(shortID: "aaaaaaaa00000001", port: 4001)
                    try await eventually("published") {
                        await one.discovery.state == .published(name: "parley-aaaaaaaa")
                    }
                    try await daemons.signal("avahi", SIGSTOP)
                    one.forget()
                    let began = ContinuousClock.now
                    one.discovery.perform { $0.recommit() }
                    #expect(ContinuousClock.now - began < .seconds(1))
                    // The call blocks as long as the daemon hangs.
                    try await Task.sleep(for: .seconds(3))
                    try await daemons.signal("avahi", SIGCONT)
                    try await eventually("published again") {
                        one.states.last == .published(name: "parley-aaaaaaaa")
                    }
                    await one.discovery.stop()
                }
            }
        }

        /// Stopping frees everything, and discovery works again after another start.
        @Test func stopsAndStartsAgain() async {
            await #expect(processExitsWith: .success) {
                try await PrivateDaemons.with { _ in
                    let one = try await Finder.started(shortID: "aaaaaaaa00000001", port: 4001)
                    let two = try await Finder.started(shortID: "bbbbbbbb00000002", port: 4002)
                    try await eventually("the first time") { one.hasFound("bbbbbbbb00000002") }
                    let descriptors = try openDescriptors()
                    for _ in 1...3 {
                        await two.discovery.stop()
                        #expect(await two.discovery.state == .stopped)
                        #expect(await two.discovery.figures.watches == 0)
                        try await eventually("departure") { !one.lost.isEmpty }
                        one.forget()
                        await two.discovery.start()
                        try await eventually("again") { one.hasFound("bbbbbbbb00000002") }
                    }
                    try await eventually("old number of descriptors", within: .seconds(20)) {
                        try openDescriptors() <= descriptors
                    }
                    await one.discovery.stop()
                    await two.discovery.stop()
                }
            }
        }
    }
}
