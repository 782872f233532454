import Foundation
import Messages
import MessagesHost
import NIOCore
import ParleyAPI
import ParleyNode

/// The events of a node for pages: everything that a page shows, in one order, each event with the
/// whole new value of a thing.
///
/// It starts with its first reader and ends when the node stops.
@MainActor
final class PageFeed {
    let node: any MessagingNode
    let apps: AppHost
    let maker: PageMaker
    /// The bubbles that apps draw for pages.
    let live: LiveBubbleTable

    private var ring: EventRing
    private var readers: [UInt64: AsyncStream<Void>.Continuation] = [:]
    private var lastReader: UInt64 = 0
    private var hasEnded = false
    private var tasks: [Task<Void, Never>] = []
    private var panels: PanelWatch
    private var lists = PageLists()
    /// The events that the host has and pages do not have yet.
    private var news: [HostNodeEvent] = []
    /// The messages whose stickers have changed, by conversation.
    private var stickers: [String: Set<MessageID>] = [:]
    private let (changes, change) = AsyncStream.wakes
    private let (turns, turn) = AsyncStream.wakes

    /// The most events that wait for pages; beyond it, pages read everything again.
    private static let newsMax = 16_384
    /// The events after which it is looked what apps show.
    private static let newsTogether = 64
    /// The interval at which lists are compared that change without an event of the node.
    private static let listInterval = Duration.seconds(2)

    /// A feed that has not started.
    nonisolated init(
        node: any MessagingNode,
        apps: AppHost,
        joins: JoinTable,
        guests: GuestPresence? = nil,
        limits: EventRing.Limits = .init()
    ) {
        self.node = node
        self.apps = apps
        maker = PageMaker(node: node, apps: apps, joins: joins, guests: guests)
        live = LiveBubbleTable(apps)
        ring = EventRing(name: String(UInt64.random(in: 1...UInt64.max), radix: 36), limits: limits)
        panels = PanelWatch(apps, live)
    }

    // MARK: Life

    /// Starts to listen, unless it does; every change from now on becomes an event.
    func start() {
        guard tasks.isEmpty, !hasEnded else { return }
        guard !apps.hasEnded else { return end() }
        apps.observer = { [weak self] conversation in
            self?.panels.changed(conversation)
            self?.change.yield()
            self?.noticeTurn(in: conversation)
        }
        apps.stickerObserver = { [weak self] conversation, messages in
            self?.stickers[conversation, default: []].formUnion(messages)
            self?.change.yield()
        }
        apps.eventObserver = { [weak self] event in self?.came(event) }
        apps.nudgeObserver = { [weak self] nudge in
            let (name, session) = (nudge.conversation, nudge.session.description)
            let event = PageNudgeEvent(conversation: name, session: session, name: nudge.name)
            self?.add("nudge", event)
        }
        tasks = [
            Task { await watchChanges() },
            Task { await watchLists() },
            Task { [turn] in
                while !Task.isCancelled {
                    turn.yield()
                    // A sleep that is cancelled ends the loop.
                    try? await Task.sleep(for: Self.listInterval)
                }
            },
        ]
    }

    private func end() {
        hasEnded = true
        for task in tasks { task.cancel() }
        tasks = []
        apps.observer = nil
        apps.eventObserver = nil
        apps.nudgeObserver = nil
        apps.stickerObserver = nil
        _ = live.closeAll()
        change.finish()
        turn.finish()
        dismissReaders()
    }

    /// Keeps an event until the earlier ones have become events of pages.
    private func came(_ event: HostNodeEvent) {
        if news.count >= Self.newsMax { news = [.lostEvents] }
        news.append(event)
        change.yield()
    }

    /// Sends pages the changes as they come: messages first, and then what apps show of them.
    private func watchChanges() async {
        for await _ in changes {
            repeat {
                let events = news.prefix(Self.newsTogether)
                news.removeFirst(events.count)
                for event in events { await take(event) }
                await sendStickers()
                sendPanels()
            } while !news.isEmpty
        }
    }

    // MARK: Readers

    /// A stream with an element whenever there are new events; it ends with the feed.
    func listen() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.wakes
        guard !hasEnded else {
            continuation.finish()
            return stream
        }
        lastReader += 1
        let number = lastReader
        readers[number] = continuation
        apps.isOnPage(true)
        continuation.onTermination = { [weak self] _ in
            Task { @MainActor in self?.left(number) }
        }
        return stream
    }

    private func left(_ reader: UInt64) {
        readers[reader] = nil
        apps.isOnPage(!readers.isEmpty)
    }

    /// Ends the streams of all readers, who may connect again if they are let in.
    func dismissReaders() {
        for reader in readers.values { reader.finish() }
        readers = [:]
    }

    /// The number of the last event.
    var last: UInt64 { ring.last }

    /// The ID of the last event.
    var lastID: String { ring.id(of: ring.last) }

    /// The number of an event by its ID, if this feed can have made the event.
    func number(of id: some StringProtocol) -> UInt64? { ring.number(of: id) }

    /// The events after that number; nil if some are lost.
    func events(after number: UInt64) -> [EventRing.Event]? { ring.events(after: number) }

    /// Adds an event and wakes the readers.
    private func add(_ kind: String, _ document: some Encodable) {
        // Documents consist of texts, numbers and finite coordinates, all of which can be encoded.
        guard let data = try? JSON.encode(document) else { return }
        ring.add(kind, data: data)
        for reader in readers.values { reader.yield() }
    }

    // MARK: Events of the node

    private func take(_ event: HostNodeEvent) async {
        switch event {
        case .happened(let event): await take(event)
        case .lostEvents: add("reset", NoFields())
        case .ended: end()
        }
    }

    private func take(_ event: NodeEvent) async {
        switch event {
        case .shown(let conversation, let message):
            if maker.noteArrival(of: message) { turn.yield() }
            // A sticker on a message changes the entry of that message, once the host has it.
            guard !message.isMark, message.isListed || message.isTakenBack else { return }
            await send(.message(message), conversation)
        case .summarized(let conversation, let summary):
            guard TranscriptEntry.summary(summary).isListed else { return }
            await send(.summary(summary), conversation)
        case .conflict(let conversation, let session, let heads):
            await sendAgain(session, conversation, heads: heads.count)
        case .pictureArrived(let conversation, let session):
            await sendAgain(session, conversation, heads: nil)
        case .delivered(let conversation, let session, let id, let nodes):
            maker.deliveries.note(id, nodes: nodes)
            let delivery = maker.delivery(of: id, in: conversation)
            add(
                "delivery",
                PageDeliveryEvent(
                    conversation: conversation,
                    session: session.description,
                    id: id.description,
                    delivery: delivery ?? .init(nodes: nodes, of: nodes)
                )
            )
        case .file(let transfer): add("file", PageFileEvent(transfer))
        case .conversationsChanged, .peerChanged, .pairing: turn.yield()
        case .outOfTurn, .duplicateIdentity, .signal: break
        }
    }

    private func send(_ entry: TranscriptEntry, _ conversation: String) async {
        // A conversation that this node has left meanwhile, or only relays, is not shown.
        guard let bubble = try? await apps.bubble(entry, in: conversation) else { return }
        if !maker.knows(bubble.sender, in: conversation) { turn.yield() }
        let again = await wasThere(bubble, conversation) ? true : nil
        let isGone = entry.message?.isTakenBack ?? false
        await send(bubble, conversation, again: again, isGone: isGone)
    }

    /// Whether an earlier text of an edited one was here, too.
    private func wasThere(_ bubble: Bubble, _ conversation: String) async -> Bool {
        guard bubble.isEdited else { return false }
        let detail = try? await node.session(bubble.session, in: conversation)
        return detail.map { !$0.replaced.isEmpty } ?? false
    }

    private func sendAgain(_ session: SessionID, _ conversation: String, heads: Int?) async {
        // The same, and the session may have been deleted.
        guard let detail = try? await node.session(session, in: conversation),
            !detail.shown.isMark, detail.shown.isListed,
            let bubble = try? await apps.bubble(.message(detail.shown), in: conversation)
        else { return }
        await send(bubble, conversation, again: true, heads: heads)
    }

    private func send(
        _ bubble: Bubble,
        _ conversation: String,
        again: Bool? = nil,
        heads: Int? = nil,
        isGone: Bool = false
    ) async {
        var entry = await maker.entry(bubble, in: conversation, heads: heads)
        if isGone { entry.kind = "gone" }
        add("entry", PageEntryEvent(conversation: conversation, entry: entry, again: again))
    }

    // MARK: Stickers, apps and lists

    private func sendStickers() async {
        let changed = stickers.sorted { $0.key < $1.key }
        stickers = [:]
        for (conversation, messages) in changed {
            for message in messages.sorted(by: { $0.description < $1.description }) {
                // A sticker on a message that is not here, or was replaced, is not seen.
                guard let session = await apps.session(of: message, in: conversation) else {
                    continue
                }
                await sendAgain(session, conversation, heads: nil)
            }
        }
    }

    /// Has an app draw a bubble, and closes the one that was asked for first if there are too many.
    func show(
        _ message: MessageID,
        in conversation: String,
        offered: CGSize
    ) async throws -> LiveDocument {
        let document = try await live.show(message, in: conversation, offered: offered)
        for closed in live.closeExcess() { add("live", closed) }
        return document
    }

    private func sendPanels() {
        for change in panels.takeChanges() {
            switch change {
            case .panel(let panel): add("panel", panel)
            case .field(let field): add("field", field)
            case .live(let bubble): add("live", bubble)
            }
        }
    }

    /// Has the lists made again if it has become, or is no longer, the turn of this device.
    private func noticeTurn(in conversation: String) {
        let told = lists.conversations.first { $0.name == conversation }?.myTurn ?? false
        if told != apps.isMyTurn(in: conversation) { turn.yield() }
    }

    private func watchLists() async {
        for await _ in turns {
            // Without a page nobody sees what apps draw.
            if readers.isEmpty { for closed in live.closeAll() { add("live", closed) } }
            let present = await maker.lists()
            if present.conversations != lists.conversations {
                add("conversations", present.conversations)
            }
            if present.peers != lists.peers { add("peers", present.peers) }
            if present.nearby != lists.nearby { add("nearby", present.nearby) }
            if present.pairings != lists.pairings { add("pairings", present.pairings) }
            if present.discovery != lists.discovery { add("discovery", present.discovery) }
            lists = present
        }
    }
}

/// The data of an event without any.
private struct NoFields: Encodable {}

extension AsyncStream<Void> {
    /// A stream of calls to look again; those that were not taken yet are one.
    fileprivate static var wakes: (stream: Self, continuation: Continuation) {
        makeStream(bufferingPolicy: .bufferingNewest(1))
    }
}
