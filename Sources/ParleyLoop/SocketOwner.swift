import CLinux
import Glibc

/// The owner of the socket at the other end of a TCP connection, according to the kernel.
///
/// Every user of the machine can connect to a port on the loopback. A server that checks the owner
/// before reading serves its own user only.
package enum SocketOwner: Hashable, Sendable {
    /// This user, or root, who can read the memory and files of this process anyway.
    case own
    /// Another user of this machine.
    case other(UInt32)
    /// A user of this machine, unknown because the socket has ended or the user has no number here.
    case unproven
    /// Somebody on another machine, or in another network namespace.
    case elsewhere

    /// Stands for users without a number in the user namespace, in `user_namespaces(7)`.
    private static let overflow: UInt32 = 65_534

    /// The owner of the socket at the other end of `connection`.
    package init(ofPeerOf connection: Descriptor) {
        self = Self.ask(connection, ofPeer: true) ?? .unproven
    }

    /// Whether the kernel reports owners, asked for `listener`, a listening socket of this process.
    ///
    /// The kernel does not if netlink or the module `inet_diag` is missing, as in some containers.
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
