import Foundation
import Messages
import MessagesHost
import ParleyAPI
import ParleyNode

extension PageEntryDocument {
    /// Makes the document of an entry, without what only a host knows.
    init(_ bubble: Bubble) {
        self.init(
            kind: bubble.kind == .message ? "message" : "summary",
            session: bubble.session.description,
            id: bubble.id.description,
            revision: bubble.revision,
            mine: bubble.isMine,
            sender: bubble.sender,
            sentAt: bubble.sentAt,
            content: Self.content(of: bubble),
            line: bubble.line
        )
        label = bubble.accessibilityLabel
        url = bubble.url
        app = bubble.app
        layout = bubble.layout
        next = bubble.next.isEmpty ? nil : bubble.next.map(\.uuidString)
        let chosen = bubble.reactions.map { reaction in
            Reaction(emoji: reaction.emoji, senders: reaction.senders.map(\.uuidString))
        }
        reactions = chosen.isEmpty ? nil : chosen
        reply = bubble.reply?.description
        edited = bubble.isEdited ? true : nil
        end = bubble.isEnd ? true : nil
    }

    private static func content(of bubble: Bubble) -> String {
        guard !bubble.isUnreadable else { return "unreadable" }
        switch bubble.app {
        case OutgoingMessage.textApp: return "text"
        case OutgoingMessage.stickerApp: return "sticker"
        case OutgoingMessage.attachmentApp: return "attachment"
        default: return "app"
        }
    }
}

extension CheckedFileDocument {
    init(_ file: CheckedFile) {
        self.init(
            picture: file.picture != nil,
            metadata: file.withoutMetadata != nil,
            note: file.note
        )
    }
}

extension PageConversationDocument {
    /// Makes the document of a conversation; `seen` has the state of devices, `guests` that of the
    /// guests here, and `wasJoined` says that this node did not make the conversation itself.
    init(
        _ conversation: Conversation,
        _ seen: SeenTable,
        guests: GuestPresence?,
        wasJoined: Bool,
        at now: Date
    ) {
        let people = conversation.people
        let own = conversation.me.host ?? conversation.me.device
        let names = Dictionary(people.map { ($0.device, $0.name) }) { first, _ in first }
        let isAlone = conversation.people.allSatisfy { $0.id == conversation.me.id }
        let links = conversation.sharing.filter { seen.isConnected($0.device) }
        self.init(
            name: conversation.name,
            id: conversation.id,
            role: conversation.role.rawValue,
            open: conversation.isOpen,
            me: conversation.me.id.uuidString,
            participants: people.map { participant in
                let host = participant.host.map { (names[$0] ?? nil) ?? String($0.prefix(9)) }
                guard participant.id != conversation.me.id else {
                    return Member(participant, .connected, host: host, isMine: true)
                }
                if participant.host == own {
                    let presence = guests?.presence(of: participant.id, at: now) ?? .away(nil)
                    return Member(participant, presence, host: host)
                }
                guard participant.device != own else {
                    return Member(participant, .connected, host: host)
                }
                let others = links.filter { $0.device != participant.device }.map(\.name)
                let device = participant.host ?? participant.device
                return Member(
                    participant,
                    seen.presence(of: device, links: others, at: now),
                    host: host
                )
            },
            absence: conversation.absence,
            joining: wasJoined && isAlone ? true : nil
        )
    }
}

extension PageConversationDocument.Member {
    fileprivate init(
        _ participant: Participant,
        _ presence: Presence,
        host: String?,
        isMine: Bool = false
    ) {
        self.init(
            participant: participant.id.uuidString,
            device: participant.device,
            name: participant.name,
            person: participant.person,
            host: host,
            mine: isMine ? true : nil,
            presence: ""
        )
        switch presence {
        case .connected: self.presence = "connected"
        case .throughOthers(let name):
            self.presence = "throughOthers"
            through = name
        case .unresponsive: self.presence = "unresponsive"
        case .away(let time):
            self.presence = "away"
            seen = time
        }
    }
}

extension Conversation {
    /// The people who have sent something or are there now, but for former members: the person here
    /// first, and the others by name, so that nobody changes places with a first message.
    var people: [Participant] {
        let all =
            participants
            + sharing.filter { each in
                !participants.contains { $0.id == each.id }
            }
        let present = all.filter { $0.id == me.id || isMember($0.host ?? $0.device) }
        return present.sorted { one, other in
            let isMine = (one.id == me.id, other.id == me.id)
            guard isMine.0 == isMine.1 else { return isMine.0 }
            return (one.name ?? "", one.device) < (other.name ?? "", other.device)
        }
    }
}

extension FieldDocument {
    /// Makes the document of what the apps of a conversation have put into its input field.
    @MainActor
    init(_ panels: [AppPanel], in conversation: String) {
        self.init(
            conversation: conversation,
            parts: panels.filter { !$0.isHeadless && $0.isFieldFilled }.map { Part($0) }
        )
    }
}
