import Foundation
import Glibc
import ParleyLoop
import TestSupport
import Testing

/// The kernel tells whose socket is at the other end of a connection.
@Suite(.serialized) struct SocketOwnerTests {
    /// A listening socket on a port of 127.0.0.1, or of all addresses of both families.
    private struct Listener {
        let descriptor: Descriptor
        let port: UInt16

        init(dual: Bool) throws {
            let kind = Int32(SOCK_STREAM.rawValue)
            let number = socket(dual ? AF_INET6 : AF_INET, kind, 0)
            descriptor = Descriptor(adopting: number)
            var four = RawPeer.loopback(0)
            var six = sockaddr_in6()
            six.sin6_family = sa_family_t(AF_INET6)
            let result =
                dual
                ? Self.call(&six) { bind(number, $0, $1) }
                : Self.call(&four) { bind(number, $0, $1) }
            try check(result, "bind")
            try check(listen(number, 16), "listen")
            var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
            try check(Self.call(&six) { name, _ in getsockname(number, name, &size) }, "name")
            port = UInt16(bigEndian: six.sin6_port)
        }

        /// Accepts the next connection, within ten seconds.
        func accept() throws -> Descriptor {
            var wanted = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
            try #require(poll(&wanted, 1, 10_000) == 1)
            return Descriptor(adopting: Glibc.accept(descriptor.number, nil, nil))
        }

        static func call<Address>(
            _ address: inout Address,
            _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Int32
        ) -> Int32 {
            withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<Address>.size))
                }
            }
        }
    }

    /// Connects to `host` with a program of another user, which waits until `body` has returned.
    private func withOther(
        _ host: String,
        _ port: UInt16,
        user: UInt32 = 4_242,
        _ body: () throws -> Void
    ) async throws {
        let files = try TestDirectory()
        let child = try Child(
            [
                "/usr/bin/env", "setpriv", "--reuid", "\(user)", "--clear-groups", "bash", "-c",
                "exec 3<>/dev/tcp/\(host)/\(port); sleep 60",
            ],
            environment: ProcessInfo.processInfo.environment,
            output: files.path("output"),
            errors: files.path("errors")
        )
        defer { child.signal(SIGKILL) }
        try body()
    }

    /// An IPv4 client of a listener for both families has a mapped address there.
    @Test(arguments: [false, true]) func ownConnectionsAreOwn(dual: Bool) throws {
        let listener = try Listener(dual: dual)
        #expect(SocketOwner.isKnown(of: listener.descriptor))
        let peer = try RawPeer(port: listener.port)
        let connection = try listener.accept()
        #expect(SocketOwner(ofPeerOf: connection) == .own)
        peer.send("x")
        #expect(SocketOwner(ofPeerOf: connection) == .own)
    }

    /// A socket that is closed reads as one of root, and proves nothing.
    @Test func aClosedConnectionProvesNothing() throws {
        let listener = try Listener(dual: false)
        do {
            let peer = try RawPeer(port: listener.port)
            peer.send("x")
        }
        #expect(SocketOwner(ofPeerOf: try listener.accept()) == .unproven)
    }

    // MARK: Without an address of the loopback

    /// The first IPv4 address of this machine that is none of the loopback.
    private static let address: in_addr? = {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return nil }
        defer { freeifaddrs(first) }
        for entry in sequence(first: first, next: { $0?.pointee.ifa_next }) {
            guard let entry, let name = entry.pointee.ifa_addr,
                name.pointee.sa_family == sa_family_t(AF_INET),
                entry.pointee.ifa_flags & UInt32(IFF_LOOPBACK) == 0
            else { continue }
            return name.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_addr }
        }
        return nil
    }()

    private static let noAddress: Comment = "this machine has no address but those of the loopback"

    /// A client at the address of this machine, of a listener there or on 127.0.0.1.
    private func client(of listener: Listener, onLoopback: Bool) throws -> RawPeer {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let peer = try RawPeer(adopting: number)
        var from = RawPeer.loopback(0)
        from.sin_addr = try #require(Self.address)
        try check(Listener.call(&from) { bind(number, $0, $1) }, "bind")
        var to = RawPeer.loopback(listener.port)
        if !onLoopback { to.sin_addr = from.sin_addr }
        try check(Listener.call(&to) { connect(number, $0, $1) }, "connect")
        return peer
    }

    /// The listeners on 127.0.0.1 and on all addresses, which is connected to on both.
    private static let ways = [(false, true), (true, true), (true, false)]

    @Test(.enabled(if: address != nil, noAddress), arguments: ways)
    func anotherAddressOfThisMachineIsNotElsewhere(dual: Bool, onLoopback: Bool) throws {
        let listener = try Listener(dual: dual)
        let peer = try client(of: listener, onLoopback: onLoopback)
        let connection = try listener.accept()
        #expect(SocketOwner(ofPeerOf: connection) == .own)
        peer.endSending()
        #expect(SocketOwner(ofPeerOf: connection) == .unproven)
    }

    /// Regression: whoever ended its stream before the node asked was taken for another machine.
    @Test(.enabled(if: address != nil, noAddress), arguments: ways)
    func aStreamThatHasEndedProvesNothing(dual: Bool, onLoopback: Bool) throws {
        let listener = try Listener(dual: dual)
        let peer = try client(of: listener, onLoopback: onLoopback)
        peer.send("x")
        peer.endSending()
        #expect(SocketOwner(ofPeerOf: try listener.accept()) == .unproven)
    }

    /// The kernel forgets a closed socket after a second if it is told to, and what was sent can
    /// still be read.
    @Test(.enabled(if: address != nil, noAddress), arguments: ways)
    func aForgottenSocketProvesNothing(dual: Bool, onLoopback: Bool) throws {
        let listener = try Listener(dual: dual)
        do {
            let peer = try client(of: listener, onLoopback: onLoopback)
            var second: Int32 = 1
            let width = socklen_t(MemoryLayout<Int32>.size)
            let set = setsockopt(peer.number, Int32(IPPROTO_TCP), TCP_LINGER2, &second, width)
            try check(set, "setsockopt")
            peer.send("x")
        }
        // The kernel forgets the socket after a second, and nothing tells when it has.
        usleep(2_500_000)
        #expect(SocketOwner(ofPeerOf: try listener.accept()) == .unproven)
    }

    @Test(
        .enabled(if: geteuid() == 0),
        arguments: [("127.0.0.1", false), ("127.0.0.1", true), ("::1", true)]
    )
    func connectionsOfOthersAreTheirs(host: String, dual: Bool) async throws {
        let listener = try Listener(dual: dual)
        try await withOther(host, listener.port) {
            let connection = try listener.accept()
            #expect(SocketOwner(ofPeerOf: connection) == .other(4_242))
        }
    }
    /// All users that a user namespace has no number for share one, so it proves nobody.
    @Test(.enabled(if: geteuid() == 0))
    func theNumberOfAllUnknownUsersProvesNothing() async throws {
        let listener = try Listener(dual: false)
        try await withOther("127.0.0.1", listener.port, user: 65_534) {
            let connection = try listener.accept()
            #expect(SocketOwner(ofPeerOf: connection) == .unproven)
        }
    }
}
