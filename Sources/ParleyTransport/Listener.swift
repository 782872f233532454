import ParleyLoop

/// One listening socket and the loop that accepts its connections.
struct Listener {
    let loop: AcceptLoop
    /// The address that the socket is bound to, with the port that the kernel chose.
    let address: SocketAddress
}
