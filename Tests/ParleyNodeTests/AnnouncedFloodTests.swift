import Foundation
import ParleyCore
import ParleyNode
import TestSupport
import Testing

/// Relays that announce envelopes without end delay nobody.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct AnnouncedFloodTests {
    /// Regression: while nine relays announced 262,143 invented envelopes, a member that announced
    /// three real ones was cut off again and again, and the node took 215 MB.
    @Test func aMemberIsServedWhileRelaysAnnounceWithoutEnd() async throws {
        let nodes = try TestNodes()
        let (one, address) = try await nodes.start("one")
        _ = try await one.createConversation(named: "games")
        let (two, _) = try await nodes.start("two")
        _ = try await two.join(try await one.invite(to: "games").link)
        for number in 1...3 { _ = try await two.send(Draft("?move=\(number)"), to: "games") }
        await two.stop()

        let flood = AnnouncedFlood(
            address: address,
            invite: try await one.invite(to: "games", role: .relay).link,
            relays: 9,
            report: nodes.root.appending(path: "announced").path
        )
        let before = try ResidentMemory.bytes()
        async let relays: Void = run(flood)
        do {
            let most = try await returnsAndIsServed(nodes, one, at: address, during: flood)
            print("announced flood: \((most - before) >> 10) KiB more")
            #expect(most - before <= 16 << 20)
        } catch {
            Issue.record(error)
        }
        // Ending the program ends the relays as well.
        await nodes.stopAll()
        await relays
    }

    /// A member that has messages returns to `one`, which gets them, and then a further one.
    ///
    /// - Returns: the most memory that this process had meanwhile.
    private func returnsAndIsServed(
        _ nodes: TestNodes,
        _ one: Node,
        at address: String,
        during flood: AnnouncedFlood
    ) async throws -> Int {
        let log = EventLog(await one.events())
        var most = 0
        try await eventually("the announcements", within: .seconds(45)) {
            most = max(most, try ResidentMemory.bytes())
            return flood.announced != nil
        }
        let announced = flood.announced ?? 0
        #expect(announced >= flood.relays * Limits().namesPerLink)

        let begin = ContinuousClock.now
        let (two, _) = try await nodes.start("two", peers: [address])
        try await eventually("the member's messages", within: .seconds(20)) {
            most = max(most, try ResidentMemory.bytes())
            return try await one.urls("games").count == 3
        }
        let wait = ContinuousClock.now - begin
        _ = try await two.send(
            Draft("?last"),
            to: "games",
            wait: .delivered(nodes: 1, timeout: .seconds(20))
        )
        let delivery = ContinuousClock.now - begin - wait

        // Each relay has its window, which is empty for a moment whenever it is renewed.
        let load = try await eventually("announcements that are waited for") {
            let load = try await one.load()
            return load.missing > 0 ? load : nil
        }
        print(
            "announced flood: \(announced) announced, \(load.announcedBytes >> 10) KiB kept,"
                + " served after \(wait), the next message after \(delivery)"
        )
        // Nobody was cut off.
        #expect(load.announcedBytes <= Limits().announcedBytes * flood.relays / 128)
        #expect(load.links == flood.relays + 1)
        let ends = log.events.filter { event in
            if case .peerChanged(_, isConnected: false) = event { true } else { false }
        }
        #expect(ends.isEmpty)
        return max(most, try ResidentMemory.bytes())
    }

    private func run(_ flood: AnnouncedFlood) async {
        await #expect(processExitsWith: .success) { [flood = flood as AnnouncedFlood] in
            try await flood.run()
        }
    }
}
