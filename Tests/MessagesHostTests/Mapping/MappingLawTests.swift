import Foundation
import Messages
import MessagesHost
import MessagesTesting
import ParleyNode
import TestSupport
import Testing

/// A message arrives as it was sent: over the wire, between two hosts.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct MappingLawTests {
    @Test(arguments: 0..<UInt64(60))
    func everyPartArrivesAsItWasSent(seed: UInt64) throws {
        var random = SeededRandom(seed: seed &* 977)
        let table = try Table()
        let conversation = try table.opened()
        try table.ben.open()
        let sent = Self.contents(using: &random)
        let status = MessageStatus()
        conversation.send(MSMessage(sent, status: status))
        table.harness.settle()
        let message = try #require(
            Probe.received.first,
            "seed \(seed): \(String(describing: status.state.error))"
        )
        #expect(MessageContents(message) == sent, "seed \(seed)")
        #expect(status.state.sender == message.senderParticipantIdentifier, "seed \(seed)")
    }

    @Test func aMessageOutsideOfAnySessionArrivesOutside() throws {
        let table = try Table()
        let conversation = try table.opened()
        try table.ben.open()
        conversation.send(MSMessage("?1"))
        conversation.send(MSMessage("?2"))
        table.harness.settle()
        #expect(Probe.received.map(\.session) == [nil, nil])
        #expect(table.ben.bubbles.count == 2)
    }

    @Test func aSessionIsEqualOnBothSides() throws {
        let table = try Table()
        let conversation = try table.opened()
        try table.ben.open()
        let session = MSSession()
        conversation.send(MSMessage("?1", in: session))
        table.harness.settle()
        let received = try #require(Probe.received.first?.session)
        #expect(received == session)
        table.ben.conversation?.send(MSMessage("?2", in: received))
        table.harness.settle()
        #expect(table.ann.bubbles.filter { $0.kind == .message }.map(\.url) == ["?2"])
    }

    @Test func picturesOfAnySizeArriveUnchanged() throws {
        for count in [0, 9_000, 300_000] {
            let table = try Table()
            let conversation = try table.opened()
            try table.ben.open()
            let bytes = Data(Pictures.png(width: 3, height: 2, tail: count))
            let message = MSMessage("?p")
            let layout = MSMessageTemplateLayout()
            let image: UIImage = try #require(UIImage(data: bytes))
            layout.image = image
            message.layout = layout
            conversation.send(message)
            table.harness.settle()
            let arrived = try #require(Probe.received.first)
            let template = try #require(arrived.layout as? MSMessageTemplateLayout)
            #expect(template.image?.pngData() == bytes)
        }
    }

    /// A picture at the media URL arrives as a picture, a movie as a file.
    @Test func mediaFilesArrive() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "parley-host-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let movie = folder.appending(path: "a.mov")
        try Data("not really a movie".utf8).write(to: movie)
        let picture = folder.appending(path: "b.bin")
        try Data(Pictures.gif).write(to: picture)
        for url in [movie, picture] {
            let table = try Table()
            let template = try received(mediaAt: url, on: table)
            if url == movie {
                let file = try #require(template.mediaFileURL)
                #expect(try Data(contentsOf: file) == Data(contentsOf: movie))
                #expect(template.image == nil)
            } else {
                #expect(template.image?.encoded?.data == Data(Pictures.gif))
                #expect(template.mediaFileURL == nil)
            }
        }
    }

    /// Regression: a host with an open app outlived its harness, and so did the files of movies.
    @Test func mediaFilesGoWithTheHarness() throws {
        let directory = try TestDirectory()
        let movie = URL(filePath: try directory.write("a.mov", Data("not really a movie".utf8)))
        func arrived() throws -> URL {
            let table = try Table()
            let file = try #require(try received(mediaAt: movie, on: table).mediaFileURL)
            #expect(FileManager.default.fileExists(atPath: file.path))
            return file
        }
        let folder = try arrived().deletingLastPathComponent()
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    /// The layout that Ben gets of a message with this media URL.
    private func received(mediaAt url: URL, on table: Table) throws -> MSMessageTemplateLayout {
        let conversation = try table.opened()
        try table.ben.open()
        let message = MSMessage("?m")
        let layout = MSMessageTemplateLayout()
        layout.mediaFileURL = url
        message.layout = layout
        conversation.send(message)
        table.harness.settle()
        return try #require(Probe.received.first?.layout as? MSMessageTemplateLayout)
    }

    // MARK: Any message

    private static func contents(using random: inout SeededRandom) -> MessageContents {
        var contents = MessageContents()
        if Bool.random(using: &random) { contents.session = UUID() }
        contents.urlString = url(using: &random)
        contents.summaryText = text(64, using: &random)
        contents.accessibilityLabel = text(250, using: &random)
        contents.shouldExpire = Bool.random(using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: break
        case 1: contents.layout = .live(alternate: template(using: &random))
        default: contents.layout = .template(template(using: &random))
        }
        // A message of nothing is refused.
        if contents.urlString == nil { contents.summaryText = "said" }
        return contents
    }

    private static func template(using random: inout SeededRandom) -> TemplateContents {
        var template = TemplateContents()
        template.caption = text(250, using: &random)
        template.subcaption = text(250, using: &random)
        template.trailingCaption = text(250, using: &random)
        template.trailingSubcaption = text(250, using: &random)
        template.imageTitle = text(250, using: &random)
        template.imageSubtitle = text(250, using: &random)
        if Bool.random(using: &random) {
            let count = Int.random(in: 0..<20_000, using: &random)
            let png = Pictures.png(width: 1, height: 1, tail: count)
            template.image = try? EncodedImage(Data(png))
        }
        return template
    }

    private static func url(using random: inout SeededRandom) -> String? {
        guard Int.random(in: 0..<8, using: &random) > 0 else { return nil }
        var components = URLComponents()
        if Bool.random(using: &random) { components.scheme = "https" }
        components.queryItems = (0..<Int.random(in: 1..<9, using: &random)).map { index in
            URLQueryItem(name: "k\(index)", value: text(20, using: &random))
        }
        return components.url?.absoluteString
    }

    private static let scalars: [Unicode.Scalar] = [
        "a", "Z", "0", " ", "\n", "\t", "\u{0}", "\u{1B}", "é", "\u{301}", "ß", "中", "🎲",
        "\u{202E}", "\u{FEFF}", "$", "%", "&", "=", "?", "#", "\"", "\\", "\u{10FFFF}",
    ]

    /// At most so many scalars, or nothing.
    private static func text(_ count: Int, using random: inout SeededRandom) -> String? {
        guard Int.random(in: 0..<4, using: &random) > 0 else { return nil }
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...count, using: &random) {
            if let scalar = scalars.randomElement(using: &random) { text.append(scalar) }
        }
        return String(text)
    }
}
