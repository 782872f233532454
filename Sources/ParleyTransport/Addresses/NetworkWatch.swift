import Glibc
package import ParleyLoop

/// Tells when the addresses or carriers of this machine have changed, once the changes have calmed.
///
/// The kernel also reports what does not matter here, such as renewed lifetimes; only a difference
/// between two lists of addresses is told.
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

    /// Prepares to watch.
    ///
    /// - Parameters:
    ///   - executor: The loop that `changed` is called on.
    ///   - settle: How long after the first report the list is made, so that a burst is one change.
    ///   - list: The addresses of this machine.
    ///   - changed: Told the new list.
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

    /// Begins to watch; called on the executor's queue.
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

    /// Ends the calls for good; called on the executor's queue.
    package nonisolated func stop() {
        assumeIsolated { watch in
            watch.source = nil
            watch.timer = nil
            watch.descriptor = nil
        }
    }

    /// Makes the list a little later and tells if it differs; called on the executor's queue.
    ///
    /// The kernel's reports lead here; after sleep somebody has to ask.
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

    /// The contents do not matter: any report is a reason to look, and so are lost ones.
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

    /// A routing socket that is told of links and addresses (rtnetlink(7)).
    private static func makeSocket() throws(TransportError) -> Descriptor {
        let kind = Int32(SOCK_RAW.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let number = socket(AF_NETLINK, kind, 0)
        guard number >= 0 else { throw Socket.error("socket") }
        let descriptor = Descriptor(adopting: number)
        // struct sockaddr_nl, which Swift's view of the C library does not have: family, padding,
        // port (the kernel chooses), groups RTMGRP_LINK, RTMGRP_IPV4_IFADDR, RTMGRP_IPV6_IFADDR.
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
