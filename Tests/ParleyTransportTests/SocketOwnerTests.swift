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
    private func withOther(_ host: String, _ port: UInt16, _ body: () throws -> Void) async throws {
        let files = try TestDirectory()
        let child = try Child(
            [
                "/usr/bin/env", "setpriv", "--reuid", "4242", "--clear-groups", "bash", "-c",
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
        #expect(SocketOwner.isTold(of: listener.descriptor))
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
}
