import Foundation
import Messages
import MessagesHost
import ParleyNode
import Synchronization
import TestSupport
import Testing

/// Messages that came while an app was closed, over restarts of the host and its node.
@MainActor
@Suite(.timeLimit(.minutes(5)))
final class ArrivalTests {
    private static let app = HostedApp(Probe.self, id: "game")
    private let ben = Participant(id: UUID(), device: "BEN", name: nil)
    private let node: DeskNode
    private let directory: TestDirectory
    private let file: KeptFile
    private var hosts: [AppHost] = []

    init() throws {
        node = DeskNode([ben])
        directory = try TestDirectory()
        file = KeptFile(path: directory.path("arrivals.json"))
        Probe.reset()
    }

    /// Stops the hosts before the directory is removed, as they write a moment after a change.
    isolated deinit {
        for host in hosts { host.stop() }
    }

    /// A host on the node, as after a restart.
    private func started(replays: Bool = true) -> AppHost {
        var settings = HostSettings()
        settings.replaysArrivals = replays
        let lines = SharedLines()
        settings.log = { lines.add($0) }
        let host = AppHost(
            apps: [Self.app],
            settings: settings,
            node: node,
            keepingArrivalsIn: file
        )
        host.start()
        hosts.append(host)
        said = lines
        return host
    }

    private var said = SharedLines()

    /// Lines of the log.
    private final class SharedLines: Sendable {
        private let lines = Mutex<[String]>([])
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    private func panel(_ host: AppHost) throws -> AppPanel {
        var found: AppPanel?
        host.panel(Self.app, in: "table") { found = try? $0.get() }
        return try #require(found)
    }

    @discardableResult
    private func arrive(
        _ url: String,
        in session: SessionID = SessionID(),
        picture: PictureInfo? = nil
    ) throws -> Message {
        let message = try node.message(
            url,
            app: "game",
            from: ben,
            in: session,
            picture: picture
        )
        node.show(message)
        node.emit(.happened(.shown(conversation: "table", message)))
        return message
    }

    private func opened(_ host: AppHost) throws -> [String?] {
        Probe.received = []
        let panel = try panel(host)
        try panel.open()
        panel.close()
        return Probe.received.map { $0.url?.absoluteString }
    }

    /// Regression: an app heard nothing of messages that came before its node was restarted.
    @Test(arguments: [true, false], [true, false])
    func areToldAfterARestart(wasOpened: Bool, wasStopped: Bool) async throws {
        node.show(try node.message("?long ago", app: "game", from: ben))
        let first = started()
        if wasOpened { #expect(try opened(first).isEmpty) }
        let session = SessionID()
        for url in ["?1", "?2"] { try arrive(url, in: session) }
        try arrive("?other")
        if wasStopped {
            first.stop()
        } else {
            // The process is killed a moment later.
            _ = try await eventually("the file") {
                (try file.read(atMost: 1 << 20)?.count ?? 0) > 120 ? true : nil
            }
        }
        let second = started()
        #expect(try opened(second) == ["?2", "?other"])
        #expect(try opened(second).isEmpty)
        second.stop()
        #expect(try opened(started()).isEmpty, "they are told once")
        #expect(said.all.isEmpty)
    }

    /// A message whose picture has not arrived before the restart is told when it arrives.
    @Test func aMessageThatWaitsForItsPictureIsTold() throws {
        let picture = PictureInfo(
            sha256: String(repeating: "0", count: 64),
            type: "image/gif",
            bytes: Pictures.gif.count,
            isHere: false
        )
        // Tests that wait may have used the app since `init`.
        Probe.reset()
        let first = started()
        try panel(first).open()
        let message = try arrive("?picture", picture: picture)
        #expect(Probe.received.isEmpty)
        first.stop()
        let panel = try panel(started())
        try panel.open()
        #expect(Probe.received.isEmpty)
        node.pictures[message.id] = Data(Pictures.gif)
        node.emit(.happened(.pictureArrived(conversation: "table", session: message.session)))
        #expect(Probe.received.map { $0.url?.absoluteString } == ["?picture"])
    }

    /// With Apple's rule an app is not told of earlier messages, so none are kept.
    @Test func nothingIsKeptByApplesRule() throws {
        let first = started(replays: false)
        try arrive("?1")
        first.stop()
        #expect(try opened(started()).isEmpty)
    }

    /// Of very many sessions, the latest ones are remembered.
    @Test func arrivalsAreBounded() throws {
        let first = started()
        for number in 0..<2_500 { try arrive("?\(number)") }
        first.stop()
        let latest: [String?] = (1_476..<2_500).map { "?\($0)" }
        #expect(try opened(started()) == latest)
    }

    /// A file that somebody damaged costs the arrivals and a line in the log.
    @Test func aDamagedFileIsReported() throws {
        try file.replace(with: Array("[{".utf8))
        let host = started()
        #expect(said.all.count == 1)
        try arrive("?1")
        #expect(try opened(host) == ["?1"])
    }

    /// A disk that takes nothing is reported once.
    @Test func aFileThatCannotBeWrittenIsReported() throws {
        try FileManager.default.createDirectory(
            atPath: file.path + ".new",
            withIntermediateDirectories: false
        )
        let host = started()
        try arrive("?1")
        host.stop()
        #expect(said.all.count == 1)
    }
}
