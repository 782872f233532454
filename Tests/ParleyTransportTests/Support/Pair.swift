import Glibc
import ParleyLoop
import Synchronization

/// Two connected sockets; the far one shows whether the near one is closed.
final class Pair: Sendable {
    var near: Descriptor { held.withLock { $0 } ?? Descriptor(adopting: -1) }
    private let held: Mutex<Descriptor?>
    private let far: Mutex<Descriptor?>

    init() throws {
        var numbers: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)
        try check(socketpair(AF_UNIX, kind, 0, &numbers), "socketpair")
        held = Mutex(Descriptor(adopting: numbers[0]))
        far = Mutex(Descriptor(adopting: numbers[1]))
    }

    func write() {
        var byte: UInt8 = 1
        _ = far.withLock { send($0?.number ?? -1, &byte, 1, Int32(MSG_NOSIGNAL)) }
    }

    /// Releases the test's reference to the near end.
    func letGo() { held.withLock { $0 = nil } }

    /// Closes the far end.
    func hangUp() { far.withLock { $0 = nil } }

    var isClosed: Bool {
        var byte: UInt8 = 0
        return far.withLock { recv($0?.number ?? -1, &byte, 1, 0) } == 0
    }
}
