import Glibc
package import ParleyLoop

/// Reports changes of the addresses and carriers of this machine, a short time after they happened.
///
/// The kernel also reports events that do not matter here, such as renewed lifetimes, so the watch
/// compares lists of addresses and reports only differences.
package actor NetworkWatch {
    private nonisolated let executor: QueueExecutor
    private let settle: Duration
    private let list: @Sendable () -> [LocalAddress]
    private let changed: @Sendable ([LocalAddress]) -> Void
    private var known: Set<LocalAddress> = []
    private var descriptor: Descriptor?
    private var source: ReadSource?
    private var timer: LoopTimer?
    private var isArmed = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Makes a watch that has not been started.
    ///
    /// - Parameters:
    ///   - executor: The loop that `changed` is called on.
    ///   - settle: The delay from the first report of the kernel to the comparison, so that a burst
    ///     of reports gives one change.
    ///   - list: Returns the addresses of this machine.
    ///   - changed: Called with the new list.
    package init(
        on executor: QueueExecutor,
        settle: Duration = .milliseconds(250),
        list: @escaping @Sendable () -> [LocalAddress] = { LocalAddress.all() },
        changed: @escaping @Sendable ([LocalAddress]) -> Void
    ) {
        self.executor = executor
        self.settle = settle
        self.list = list
        self.changed = changed
    }

    /// Starts the watch; must be called on the executor's queue.
    ///
    /// - Throws: `TransportError.system` if there is no netlink socket; `check` still works.
    package nonisolated func start() throws(TransportError) {
        let result: Result<Void, TransportError> = assumeIsolated { watch in
            do throws(TransportError) { return .success(try watch.open()) } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// Stops the watch for good; must be called on the executor's queue.
    package nonisolated func stop() {
        assumeIsolated { watch in
            watch.source = nil
            watch.timer = nil
            watch.descriptor = nil
        }
    }

    /// Compares the list of addresses after the settling time and reports a difference.
    ///
    /// Must be called on the executor's queue. Reports of the kernel lead here; after the machine
    /// has slept, the owner has to call.
    package nonisolated func check() {
        assumeIsolated { $0.scheduleList() }
    }

    private func open() throws(TransportError) {
        known = Set(list())
        timer = LoopTimer(on: executor) { [weak self] in
            self?.assumeIsolated { $0.compare() }
        }
        let descriptor = try Self.makeSocket()
        source = ReadSource(descriptor, on: executor) { [weak self] _ in
            self?.assumeIsolated { $0.reportsArrived() }
        }
        self.descriptor = descriptor
    }

    /// Schedules a comparison for any report, even a lost one, and discards the contents.
    private func reportsArrived() {
        guard let descriptor else { return }
        withUnsafeTemporaryAllocation(byteCount: 8 << 10, alignment: 8) { buffer in
            while recv(descriptor.number, buffer.baseAddress, buffer.count, 0) > 0 {}
        }
        scheduleList()
    }

    private func scheduleList() {
        guard !isArmed, let timer else { return }
        isArmed = true
        timer.arm(after: settle)
    }

    private func compare() {
        isArmed = false
        let now = list()
        guard Set(now) != known else { return }
        known = Set(now)
        changed(now)
    }

    /// Makes a routing socket that receives changes of links and addresses (rtnetlink(7)).
    private static func makeSocket() throws(TransportError) -> Descriptor {
        let kind = Int32(SOCK_RAW.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let number = socket(AF_NETLINK, kind, 0)
        guard number >= 0 else { throw Socket.error("socket") }
        let descriptor = Descriptor(adopting: number)
        // Swift does not import struct sockaddr_nl, so an array stands in: family, padding, port
        // (0, so that the kernel chooses), groups RTMGRP_LINK, RTMGRP_IPV4_IFADDR,
        // RTMGRP_IPV6_IFADDR.
        var address: [UInt32] = [0, 0, 0x1 | 0x10 | 0x100]
        let size = socklen_t(address.count * MemoryLayout<UInt32>.size)
        let result = address.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: sa_family_t(AF_NETLINK), as: sa_family_t.self)
            return bytes.withMemoryRebound(to: sockaddr.self) {
                bind(number, $0.baseAddress, size)
            }
        }
        guard result == 0 else { throw Socket.error("bind") }
        return descriptor
    }
}
