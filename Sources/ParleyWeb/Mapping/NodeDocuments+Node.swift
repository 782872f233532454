import Foundation
import ParleyAPI
package import ParleyNode

extension ConversationDocument {
    init(_ conversation: Conversation) {
        self.init(
            name: conversation.name,
            id: conversation.id,
            role: conversation.role.rawValue,
            open: conversation.isOpen,
            participants: conversation.participants.map(SenderDocument.init)
        )
    }
}

extension ConversationDocument {
    init(_ kept: KeptConversation) {
        self.init(kept.conversation)
        sessions = kept.sessions
        bytes = kept.bytes
        lastActivity = kept.lastActivity
    }
}

extension InviteDocument {
    init(_ invite: Invite) {
        self.init(
            invite: invite.link,
            role: invite.role.rawValue,
            conversation: invite.conversation
        )
    }
}

extension PeerDocument {
    init(_ peer: Peer) {
        self.init(
            device: peer.device,
            name: peer.name,
            state: peer.state.rawValue,
            address: peer.address,
            addresses: peer.addresses.map(AddressDocument.init),
            conversations: peer.conversations,
            full: peer.full.isEmpty ? nil : peer.full,
            rttMs: peer.roundTrip.map { $0 / .milliseconds(1) },
            queue: peer.queuedBytes
        )
    }
}

extension AddressDocument {
    init(_ address: Peer.Address) {
        let failure = address.failure.map { failure in
            DialFailureDocument(
                reason: failure.reason,
                dials: failure.dials,
                at: failure.at.millisecondsSince1970
            )
        }
        self.init(address: address.text, failure: failure)
    }
}

extension DiscoveryDocument {
    init(_ status: DiscoveryStatus) {
        self.init(state: status.state.rawValue, name: status.name, detail: status.detail)
    }
}

extension StatusDocument {
    init(_ status: NodeStatus, isRelay: Bool) {
        self.init(
            device: status.device,
            name: status.name,
            version: status.version,
            addresses: status.addresses,
            links: status.links,
            conversations: status.conversations,
            sessions: status.sessions,
            store: StoreDocument(state: status.store.state.rawValue, detail: status.store.detail),
            discovery: DiscoveryDocument(status.discovery),
            envelopesReceived: status.envelopesReceived,
            envelopesSent: status.envelopesSent,
            copy: status.copy,
            previousDevice: status.previousDevice,
            clock: status.clock,
            troubles: status.troubles.map(\.rawValue),
            interfaces: status.interfaces.map {
                InterfaceDocument(name: $0.name, skipped: $0.skipped)
            },
            visit: status.visit.map {
                VisitDocument(address: $0.address, at: $0.at.millisecondsSince1970)
            },
            relay: isRelay
        )
    }
}

extension Date {
    fileprivate var millisecondsSince1970: Int64 { Int64(timeIntervalSince1970 * 1_000) }
}

extension ReadyDocument {
    /// Makes the document of a ready node and of the link to its page, if it serves one.
    package init(_ ready: ReadyNode, page: String? = nil) {
        self.init(
            device: ready.device,
            name: ready.name,
            addresses: ready.addresses,
            page: page
        )
    }
}
