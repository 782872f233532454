import Glibc
import ParleyCore
import ParleyTransport
import TestSupport
import Testing

/// A dial tries all its endpoints and leads to at most one connection.
@Suite(.timeLimit(.minutes(5)))
struct DialTests {
    @Test func namesAreLookedUp() async throws {
        let server = try TestNode(key: 1)
        let client = try TestNode(key: 2)
        let port = try server.listen().port
        let endpoint = try Endpoint(parsing: "localhost:\(port)")
        let dial = client.onLoop { $0.dial([endpoint]) }
        let opening = try await eventually("open") { client.recorder.log.opened.first?.opening }
        #expect(opening.dial == dial)
        #expect(opening.remote == .loopback4(port: port))
        client.stop()
        server.stop()
    }

    @Test func unknownNamesAreToldWithEverythingElseThatFailed() async throws {
        let client = try TestNode(key: 2)
        let closed = try RawListener().address
        let name = try Endpoint(parsing: "no-such-name.invalid:1")
        let dial = client.onLoop { $0.dial([name, .address(closed)]) }
        let failures = try await eventually("failed") { client.recorder.log.failures[dial] }
        #expect(failures.count == 2)
        #expect(failures.contains(DialFailure(endpoint: .address(closed), reason: .refused)))
        let reason = try #require(failures.first { $0.endpoint == name }).reason
        guard case .nameNotFound("no-such-name.invalid", _) = reason else {
            Issue.record("\(reason)")
            return
        }
        client.stop()
    }

    @Test func aDialWithoutAddressFails() async throws {
        let client = try TestNode(key: 2)
        let dial = client.onLoop { $0.dial([]) }
        let failures = try await eventually("failed") { client.recorder.log.failures[dial] }
        #expect(failures.isEmpty)
        client.stop()
    }

    @Test func theNextAddressDoesNotWaitForOneThatIsSilent() async throws {
        let silent = try SilentListener()
        let server = try TestNode(key: 1)
        let client = try TestNode(key: 2)
        let address = try server.listen()
        let begin = ContinuousClock.now
        _ = client.onLoop { $0.dial([.address(silent.address), .address(address)]) }
        let opening = try await eventually("open") { client.recorder.log.opened.first?.opening }
        #expect(opening.remote == address)
        #expect(ContinuousClock.now - begin >= .milliseconds(250))
        client.stop()
        server.stop()
    }

    @Test func theNextAddressStartsAtOnceWhenOneFails() async throws {
        let closed = try RawListener().address
        var settings = TransportSettings()
        settings.dialStagger = .seconds(30)
        let server = try TestNode(key: 1)
        let client = try TestNode(key: 2, settings: settings)
        let address = try server.listen()
        _ = client.onLoop { $0.dial([.address(closed), .address(address)]) }
        let opening = try await eventually("open") { client.recorder.log.opened.first?.opening }
        #expect(opening.remote == address)
        client.stop()
        server.stop()
    }

    @Test func silenceEndsAtTheDeadline() async throws {
        let silent = try SilentListener()
        var settings = TransportSettings()
        settings.connectTimeout = .milliseconds(200)
        let client = try TestNode(key: 2, settings: settings)
        let dial = client.onLoop { $0.dial([.address(silent.address)]) }
        let failures = try await eventually("failed") { client.recorder.log.failures[dial] }
        #expect(failures.map(\.reason) == [.connectTimeout])
        client.stop()
    }
}

/// A listener that does not answer a SYN, because its backlog is full.
final class SilentListener {
    let address: SocketAddress
    private let listener: RawListener
    private var fillers: [Int32] = []

    init() throws {
        listener = try RawListener(backlog: 0)
        address = listener.address
        for _ in 0..<4 {
            let filler = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            var target = RawPeer.loopback(listener.port)
            withUnsafePointer(to: &target) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    _ = connect(filler, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            fillers.append(filler)
        }
    }

    deinit {
        for filler in fillers { close(filler) }
    }
}
