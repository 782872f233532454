import ParleyLoop

/// A listening socket and the loop that accepts connections on it.
struct Listener {
    let loop: AcceptLoop
    /// The address that the socket is bound to, with the port that the kernel chose.
    let address: SocketAddress
}
