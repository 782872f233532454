import ParleyLoop

/// A connection of a client through a proxy: two sockets, and a stream in each direction.
final class ProxiedConnection {
    /// The number among all connections of this process.
    let id: UInt64
    /// The number among those of its proxy, from 1, which the faults follow from.
    let number: UInt64
    let proxy: String
    let client: Descriptor
    let clientAddress: ProxyAddress
    let begin: ProxyTime
    /// The streams; none as long as the server is being dialled.
    private(set) var upstream: StreamFlow?
    private(set) var downstream: StreamFlow?
    /// The attempt to connect to the server, and the addresses that are left to try.
    var dial: (socket: Descriptor, watch: WriteSource)?
    var candidates: [ProxyAddress] = []

    init(
        id: UInt64,
        number: UInt64,
        proxy: String,
        client: Descriptor,
        from address: ProxyAddress,
        at now: ProxyTime
    ) {
        self.id = id
        self.number = number
        self.proxy = proxy
        self.client = client
        clientAddress = address
        begin = now
    }

    subscript(direction: StreamDirection) -> StreamFlow? {
        direction == .upstream ? upstream : downstream
    }

    /// Whether the connection is at its end: both ends were passed on, or a toxic has ended it.
    var isOver: Bool {
        guard let upstream, let downstream else { return false }
        return upstream.verdict != nil || downstream.verdict != nil
            || upstream.isEndSent && downstream.isEndSent
    }

    var isReset: Bool { upstream?.verdict == .reset || downstream?.verdict == .reset }

    /// Begins both streams.
    ///
    /// - Returns: whether the kernel watches both sockets.
    func begin(
        to server: Descriptor,
        in sockets: SocketSet<StreamKey>,
        _ chain: (StreamDirection) -> ToxicChain
    ) -> Bool {
        let (up, down) = (StreamDirection.upstream, StreamDirection.downstream)
        guard let client = sockets.add(client, as: StreamKey(connection: id, direction: up)) else {
            return false
        }
        guard let server = sockets.add(server, as: StreamKey(connection: id, direction: down))
        else {
            client.leave()
            return false
        }
        upstream = StreamFlow(from: client, to: server, chain(.upstream))
        downstream = StreamFlow(from: server, to: client, chain(.downstream))
        return true
    }

    /// Has a socket that takes nothing more end the stream that comes from it.
    func settle(at now: ProxyTime) {
        if upstream?.isTargetGone == true { downstream?.sourceIsDone(.reset, at: now) }
        if downstream?.isTargetGone == true { upstream?.sourceIsDone(.reset, at: now) }
    }

    /// Closes the sockets; a reset loses what they have not sent.
    func close(resets: Bool) {
        dial?.watch.cancel()
        dial = nil
        if resets {
            ProxySocket.resetOnClose(client)
            upstream.map { ProxySocket.resetOnClose($0.target.descriptor) }
        } else if upstream == nil {
            drain()
        }
        upstream?.stop()
        downstream?.stop()
        (upstream, downstream) = (nil, nil)
    }

    /// Reads what the client has sent: closing a socket with unread bytes would reset it.
    private func drain() {
        withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
            while case .moved = ProxySocket.read(client, into: buffer) {}
        }
    }
}
