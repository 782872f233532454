import ParleyLoop

/// A socket of a connection, known by the stream that comes from it.
typealias ProxiedSocket = WatchedSocket<StreamKey>

/// A stream of one of the connections.
struct StreamKey {
    let connection: UInt64
    let direction: StreamDirection
}

/// One stream of a connection: read from a socket, passed through its chain, and written to the
/// other socket.
///
/// Without toxics bytes go from one socket to the other through a buffer that all streams share,
/// and are copied only if the receiver is slow.
final class StreamFlow {
    let source: ProxiedSocket
    let target: ProxiedSocket
    var chain: ToxicChain
    /// The time for which the owner has a wake-up.
    var armed = ProxyTime.never
    private(set) var received: UInt64 = 0
    private(set) var sent: UInt64 = 0
    /// How the connection is to end because of this stream; nil as long as it goes on.
    private(set) var verdict: Verdict?
    /// Whether the end was read, or the source has failed.
    private(set) var isSourceDone = false
    /// Whether the end was passed on.
    private(set) var isEndSent = false
    /// Whether the target takes nothing more.
    private(set) var isTargetGone = false
    /// Whether nobody says any more that there is something to read.
    private var wasLast = false
    /// The items that are through the chain and not written, from `first` on.
    private var output: [StreamItem] = []
    private var first = 0

    enum Verdict {
        case close
        case reset
    }

    /// The most reads before other streams have their turn.
    private static let readsMax = 4

    init(from source: ProxiedSocket, to target: ProxiedSocket, _ chain: ToxicChain) {
        self.source = source
        self.target = target
        self.chain = chain
    }

    // MARK: Reading

    /// Reads what has arrived and writes what may leave.
    ///
    /// - Parameters:
    ///   - buffer: Room for one read.
    ///   - now: The time of the read.
    ///   - isLast: Whether nobody will call again, so that everything must be read.
    func read(_ buffer: UnsafeMutableRawBufferPointer, at now: ProxyTime, isLast: Bool = false) {
        var reads = 0
        if isLast { wasLast = true }
        while verdict == nil, !isSourceDone {
            guard output.isEmpty, !chain.isFull else {
                source.reads = false
                return
            }
            source.reads = true
            guard wasLast || reads < Self.readsMax else { return }
            reads += 1
            switch ProxySocket.read(source.descriptor, into: buffer) {
            case .moved(let count):
                received += UInt64(count)
                pass(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: now)
                if count < buffer.count, !wasLast { return }
            case .end: sourceIsDone(.end, at: now)
            case .failed: sourceIsDone(.reset, at: now)
            case .wait: return
            }
        }
    }

    /// Passes the mark with which the source ends, once.
    func sourceIsDone(_ mark: StreamItem, at now: ProxyTime) {
        guard !isSourceDone else { return }
        isSourceDone = true
        source.reads = false
        take(chain.push(mark, at: now))
    }

    private func pass(_ bytes: UnsafeRawBufferPointer, at now: ProxyTime) {
        guard chain.isIdle else {
            take(chain.push(ArraySlice(bytes), at: now))
            return
        }
        chain.skip(bytes.count)
        var left = bytes
        while !left.isEmpty, !isTargetGone {
            switch ProxySocket.write(target.descriptor, left) {
            case .moved(let count):
                sent += UInt64(count)
                left = UnsafeRawBufferPointer(rebasing: left[count...])
            case .wait:
                output.append(.bytes(Parcel(ArraySlice(left), at: chain.offset)))
                target.writes = true
                return
            case .end, .failed: isTargetGone = true
            }
        }
    }

    // MARK: Writing

    /// Writes what came out of the chain.
    func take(_ items: [StreamItem]) {
        output += items
        if items.contains(.reset) { verdict = .reset }
        flush()
    }

    /// Writes as much as the target takes.
    func flush() {
        while first < output.count, verdict == nil {
            switch output[first] {
            case .bytes(let parcel):
                guard write(parcel) else {
                    target.writes = true
                    return
                }
            case .end:
                isEndSent = true
                ProxySocket.sendEnd(target.descriptor)
            case .close: verdict = .close
            case .reset: verdict = .reset
            }
            first += 1
        }
        output.removeAll(keepingCapacity: output.count < 64)
        first = 0
        target.writes = false
    }

    /// Whether all bytes are written; if not, those that are left are the first output.
    private func write(_ parcel: Parcel) -> Bool {
        var parcel = parcel
        while !parcel.bytes.isEmpty, !isTargetGone {
            switch parcel.bytes.withUnsafeBytes({ ProxySocket.write(target.descriptor, $0) }) {
            case .moved(let count):
                sent += UInt64(count)
                _ = parcel.takeFirst(count)
            case .wait:
                output[first] = .bytes(parcel)
                return false
            case .end, .failed: isTargetGone = true
            }
        }
        return true
    }

    /// Stops watching the sockets.
    func stop() {
        source.leave()
        target.leave()
    }
}
