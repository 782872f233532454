import ParleyCore
import ParleyKeys
import ParleyLoop
import ParleyTransport

/// The events of the connections that are links or become some, from the `ConnectionSwitch`.
extension NodeShell {
    /// Makes the transport and starts to listen.
    func openTransport() throws(NodeError) {
        do throws(TransportError) {
            let identity = try TransportIdentity(privateKey: key.rawPrivateKey)
            let connections = ConnectionSwitch(self, files)
            let transport = try Transport(on: executor, identity: identity, observer: connections)
            files.attach(connections, transport)
            listening = try transport.listen(on: try wantedAddresses())
            self.transport = transport
        } catch {
            throw NodeError(error)
        }
    }

    /// The port of the first listener.
    var listeningPort: UInt16 { listening.first?.port ?? 0 }

    private func wantedAddresses() throws(TransportError) -> [SocketAddress] {
        do throws(AddressError) {
            return try settings.listenAddresses ?? SocketAddress.any(port: NodeSettings.defaultPort)
        } catch {
            throw .nameNotFound(settings.listen?.joined(separator: ", ") ?? "", error.description)
        }
    }

    /// Starts a dial for the machine.
    func dial(_ dial: ParleyCore.Dial) {
        do throws(AddressError) {
            let endpoint = try Endpoint(parsing: dial.address)
            guard let id = transport?.dial([endpoint]) else { return }
            links.dialled(id, dial)
        } catch {
            let reason = error.description
            atEndOfIteration { $0.failed(dial, reason) }
        }
    }

    /// Dials nodes that a person has named.
    func addPeers(_ addresses: [String]) {
        for peer in addresses {
            feed(.addressFound(FoundAddress(text: peer, source: .configured)))
        }
    }

    // MARK: Events of the transport

    nonisolated func connectionArrived(_ id: ConnectionID, from remote: SocketAddress) -> Bool {
        assumeIsolated { shell in
            switch shell.links.admit(id, from: remote.ip, at: Self.now) {
            case .admitted:
                return true
            case .replaces(let stranger):
                shell.drop(stranger, for: remote)
                return true
            case .turnedAway:
                shell.news.log.turnedAway(remote)
                return false
            }
        }
    }

    /// Ends the connection of a stranger whose slot another stranger takes.
    private func drop(_ stranger: LinkID, for newcomer: SocketAddress) {
        let id = ConnectionID(stranger)
        transport?.abort(id)
        files.aborted(id)
        news.droppedStranger(for: newcomer)
        guard links.closed(id, at: Self.now) != nil else { return }
        feed(.linkClosed(stranger, "another stranger takes its place"))
    }

    nonisolated func connectionOpened(_ id: ConnectionID, _ opening: ConnectionOpening) {
        assumeIsolated { shell in
            let dial = opening.dial.flatMap { shell.links.ended($0) }
            shell.news.opened(from: dial == nil ? opening.remote : nil)
            let opened = OpenedLink(
                id: shell.links.opened(id),
                dial: dial?.id,
                peerKey: opening.peerKey,
                exporter: opening.exporter,
                address: dial?.address ?? opening.remote.description,
                remote: opening.remote.description
            )
            shell.feed(.linkOpened(opened))
        }
    }

    /// Sends the machine the input `drained` once the kernel has accepted all bytes of the link.
    func awaitDrain(of link: LinkID) {
        let id = ConnectionID(link)
        if transport?.unwrittenBytes(of: id) ?? 0 > 0 {
            links.awaitDrain(of: id)
        } else {
            gather(.drained(link))
        }
    }

    /// Sends the machine the input `unacknowledged` if the peer's machine has not acknowledged all
    /// bytes of the link.
    ///
    /// On a path with a long round trip, missing acknowledgements say nothing.
    func checkReceipt(of link: LinkID) {
        let id = ConnectionID(link)
        guard let transport, transport.unacknowledgedBytes(of: id) > 0,
            transport.roundTrip(of: id).map({ $0 < Self.promptRoundTrip }) ?? true
        else { return }
        gather(.unacknowledged(link))
    }

    /// Half of the time after which the machine asks for the receipt.
    private static var promptRoundTrip: Duration { .milliseconds(250) }

    nonisolated func connectionClosed(_ id: ConnectionID, _ reason: TransportError) {
        assumeIsolated { shell in
            let source = shell.links.source(of: id)
            guard let link = shell.links.closed(id, at: Self.now) else {
                shell.news.handshakeFailed(reason, from: source)
                return
            }
            shell.feed(.linkClosed(link, reason.description))
        }
    }

    /// No address of a dial led to a link.
    func failed(_ dial: ParleyCore.Dial, _ reason: String) {
        news.dialFailed(dial.address, reason, in: machine, announced: discovery.announced)
        feed(.dialFailed(dial.id, reason))
    }
}
