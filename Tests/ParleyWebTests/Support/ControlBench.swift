import Foundation
import Hummingbird
import Logging
import Messages
import MessagesHost
import ParleyNode
import ParleyWeb
import SampleTicTacToe
import Synchronization
import StickerSheet
import TestSupport
import Testing

/// The control API of a real node with a temporary data directory and without discovery.
///
/// The node has the conversation `games` with one message with a picture.
final class ControlBench: Sendable {
    let node: Node
    let apps: AppHost
    let client: RouterClient
    /// The door of the page, which is served at `PageClient.address`.
    let door: PageDoor
    /// A client of the page's server.
    let page: PageClient
    private let first: SentMessage?
    /// The methods and paths of the page's server, as the router has them.
    let pageRoutes: [String]
    /// The other nodes that a test has asked for.
    private let strangers = Mutex<[Node]>([])
    /// The stream of events that an open page reads; nil while no test has opened one.
    private let openPage = Mutex<Task<Void, any Error>?>(nil)
    /// The guests of the node.
    let guests: GuestHost
    let guestServer: GuestServer
    private let directory: URL
    private let addresses: [String]

    private init(_ directory: URL, _ change: (inout NodeSettings) -> Void) async throws {
        var settings = NodeSettings(dataDirectory: directory.appending(path: "data"))
        settings.name = "bench"
        settings.listen = ["127.0.0.1:0"]
        settings.usesDiscovery = false
        change(&settings)
        node = Node(settings)
        let ready = try await node.start()
        self.directory = directory
        addresses = ready.addresses
        if settings.isRelay {
            first = nil
        } else {
            _ = try await node.createConversation(named: "games")
            first = try await node.send(Self.draft, to: "games")
        }
        apps = await AppHost.start(
            [
                HostedApp(
                    TicTacToe.self,
                    id: "parley.tictactoe",
                    name: "Tic-tac-toe",
                    line: "Three in a row win",
                    icon: TicTacToe.icon
                ),
                HostedApp(Absent.self, id: "parley.absent", name: "Absent", seats: 2...2),
                HostedApp(Sketch.self, id: "parley.sketch", name: "Sketch"),
                HostedApp(StickerSheet.self, id: "test.stickers", name: "Stickers"),
            ],
            on: node
        )
        door = try PageDoor(device: ready.device, keepingIn: node.keptFile(named: "page.key"))
        door.opened(at: PageClient.address)
        let guestDoor = GuestDoor(
            device: ready.device,
            keepingIn: node.keptFile(named: "guests.json")
        )
        guests = GuestHost(node: node, apps: apps, door: guestDoor)
        guestServer = GuestServer(
            guests: guests,
            logger: Logger(label: "parley.web.tests") { _ in SwiftLogNoOpLogHandler() }
        )
        let routes = ControlRoutes(node: node, apps: apps, door: door, guests: guests)
        client = RouterClient(routes.router)
        let pageRouter = routes.pageRouter(door)
        // Those for HEAD are added with the responder.
        pageRoutes = pageRouter.routes.map(\.description)
        page = PageClient(RouterClient(pageRouter), door)
    }

    /// Runs `body` with a bench, and stops the bench afterwards.
    static func with(
        _ change: (inout NodeSettings) -> Void = { _ in },
        _ body: (ControlBench) async throws -> Void
    ) async throws {
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "parley-web-tests-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let bench = try await ControlBench(directory, change)
        do {
            try await body(bench)
        } catch {
            await bench.stop()
            throw error
        }
        await bench.stop()
    }

    private func stop() async {
        for stranger in strangers.withLock({ $0 }) { await stranger.stop() }
        await apps.stop()
        // The streams of pages end with the apps.
        try? await openPage.withLock { $0 }?.value
        await node.stop()
    }

    /// Opens a page, which reads events until the test ends: without one, no app draws bubbles.
    func open() async throws {
        guard openPage.withLock({ $0 == nil }) else { return }
        let (starts, start) = AsyncStream<Void>.makeStream()
        let page = page
        let reading = Task {
            defer { start.finish() }
            _ = try await page.call("GET", "/v1/events") { _ in start.yield() }
        }
        openPage.withLock { $0 = reading }
        var iterator = starts.makeAsyncIterator()
        try #require(await iterator.next() != nil, "the stream begins")
    }

    /// Starts another node named guest, which has a link to this one and is otherwise a stranger.
    ///
    /// - Returns: the node, and its device ID.
    func startGuest() async throws -> (node: Node, device: String) {
        let folder = "guest \(strangers.withLock { $0.count })"
        var settings = NodeSettings(dataDirectory: directory.appending(path: folder))
        settings.name = "guest"
        settings.listen = ["127.0.0.1:0"]
        settings.peers = addresses
        settings.usesDiscovery = false
        let node = Node(settings)
        strangers.withLock { $0.append(node) }
        return (node, try await node.start().device)
    }

    /// Starts another node, which is a member of the conversation; returns its device ID.
    func startMember() async throws -> String {
        let (other, device) = try await startGuest()
        _ = try await other.join(try await node.invite(to: "games").link)
        try await eventually("the member") {
            try await NodeKeys(of: node).members(of: "games").contains { $0.device == device }
        }
        return device
    }

    /// The number of the seat of a new guest in the conversation.
    func seatedGuest() async throws -> Int {
        let hash = (0..<32).map { _ in UInt8.random(in: 0...255) }
        return try await node.seat("Mia", in: "games", secretHash: hash).seat
    }

    /// The message of the conversation; throws on a relay, which has none.
    var sent: SentMessage {
        get throws { try #require(first) }
    }

    /// The path of the session of the message.
    var session: String {
        get throws { "sessions/\(try sent.session)" }
    }

    /// An app whose class makes no controller.
    private final class Absent: MSMessagesAppViewController {
        required init?(coder: NSCoder) { nil }
    }

    /// A message with that URL and nothing else.
    static func said(_ url: String) -> Draft {
        var content = MessageContent()
        content.url = url
        return Draft(content: content)
    }

    private static var draft: Draft {
        var draft = said("?move=1")
        draft.content.layout = ContentLayout()
        draft.picture = Picture(type: "image/png", bytes: Data(repeating: 7, count: 20_000))
        return draft
    }
}
