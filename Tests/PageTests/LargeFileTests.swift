import Foundation
import Glibc
import PageSupport
import TestSupport
import Testing
import WebDriver

/// Files of more than 4 MB are offered, and come once somebody accepts them.
@Suite(
    .serialized,
    .enabled(if: BrowserDriver.isInstalled || geteuid() == 0),
    .timeLimit(.minutes(5)),
    .sharedPair
)
struct LargeFileTests {
    private let pair: PagePair
    private let alice: Browser
    private let bob: Browser

    init() async throws {
        pair = try #require(PagePair.current)
        try await pair.begin()
        (alice, bob) = (pair.alicesPage, pair.bobsPage)
    }

    /// Sends a file of so many bytes.
    private func offer(_ name: String, _ count: Int) async throws {
        let folder = try TestDirectory()
        let path = try folder.write(name, Data(repeating: 7, count: count))
        _ = try await alice.find("button", "Attach")
        try alice.first("input[type=file]").type(path)
        let draft = try await alice.find("region", "Draft")
        _ = try await alice.find("button", "Remove \(name)", in: draft)
        try await alice.find("button", "Send").click()
        // The sender has the file, and no question.
        _ = try await alice.find("link", from: name)
        try await eventually("the end") { try !alice.seen.contains("Sending…") }
    }

    @Test func whoAcceptsAFileSavesIt() async throws {
        try await offer("film.mkv", 6_000_000)
        let article = try await bob.find("article", "film.mkv")
        #expect(try article.text.contains("5.7 MB"))
        let accept = try await bob.find("button", "Accept", in: article)
        try await bob.inspect("file-offered", sizes: [(320, 568), (1_440, 900)])
        try accept.click()
        let link = try await bob.find("link", from: "film.mkv")
        #expect(try link.attribute("download") == "film.mkv")
        let script = """
            const [link, done] = arguments;
            fetch(link.href).then(async (answer) => done([(await answer.arrayBuffer()).byteLength,
                answer.headers.get("content-disposition")]));
            """
        let answer = try bob.runLater(script, link.reference).array ?? []
        #expect(answer.first?.number == 6_000_000)
        #expect(answer.last?.text == "attachment; filename*=UTF-8''film.mkv")
        try await bob.inspect("file-here", sizes: [(320, 568), (1_440, 900)])
    }

    @Test func whoDeclinesAFileMayThinkAgain() async throws {
        try await offer("song.flac", 5_000_000)
        let article = try await bob.find("article", "song.flac")
        try await bob.find("button", "Decline", in: article).click()
        try await eventually("what was decided") { try article.text.contains("Declined") }
        #expect(try bob.present("button", "Decline") == nil)
        try await bob.find("button", "Accept", in: article).click()
        _ = try await bob.find("link", from: "song.flac")
    }

    /// While the other device is away, its file is awaited, and comes when it is back.
    @Test func aFileIsAwaited() async throws {
        try await offer("film.mkv", 6_000_000)
        let article = try await bob.find("article", "film.mkv")
        let accept = try await bob.find("button", "Accept", in: article)
        pair.alice.pause()
        defer { pair.alice.resume() }
        try accept.click()
        try await eventually("why it waits") { try article.text.contains("can be reached") }
        _ = try await bob.find("progressbar", "film.mkv", in: article)
        _ = try await bob.find("button", "Cancel", in: article)
        try await bob.inspect("file-awaited", sizes: [(320, 568)])
        pair.alice.resume()
        _ = try await bob.find("link", from: "film.mkv")
    }
}
