import Dispatch
import Glibc
import Synchronization
import Testing

/// A TCP proxy on the loopback that cuts or holds each connection on which so many bytes came.
///
/// A connection has two threads.
final class CuttingProxy: Sendable {
    /// What happens to a connection that has brought as many bytes as it may.
    enum End: Sendable {
        case cut, held
    }

    private struct State {
        var most = Int.max
        var end = End.cut
        var brought = 0
        var pairs: [Pair] = []
        var isOver = false
    }

    /// Both halves of a connection, which are closed with the proxy.
    private final class Pair: Sendable {
        let client: Int32
        let node: Int32

        init(client: Int32, node: Int32) { (self.client, self.node) = (client, node) }

        deinit {
            close(client)
            close(node)
        }

        func cut() {
            shutdown(client, Int32(SHUT_RDWR))
            shutdown(node, Int32(SHUT_RDWR))
        }
    }

    private let state = Mutex(State())
    private let listener: Int32
    private let target: UInt16
    /// Where the proxy listens.
    let address: String

    /// Listens for connections to a node at that address.
    init(to node: String) throws {
        target = try #require(node.split(separator: ":").last.flatMap { UInt16($0) })
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var (bound, size) = (sockaddr_in(port: 0), socklen_t(MemoryLayout<sockaddr_in>.size))
        let isListening =
            bound.with { bind(listener, $0, size) } == 0 && listen(listener, 16) == 0
            && bound.with { getsockname(listener, $0, &size) } == 0
        try #require(isListening)
        address = "127.0.0.1:\(UInt16(bigEndian: bound.sin_port))"
        aside { self.accept() }
    }

    /// All bytes that the node has sent through the proxy.
    var brought: Int { state.withLock { $0.brought } }

    /// From now on a connection brings hardly more than so many bytes.
    func limit(to most: Int, _ end: End) {
        state.withLock { ($0.most, $0.end) = (most, end) }
    }

    /// Cuts all connections, and takes no more.
    func stop() {
        let pairs = state.withLock { state in
            state.isOver = true
            defer { state.pairs = [] }
            return state.pairs
        }
        shutdown(listener, Int32(SHUT_RDWR))
        for pair in pairs { pair.cut() }
    }

    private func aside(_ work: @escaping @Sendable () -> Void) {
        DispatchQueue(label: "proxy").async(execute: work)
    }

    private func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else { break }
            let pair = Pair(client: client, node: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
            var address = sockaddr_in(port: target)
            let size = socklen_t(MemoryLayout<sockaddr_in>.size)
            guard address.with({ connect(pair.node, $0, size) }) == 0 else { continue }
            let isOver = state.withLock { state in
                state.pairs.append(pair)
                return state.isOver
            }
            if isOver { stop() }
            aside {
                self.pass(from: pair.client, to: pair.node) { _, _ in true }
                pair.cut()
            }
            aside {
                self.pass(from: pair.node, to: pair.client, self.mayPass)
                pair.cut()
            }
        }
        close(listener)
    }

    /// Counts bytes; returns whether the connection goes on after having brought `all`.
    private func mayPass(_ count: Int, all: Int) -> Bool {
        let (most, end) = state.withLock { state in
            state.brought += count
            return (state.most, state.end)
        }
        guard all > most else { return true }
        // A connection is held as long as the proxy lives.
        while end == .held, !state.withLock({ $0.isOver }) { usleep(10_000) }
        return false
    }

    private func pass(
        from source: Int32,
        to sink: Int32,
        _ mayPass: (_ count: Int, _ all: Int) -> Bool
    ) {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        var all = 0
        while true {
            let count = read(source, &bytes, bytes.count)
            guard count > 0 else { return }
            all += count
            guard mayPass(count, all) else { return }
            var written = 0
            while written < count {
                let done = bytes[written..<count].withUnsafeBytes {
                    send(sink, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard done > 0 else { return }
                written += done
            }
        }
    }
}

extension sockaddr_in {
    /// A port of the loopback.
    fileprivate init(port: UInt16) {
        self.init()
        sin_family = sa_family_t(AF_INET)
        sin_port = port.bigEndian
        sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    }

    fileprivate mutating func with<Result>(
        _ body: (UnsafeMutablePointer<sockaddr>) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &self) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }
}
