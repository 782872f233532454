import Foundation
import ParleyCore
import ParleyKeys
import ParleyLoop
import ParleyStore
import ParleyTransport

extension NodeShell {
    /// A reader of the machine in its present state.
    var reader: MessageReader { MessageReader(machine) }

    func events() -> NodeEvents {
        let (events, continuation) = NodeEvents.make()
        let id = news.listeners.add(continuation)
        continuation.onTermination = { [weak self] _ in
            self?.atEndOfIteration { $0.news.listeners.remove(id) }
        }
        return events
    }

    // MARK: The node

    /// The list of the other devices as it is now.
    var peerList: PeerList {
        PeerList(
            machine,
            announced: discovery.announced,
            acquaintances: news.acquaintances,
            at: Self.now
        ) { [transport] link in
            transport.map { PeerList.Path(of: ConnectionID(link), in: $0) }
        }
    }

    /// The members with a link, without need of a link, or with a former link.
    func peers() -> [Peer] { peerList.peers() }

    /// The announced or linked devices, and the addresses at which others may be.
    func nearby() -> [Peer] { peerList.nearby(except: Set(ownAddresses(withLoopback: true))) }

    var ready: ReadyNode {
        ReadyNode(device: key.id.text, name: deviceName, addresses: ownAddresses())
    }

    func status() -> NodeStatus {
        let health = health
        return NodeStatus(
            device: key.id.text,
            name: deviceName,
            version: NodeVersion.version,
            addresses: ownAddresses(),
            links: machine.links.count(where: \.isMember),
            conversations: machine.conversations.count,
            sessions: machine.conversations.sessionCount,
            store: health.store,
            discovery: discovery.status(at: listening),
            interfaces: discovery.networkInterfaces(at: listening),
            visit: news.symptoms.visit,
            envelopesReceived: machine.links.figures.envelopesReceived,
            envelopesSent: machine.links.figures.envelopesSent,
            copy: news.symptoms.copy,
            previousDevice: deviceChange?.previous?.text,
            clock: news.symptoms.ahead(at: Date())?.sentence,
            troubles: health.troubles,
            isRelay: settings.isRelay
        )
    }

    private var health: NodeHealth {
        NodeHealth(
            storeTrouble: commits.trouble,
            usedUp: machine.conversations.usedUp.map {
                ($0.shortage, machine.conversationName($0.conversation))
            },
            isListening: !listening.isEmpty && !isStopping,
            isFound: !settings.usesDiscovery || discovery.isPublished
        )
    }

    /// The figures of this moment.
    func measurements() -> NodeMeasurements {
        let conversations = machine.conversations
        let space = storage.space
        return NodeMeasurements(
            version: NodeVersion.version,
            links: machine.links.count(where: \.isMember),
            conversations: conversations.count,
            sessions: conversations.sessionCount,
            kept: conversations.totals.all,
            quotaUse: conversations.quotaUse,
            troubles: health.troubles,
            figures: machine.links.figures,
            load: machine.load,
            counts: news.metrics.counts,
            refusals: news.metrics.refusals,
            commits: news.metrics.commits,
            syncs: news.metrics.syncs,
            transport: transport?.counters ?? TransportCounters(),
            discovered: Set(discovery.announced.all.map(\.shortID)).count,
            storeBytes: space.used,
            freeBytes: space.free,
            freeBytesMin: settings.limits.freeSpace
        )
    }

    /// The addresses at which this node can be reached, on the loopback only on request.
    ///
    /// An unspecified listening address is replaced by the local addresses of its family.
    func ownAddresses(withLoopback: Bool = false) -> [String] {
        listening.flatMap { address -> [String] in
            guard address.ip.isUnspecified else { return [address.description] }
            let local = LocalAddress.all().compactMap(\.address).filter { candidate in
                (withLoopback || !candidate.ip.isLoopback)
                    && candidate.ip.isV4 == address.ip.isV4
            }
            let found = local.map { $0.with(port: address.port).description }
            return found.isEmpty ? [address.description] : found
        }
    }
}
