import Glibc
import Logging
import ParleyLoop
import Synchronization

/// Decides by the owner of a connection's other end whether to read from it, and tells the log.
final class PageOwners: Sendable {
    private let logger: Logger
    /// The other users that the log names already.
    private let reported = Mutex<Set<UInt32>>([])

    /// The most users that the log names, as anybody can make connections.
    private static let reportedMax = 16

    init(logger: Logger) {
        self.logger = logger
    }

    /// Whether the owner of the other end may open the page; only the sign-in keeps out other
    /// machines.
    func admit(_ owner: SocketOwner) -> Bool {
        switch owner {
        case .own, .elsewhere: return true
        case .unproven: report(Self.nobody, " (or a connection that was closed already)")
        case .other(let user): report(user)
        }
        return false
    }

    /// Stands for users without a number in the user namespace, in `user_namespaces(7)`.
    private static let nobody: UInt32 = 65_534

    private func report(_ user: UInt32, _ addition: String = "") {
        let isNew = reported.withLock { $0.count < Self.reportedMax && $0.insert(user).inserted }
        guard isNew else { return }
        logger.warning(
            """
            turned user \(user) away from the page, which is for user \(geteuid()) only\(addition)
            """
        )
    }

    /// Notes that the kernel does not tell owners here.
    func cannotAsk() {
        logger.warning(
            """
            the kernel does not tell whose connections are made to the page (NETLINK_SOCK_DIAG), \
            so other users of this machine are kept out by the sign-in only
            """
        )
    }
}
