import ParleyDiscovery
import Testing

struct ClientMachineTests {
    private let now: Duration = .seconds(100)

    @Test func populatesOnceTheDaemonRuns() {
        var client = ClientMachine()
        #expect(client.started() == .connect)
        #expect(client.started() == .none)
        #expect(client.reported(.registering, at: now) == .none)
        #expect(client.state == .settling)
        #expect(client.reported(.running, at: now) == .populate)
        #expect(client.reported(.running, at: now) == .none)
        #expect(client.takeOutage() == false)
        #expect(client.wakeAt == nil)
    }

    @Test func suspendsWhileAHostNameIsChosen() {
        var client = ClientMachine()
        _ = client.started()
        _ = client.reported(.running, at: now)
        #expect(client.reported(.collision, at: now) == .suspend)
        #expect(client.reported(.registering, at: now) == .none)
        #expect(client.reported(.running, at: now) == .populate)
    }

    /// The machine retries after 100, 200, 400 and 800 ms and then every second, with one warning.
    @Test func asksForTheBusMoreAndMoreSeldom() {
        var client = ClientMachine()
        var now = now
        var waits: [Duration] = []
        _ = client.started()
        #expect(client.takeOutage() == false)
        for round in 0..<7 {
            client.connectFailed(at: now)
            #expect(client.takeOutage() == (round == 0))
            guard let wake = client.wakeAt else { break }
            waits.append(wake - now)
            #expect(client.woke(at: wake - .milliseconds(1)) == .none)
            now = wake
            #expect(client.woke(at: now) == .connect)
            #expect(client.woke(at: now) == .none)
        }
        #expect(waits == [100, 200, 400, 800, 1_000, 1_000, 1_000].map { .milliseconds($0) })
    }

    @Test func discardsADeadConnectionAndMakesAnother() {
        var client = ClientMachine()
        _ = client.started()
        _ = client.reported(.running, at: now)
        #expect(client.reported(.failure, at: now) == .discard)
        #expect(client.takeOutage() == true)
        // Late reports of the discarded connection are ignored.
        #expect(client.reported(.running, at: now) == .none)
        #expect(client.woke(at: now + .milliseconds(100)) == .connect)
        #expect(client.reported(.connecting, at: now) == .none)
        #expect(client.state == .daemonAbsent)
        #expect(client.takeOutage() == false)
        #expect(client.reported(.running, at: now) == .populate)
        // A daemon that ran for less than `proof` has not ended the outage. After a longer run, the
        // next outage is reported again.
        var now = now
        for (lasting, isReported) in [(9, false), (10, true)] {
            now += .seconds(lasting)
            #expect(client.reported(.failure, at: now) == .discard)
            #expect(client.takeOutage() == isReported)
            now += .seconds(1)
            #expect(client.woke(at: now) == .connect)
            #expect(client.reported(.running, at: now) == .populate)
        }
    }

    @Test func isFinalWhenStopped() {
        var client = ClientMachine()
        #expect(client.stopped() == .none)
        _ = client.started()
        client.connectFailed(at: now)
        #expect(client.stopped() == .discard)
        #expect(client.wakeAt == nil)
        #expect(client.woke(at: .seconds(1_000)) == .none)
        #expect(client.reported(.running, at: now) == .none)
        #expect(client.started() == .connect)
    }
}
