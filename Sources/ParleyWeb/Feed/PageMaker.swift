import Foundation
import Messages
import MessagesHost
import ParleyAPI
import ParleyNode

/// The lists of a page.
struct PageLists: Sendable {
    var conversations: [PageConversationDocument] = []
    var peers: [Peer] = []
    var nearby: [Peer] = []
    var pairings: [PairingDocument] = []
    /// The status of discovery, as in the status of the node.
    var discovery = DiscoveryStatus(state: .browsing, detail: "")
}

/// Makes the documents of a page, and keeps what they need and no other document has.
@MainActor
final class PageMaker {
    /// The nodes that have stored messages of this device.
    var deliveries = Deliveries()

    private let node: any MessagingNode
    private let apps: AppHost
    private let joins: JoinTable
    private let guests: GuestPresence?
    private var facts = PictureFactTable()
    private var seen = SeenTable()
    /// The people of each conversation, and how many devices are among them.
    private var members: [String: (people: Set<UUID>, devices: Int)] = [:]

    nonisolated init(
        node: any MessagingNode,
        apps: AppHost,
        joins: JoinTable,
        guests: GuestPresence?
    ) {
        self.node = node
        self.apps = apps
        self.joins = joins
        self.guests = guests
    }

    // MARK: Lists

    /// The present lists; those of a node that stops are empty.
    func lists() async -> PageLists {
        let peers = await node.peers()
        let conversations = (try? await node.conversations()) ?? []
        members = Dictionary(
            conversations.map { conversation in
                let people = conversation.people
                let devices = conversation.everybody + 1
                return (conversation.name, (Set(people.map(\.id)), devices))
            },
            uniquingKeysWith: { $1 }
        )
        let now = Date()
        seen.note(peers, at: now)
        let pairings = await node.pairings()
        note(pairings, conversations)
        return PageLists(
            conversations: conversations.map { conversation in
                var document = PageConversationDocument(
                    conversation,
                    seen,
                    guests: guests,
                    wasJoined: joins.contains(conversation.id),
                    at: now
                )
                document.myTurn = apps.isMyTurn(in: conversation.name) ? true : nil
                return document
            },
            peers: peers.map(\.steady),
            nearby: await node.nearby().oneOfEachDevice.map(\.steady),
            pairings: pairings.map(PairingDocument.init),
            discovery: (try? await node.status())?.discovery ?? PageLists().discovery
        )
    }

    /// Notes the conversations that other devices have shared in a pairing.
    private func note(_ pairings: [PairingState], _ conversations: [Conversation]) {
        for case .ended(.done(let name?)) in pairings.map(\.stage) {
            for joined in conversations where joined.isCalled(name) {
                joins.note(joined.id, among: conversations)
            }
        }
    }

    /// Notes the arrival of a message; returns whether the presence of the author may have changed.
    func noteArrival(of message: Message) -> Bool {
        seen.arrived(from: message.sender.device, writtenAt: message.sentAt, at: Date())
    }

    /// Whether the participant is in the lists that were made last.
    func knows(_ participant: Participant, in conversation: String) -> Bool {
        members[conversation]?.people.contains(participant.id) ?? false
    }

    // MARK: Entries

    /// The delivery of a message of this device, if something is known about it.
    func delivery(of id: MessageID, in conversation: String) -> PageEntryDocument.Delivery? {
        guard let nodes = deliveries.nodes(of: id) else { return nil }
        let others = max(nodes, (members[conversation]?.devices ?? 1) - 1)
        return .init(nodes: nodes, of: others)
    }

    /// The document of an entry; `heads` is the number of heads of its session, if it is known.
    func entry(
        _ bubble: Bubble,
        in conversation: String,
        heads: Int? = nil
    ) async -> PageEntryDocument {
        var entry = PageEntryDocument(bubble)
        if let app = apps.apps.first(where: { $0.speaks == bubble.app && !$0.startsHeadless }) {
            entry.appName = app.name
            entry.appID = app.id
        }
        if bubble.kind == .message {
            entry.myTurn = bubble.isMyTurn ? true : nil
            entry.way = bubble.match.flatMap(Self.way)
            if bubble.isMine { entry.delivery = delivery(of: bubble.id, in: conversation) }
            if bubble.isConflict || heads ?? 1 > 1 {
                let known = heads ?? apps.headCount(of: bubble.session, in: conversation)
                entry.conflict = max(2, known)
            }
        }
        if let picture = bubble.picture {
            await add(picture, of: bubble, in: conversation, to: &entry)
        }
        if let file = bubble.file { entry.file = await offer(of: file, bubble, in: conversation) }
        let stickers = await stickers(of: bubble, in: conversation)
        entry.stickers = stickers.isEmpty ? nil : stickers
        return entry
    }

    private static func way(into match: ParleyMatch) -> String? {
        let isFull = match.seats.count + match.waiting.count >= match.size.upperBound
        if match.choices.contains(.takeSeat), !isFull { return "join" }
        return match.phase == .over || match.mySeat != nil || match.choices.contains(.leaveSeat)
            ? nil : "watch"
    }

    /// The stickers on a message whose pictures are here and are what a sticker can be.
    private func stickers(
        of bubble: Bubble,
        in conversation: String
    ) async -> [StickerDocument] {
        var documents: [StickerDocument] = []
        for sticker in bubble.stickers where sticker.picture.isHere {
            let fact = await fact(sticker.picture, of: sticker.message, sticker.id, conversation)
            guard let fact, StickerFile.formats.contains(fact.format) else { continue }
            let place = [conversation, sticker.id.description, sticker.message.description]
            let src = "/pictures/message/" + place.map(HTMLText.pathPart).joined(separator: "/")
            documents.append(StickerDocument(sticker, src: src))
        }
        return documents
    }

    /// The offered file of an entry; a message that is no longer shown offers nothing.
    private func offer(
        of file: FileInfo,
        _ bubble: Bubble,
        in conversation: String
    ) async -> PageEntryDocument.File? {
        let found = try? await node.fileTransfer(of: bubble.session, in: conversation)
        guard let transfer = found, transfer.file == file else { return nil }
        return .init(
            url: "/files/" + Self.path(of: bubble, in: conversation),
            name: file.name.shownName,
            type: file.type,
            bytes: file.bytes,
            here: transfer.state == .here,
            state: transfer.state,
            done: transfer.done,
            rate: transfer.rate,
            reason: transfer.reason
        )
    }

    private static func path(of bubble: Bubble, in conversation: String) -> String {
        [conversation, bubble.session.description, bubble.id.description]
            .map(HTMLText.pathPart).joined(separator: "/")
    }

    private func add(
        _ picture: PictureInfo,
        of bubble: Bubble,
        in conversation: String,
        to entry: inout PageEntryDocument
    ) async {
        let place = Self.path(of: bubble, in: conversation)
        let known =
            picture.isHere
            ? await fact(picture, of: bubble.id, bubble.session, conversation) : nil
        // A file that cannot be shown can be saved.
        if entry.content == "attachment" || picture.isHere && known == nil {
            let name = entry.content == "attachment" ? bubble.layout?.caption : nil
            let isPicture = picture.type.hasPrefix("image/")
            entry.file = .init(
                url: "/files/" + place,
                name: name ?? (isPicture ? "A picture that cannot be shown" : "A file"),
                type: picture.type,
                bytes: picture.bytes,
                here: picture.isHere
            )
        }
        guard known != nil || !picture.isHere && picture.type.hasPrefix("image/") else { return }
        entry.picture = .init(
            url: "/pictures/message/" + place,
            type: known?.format.mediaType ?? picture.type,
            bytes: picture.bytes,
            here: picture.isHere,
            width: known?.width,
            height: known?.height
        )
    }

    private func fact(
        _ picture: PictureInfo,
        of message: MessageID,
        _ session: SessionID,
        _ conversation: String
    ) async -> PictureFact? {
        switch facts[picture.sha256] {
        case .picture(let known): return known
        case .noPicture: return nil
        case nil: break
        }
        // An unreadable picture is shown as a missing one.
        let read = try? await node.pictureBytes(
            of: message,
            session: session,
            in: conversation
        )
        guard let bytes = read else { return nil }
        // Bytes that are no picture have no format.
        let image = try? EncodedImage(bytes)
        let fact = image.map {
            PictureFact(format: $0.format, width: $0.width, height: $0.height)
        }
        facts.add(fact, of: picture.sha256)
        return fact
    }
}

/// The type and the size that the header of a picture names.
struct PictureFact: Sendable {
    let format: ImageFormat
    let width: Int
    let height: Int
}

/// The facts of pictures by their hash, until there are too many.
struct PictureFactTable {
    /// The type and the size of bytes, as far as they are known.
    enum Known: Sendable {
        case picture(PictureFact)
        case noPicture
    }

    private var facts: [String: Known] = [:]

    private static let countMax = 4_096

    subscript(hash: String) -> Known? { facts[hash] }

    mutating func add(_ fact: PictureFact?, of hash: String) {
        if facts.count >= Self.countMax { facts = [:] }
        facts[hash] = fact.map { .picture($0) } ?? .noPicture
    }
}

/// The number of nodes that have stored each of the last messages of this device.
struct Deliveries {
    private var counts: [MessageID: Int] = [:]
    private var order: [MessageID] = []

    private static let countMax = 2_048

    func nodes(of id: MessageID) -> Int? { counts[id] }

    /// Notes a number of nodes, which never falls.
    mutating func note(_ id: MessageID, nodes: Int) {
        if let known = counts[id] {
            counts[id] = max(known, nodes)
            return
        }
        counts[id] = nodes
        order.append(id)
        guard order.count > Self.countMax else { return }
        for old in order.prefix(Self.countMax / 2) { counts[old] = nil }
        order.removeFirst(Self.countMax / 2)
    }
}
