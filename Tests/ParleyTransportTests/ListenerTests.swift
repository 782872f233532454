import Glibc
import ParleyCore
import ParleyLoop
import ParleyTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ListenerTests {
    @Test func bothFamiliesShareOnePort() async throws {
        let server = try TestNode(key: 1)
        let client = try TestNode(key: 2)
        let bound = try server.onLoop { try $0.listen(on: SocketAddress.any(port: 0)) }
        let port = try #require(bound.first).port
        #expect(port != 0)
        #expect(bound == SocketAddress.any(port: port))
        for address in [SocketAddress.loopback4(port: port), .loopback6(port: port)] {
            _ = try await client.connect(to: server, at: address)
        }
        let remotes = server.recorder.log.opened.map(\.opening.remote.ip)
        #expect(remotes == [.v4(0x7f00_0001), .v6(Bytes16(0, 1))])
        client.stop()
        server.stop()
    }

    @Test func aPortInUseIsNamed() throws {
        let first = try TestNode(key: 1)
        let second = try TestNode(key: 2)
        let address = try first.listen()
        let error = #expect(throws: TransportError.self) {
            try second.onLoop { try $0.listen(on: [address]) }
        }
        #expect(error == .portInUse(address.port))
        first.stop()
        second.stop()
    }

    @Test func whatIsNotHereCannotBeListenedOn() throws {
        let node = try TestNode(key: 1)
        let address = try SocketAddress(parsing: "192.0.2.1:0")
        #expect(throws: TransportError.addressNotHere(address)) {
            try node.onLoop { try $0.listen(on: [address]) }
        }
        node.stop()
    }

    @Test func listeningEndsAndConnectionsStay() async throws {
        let server = try TestNode(key: 1)
        let client = try TestNode(key: 2)
        let address = try server.listen()
        let link = try await client.connect(to: server, at: address)
        server.onLoop { $0.stopListening() }
        let refused = [DialFailure(endpoint: .address(address), reason: .refused)]
        // The socket is closed soon after. Until then the kernel still completes connections, and
        // the close resets them.
        while true {
            let dial = client.onLoop { $0.dial([.address(address)]) }
            let failures = try await eventually("refused") { client.recorder.log.failures[dial] }
            if failures == refused { break }
        }
        client.onLoop { $0.send([1], to: link.here) }
        try await eventually("a byte") { server.recorder.log.received[link.there] == [1] }
        client.stop()
        server.stop()
    }

    /// The test runs in a child process, because the limit of descriptors applies to a process.
    @Test func whenDescriptorsRunOutTheListenerPausesAndComesBack() async throws {
        await #expect(processExitsWith: .success) {
            try await ListenerTests.runOutOfDescriptors()
        }
    }

    private static func runOutOfDescriptors() async throws {
        var settings = TransportSettings()
        settings.accepting.pause = .milliseconds(50)
        let server = try TestNode(key: 1, settings: settings)
        let client = try TestNode(key: 2)
        let address = try server.listen()
        let early = try await client.connect(to: server, at: address)

        // The limit leaves exactly as many descriptors as the listener must leave free.
        let waiting = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = rlim_t(waiting + 1) + rlim_t(settings.accepting.descriptorsLeft)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        var target = RawPeer.loopback(address.port)
        let result = withUnsafePointer(to: &target) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(waiting, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try check(result, "connect")
        try await eventually("the listener pauses") {
            server.recorder.log.pauses == [.system(call: "accept", errno: EMFILE)]
        }
        // Existing connections still work, and the process does not burn the CPU.
        client.onLoop { $0.send([1], to: early.here) }
        try await eventually("a byte") { server.recorder.log.received[early.there] == [1] }
        let before = clock()
        // The test measures the CPU time of half an idle second.
        try await Task.sleep(for: .milliseconds(500))
        let used = Double(clock() - before) / Double(CLOCKS_PER_SEC)
        guard used < 0.25 else { throw TestFailure("used \(used) s of CPU in 0.5 s") }

        limit.rlim_cur = rlim_t(waiting + 64)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        try await eventually("the waiting one is accepted", within: .seconds(2)) {
            server.recorder.log.arrived.count == 2 && server.recorder.log.pauses.last == .some(nil)
        }
        guard server.recorder.log.pauses.count == 2 else { throw TestFailure("told too often") }
    }
}
