import CLinux
import Glibc

/// The owner of the socket at the other end of a TCP connection, as the kernel knows it.
///
/// A port of the loopback is open to every user of the machine. A server that asks before it reads
/// serves its own user only.
package enum SocketOwner: Hashable, Sendable {
    /// This user, or root, who may read the memory and the files of this process anyway.
    case own
    /// Another user of this machine.
    case other(UInt32)
    /// Somebody of this machine, and nothing proves who: the socket is closed already, or has ended
    /// its stream, or belongs to a user who has no number in this process's user namespace.
    case unproven
    /// Somebody on another machine, or in another network namespace.
    case elsewhere

    /// The number of all users that a user namespace has no number for, in `user_namespaces(7)`.
    private static let overflow: UInt32 = 65_534

    /// The owner of the socket at the other end of `connection`.
    package init(ofPeerOf connection: Descriptor) {
        self = Self.ask(connection, ofPeer: true) ?? .unproven
    }

    /// Whether the kernel tells whose `listener` is, which must be a listening socket of this
    /// process.
    ///
    /// It does not where netlink or the module `inet_diag` is missing, as in some containers.
    package static func isKnown(of listener: Descriptor) -> Bool {
        ask(listener, ofPeer: false) == .own
    }

    private static func ask(_ socket: Descriptor, ofPeer: Bool) -> SocketOwner? {
        var owner = parley_owner()
        guard parley_socket_owner(socket.number, ofPeer, &owner) == 0 else { return nil }
        guard owner.is_found else { return owner.is_local ? .unproven : .elsewhere }
        switch owner.user {
        case overflow: return .unproven
        case 0, geteuid(): return .own
        default: return .other(owner.user)
        }
    }
}
