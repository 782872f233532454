import ParleyCore
import ParleyKeys
import ParleyTransport

/// Passes the events of connections to the files or to the links of a node, by what is spoken on
/// them, and tells the files what they need of the machine.
final class ConnectionSwitch: ConnectionObserver, FileHost {
    private weak let shell: NodeShell?
    private weak let files: FileService?

    /// A switch between two parts of a node, which outlive it.
    init(_ shell: NodeShell, _ files: FileService) {
        self.shell = shell
        self.files = files
    }

    // MARK: Connections

    func connectionArrived(_ id: ConnectionID, from remote: SocketAddress) -> Bool {
        shell?.connectionArrived(id, from: remote) ?? false
    }

    func connectionOpened(_ id: ConnectionID, _ opening: ConnectionOpening) {
        switch opening.spoken {
        case .link: shell?.connectionOpened(id, opening)
        case .file:
            progressed(id)
            files?.opened(id, opening)
        }
    }

    func connectionReceived(_ id: ConnectionID, _ bytes: Slice) {
        guard files?.received(id, bytes) != true else { return }
        onLoop { $0.gather(.received(LinkID(id.number), bytes), bytes: bytes.count) }
    }

    func connectionDrained(_ id: ConnectionID) {
        guard files?.drained(id) != true else { return }
        onLoop { shell in
            if shell.links.drained(id) { shell.gather(.drained(LinkID(id.number))) }
        }
    }

    func connectionClosed(_ id: ConnectionID, _ reason: TransportError) {
        guard files?.closed(id) == true else {
            shell?.connectionClosed(id, reason)
            return
        }
        closed(id)
    }

    func dialFailed(_ dial: TransportDialID, _ failures: [DialFailure]) {
        guard files?.dialFailed(dial) != true else { return }
        onLoop { shell in
            guard let dial = shell.links.ended(dial) else { return }
            shell.failed(dial, failures.last?.reason.description ?? "no address")
        }
    }

    func listenerPaused(_ reason: TransportError?) {
        onLoop { $0.news.log.listenerPaused(reason) }
    }

    // MARK: Files

    func proof(of offer: FileOffer, exporter: Bytes32) -> Bytes32? {
        let proof = onLoop { shell in
            shell.machine.conversation(offer.conversation)?.keys.fileProof(
                for: offer.session.core,
                exporter: exporter,
                using: shell.machine.crypto
            )
        }
        return proof ?? nil
    }

    /// The dialled address of a link, then those of the address book, and last the told port of
    /// the machine from which the device has dialled.
    func addresses(of offer: FileOffer) -> [String] {
        let (device, port) = (offer.author, offer.file.port)
        return onLoop { shell in
            let links = shell.machine.links.filter { $0.device == device }
            let known = shell.machine.dialer.book.entries.filter { $0.hint == device.hint }
            let linked = links.map(\.address).filter { address in
                known.contains { $0.address == address }
            }
            // What is no numeric address has no other port either.
            let told =
                port == 0
                ? []
                : links.compactMap { try? SocketAddress(parsing: $0.address) }
                    .map { $0.with(port: port).description }
            var seen: Set<String> = []
            return (linked + known.map(\.address) + told).filter { seen.insert($0).inserted }
        } ?? []
    }

    func admits(_ device: DeviceID) -> Bool {
        onLoop { $0.deviceLists.gate.admits(device) } ?? false
    }

    func name(of device: DeviceID) -> String {
        onLoop { $0.news.acquaintances.printableName(of: device, in: $0.machine) }.flatMap(\.self)
            ?? String(device.text.prefix(7))
    }

    func device(of key: Bytes32) -> DeviceID {
        onLoop { DeviceID(publicKey: key, using: $0.machine.crypto) } ?? DeviceID(key)
    }

    func proved(_ id: ConnectionID) { onLoop { $0.links.proved(LinkID(id.number)) } }

    func closed(_ id: ConnectionID) { onLoop { _ = $0.links.closed(id, at: NodeShell.now) } }

    func changed(_ transfer: FileTransfer) { onLoop { $0.news.listeners.emit(.file(transfer)) } }

    // MARK: Inside

    private func progressed(_ id: ConnectionID) {
        onLoop { $0.links.progressed(LinkID(id.number)) }
    }

    @discardableResult
    private func onLoop<Value: Sendable>(
        _ body: @Sendable (isolated NodeShell) -> Value
    ) -> Value? {
        shell?.assumeIsolated(body)
    }
}
