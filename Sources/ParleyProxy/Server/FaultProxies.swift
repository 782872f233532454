import Dispatch
import Glibc
package import ParleyLoop

/// All proxies of a process with their connections, on one serial queue.
package actor FaultProxies {
    /// The reasons for a wake-up at a time.
    enum Wake {
        /// The chain of a stream has something that leaves.
        case stream(UInt64, StreamDirection)
        /// A client has waited long enough to be accepted.
        case accept(UInt64)
    }

    nonisolated let executor: QueueExecutor
    let resolver = DispatchQueue(label: "parley.proxy.resolver", attributes: .concurrent)
    /// The seed of proxies that have none of their own.
    let seed: UInt64
    let hasMetrics: Bool
    let observer: (any FaultObserver)?
    /// Hears, once until it is reached again, of a proxy whose server cannot be reached, with the
    /// address and the reason.
    let unreachable: @Sendable (_ proxy: String, _ words: String) -> Void
    private let start = FaultProxies.now()
    var entries: [String: ProxyEntry] = [:]
    var connections: [UInt64: ProxiedConnection] = [:]
    var lastID: UInt64 = 0
    let buffer = ReadBuffer()
    private var watched: SocketSet<StreamKey>?
    /// The sockets of all streams; nil as long as no descriptor is left for the set itself.
    var sockets: SocketSet<StreamKey>? {
        if watched == nil {
            watched = SocketSet(on: executor) { [weak self] in
                self?.assumeIsolated { $0.serve() }
            }
        }
        return watched
    }
    private lazy var clock = WakeClock<Wake>(on: executor) { [weak self] in
        self?.assumeIsolated { $0.fire() }
    }

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Makes an empty collection, with metrics if they are wanted.
    package init(
        seed: UInt64,
        hasMetrics: Bool = false,
        observer: (any FaultObserver)? = nil,
        unreachable: @escaping @Sendable (_ proxy: String, _ words: String) -> Void = { _, _ in },
        on executor: QueueExecutor = QueueExecutor(label: "parley.proxy")
    ) {
        self.seed = seed
        self.hasMetrics = hasMetrics
        self.observer = observer
        self.unreachable = unreachable
        self.executor = executor
    }

    /// The time of the machine since its start.
    static func now() -> ProxyTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return ProxyTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// The time since the start.
    func milliseconds(at now: ProxyTime) -> Int64 {
        (now.nanoseconds - start.nanoseconds) / 1_000_000
    }

    func wake(_ what: Wake, at time: ProxyTime, now: ProxyTime) {
        clock.add(what, at: time, now: now)
    }

    private func fire() {
        clock.fire(at: Self.now()) { what, time, now in
            switch what {
            case .stream(let id, let direction): streamIsDue(id, direction, time, now)
            case .accept(let id): connections[id].map { dial($0) }
            }
        }
    }
}

/// The room for one read, which all connections share.
final class ReadBuffer {
    let bytes: UnsafeMutableRawBufferPointer

    /// Large reads are cheap: the kernel hands over what has gathered.
    private static let byteCount = 256 << 10

    init() {
        bytes = .allocate(byteCount: Self.byteCount, alignment: 64)
    }

    deinit {
        bytes.deallocate()
    }
}
