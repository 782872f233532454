import Foundation
import Glibc
import PageSupport
import ParleyAPI
import TestSupport
import Testing
import WebDriver

/// A peer sends everything that has ever broken a page: nothing runs, and nothing breaks.
@Suite(
    .serialized,
    .enabled(if: BrowserDriver.isInstalled || geteuid() == 0),
    .timeLimit(.minutes(10)),
    .sharedPair
)
struct HostilePeerTests {
    private static let markup = "<img src=x onerror=hacked()><script>hacked()</script>"
    private static let captions = [
        "--caption", "--subcaption", "--trailing-caption", "--trailing-subcaption", "--image-title",
    ]
    private static let reversed = "\u{202E}\u{2067}gpj.exe\u{200F}"

    @Test func nothingRunsAndNothingBreaks() async throws {
        let pair = try #require(PagePair.current)
        let name = try await pair.begin()
        let page = pair.bobsPage
        _ = try page.run("window.hacked = () => { window.isHacked = true; }; window.dialogs = 0;")
        // Peers cannot send more: a longer text is no message.
        let long = String(repeating: "W", count: 1_000)
        let texts = [Self.markup, Self.reversed, long, "", "javascript:hacked()"]
        for (index, text) in texts.enumerated() {
            let label = "label \(index) \(text.prefix(400))"
            var options = Self.captions.flatMap { [$0, text] }
            options += ["--summary", String(text.prefix(60)), "--accessibility-label", label]
            try await send("parley.tictactoe", options, by: pair.alice, to: name)
            let caption = ["--caption", "app \(index) \(text)"]
            try await send("evil.\(index)", caption, by: pair.alice, to: name)
        }
        try await attach(svg, "\(Self.markup)\(Self.reversed).svg", pair.alicesPage, name)
        try await attach(hugePicture, "\(long.prefix(900)).bin", pair.alicesPage, name)
        let links = "javascript:hacked() https://user@evil.example/ https://good.example/a"
        try await send(
            "parley.text",
            ["--caption", "\(Self.markup) \(links)"],
            by: pair.alice,
            to: name
        )
        _ = try await page.find("article", from: Self.markup)
        try await look(page)
        try await page.inspect("hostile-peer")

        // Opening a message of an app whose content is nonsense does not break the app.
        let card = try await page.find("article", from: "label 0")
        try await page.find("button", "Open", in: card).click()
        _ = try await page.find("button", "Square 1, free")
        try await look(page)
    }

    /// The name of a device can be anything of at most 64 bytes, so no longer one arrives; the
    /// conversation's name is of this device.
    @Test func namesOfDevicesAreOnlyNames() async throws {
        let pair = try #require(PagePair.current)
        let name = try await pair.begin()
        let mallory = try await PageNode(
            "<img src=x onerror=hacked()><b>",
            peers: [try #require(pair.alice.ready.addresses.first)]
        )
        let invite = try await pair.alice.run("invite", name)
        let link = try JSON.decode(Invite.self, from: invite).link
        _ = try await mallory.run("join", "-", input: link)
        for page in [pair.alicesPage, pair.bobsPage] {
            _ = try page.run("window.hacked = () => { window.isHacked = true; };")
        }
        let card = """
            {"app": "parley.tictactoe", "caption": "A card", "url": "javascript:hacked()",
            "imageType": "image/svg+xml", "imageData": "\(svg.base64EncodedString())"}
            """
        _ = try await mallory.run(
            "send",
            "-c",
            name,
            "--batch",
            "-",
            input: card.replacing("\n", with: "") + "\n"
        )
        for page in [pair.alicesPage, pair.bobsPage] {
            let card = try await page.find("article", "A card")
            // In a group the name stands above the message.
            try await eventually("the name") { try card.text.contains("onerror=hacked()") }
            try await eventually("the picture, which runs nothing") {
                let width = "return document.querySelector('.card-picture img')?.naturalWidth"
                return try page.run(width).number == 80
            }
            let people = try page.present("complementary", "People")
            if people == nil { try await page.find("button", "People").click() }
            let list = try await page.find("complementary", "People")
            try await eventually("the name among the people") {
                try list.text.contains("<img src=x onerror=hacked()>")
            }
            #expect(try !list.text.unicodeScalars.contains("\u{202E}"))
            // The turn of direction by a name does not reach the words beside it.
            let beside = "return getComputedStyle(document.querySelector('.device b')).unicodeBidi"
            #expect(try page.run(beside) == "isolate")
        }
        let page = pair.alicesPage
        try await page.inspect("hostile-names", sizes: [(390, 844), (1_440, 900)])
        try page.resize(width: 1_440, height: 900)
        try await page.find("button", "Nearby").click()
        let nearby = try await page.find("dialog", "Nearby")
        #expect(try nearby.text.contains("<img src=x onerror=hacked()>"))
        try await page.find("button", from: "Pair with <img").click()
        _ = try await page.find("dialog", from: "Pair with <img")
        try await page.inspect("hostile-pairing", sizes: [(390, 844)])
        for page in [pair.alicesPage, pair.bobsPage] {
            #expect(try page.run("return window.isHacked === true") == .bool(false))
        }
        await #expect(mallory.end() == 0)
    }

    private func send(
        _ app: String,
        _ options: [String],
        by node: PageNode,
        to conversation: String
    ) async throws {
        var arguments = ["send", "-c", conversation, "--app", app] + options
        if app != "parley.text" { arguments += ["--url", "javascript:hacked()"] }
        _ = try await node.run(arguments)
    }

    private func look(_ page: Browser) async throws {
        #expect(try page.run("return window.isHacked === true") == .bool(false))
        let links = """
            return [...document.querySelectorAll("a[href]")].map((link) => link.href)
                .filter((href) => !href.startsWith(location.origin));
            """
        #expect(try page.run(links) == ["https://good.example/a"])
        let scripts =
            "return document.querySelectorAll('.page script, .page iframe, object').length"
        #expect(try page.run(scripts).number == 0)
        let errors = try page.consoleLines().filter { $0.contains("Uncaught") }
        #expect(errors.isEmpty, "\(errors)")
    }

    /// A picture with a script and an event handler in it.
    private var svg: Data {
        Data(
            """
            <svg xmlns="http://www.w3.org/2000/svg" width="80" height="80" onload="hacked()">
            <script>parent.hacked()</script><rect width="80" height="80" fill="red"/></svg>
            """.utf8
        )
    }

    /// 4 MB that begin like a picture of 30,000 by 30,000.
    private var hugePicture: Data {
        var data = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13])
        data += Data("IHDR".utf8) + Data([0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30, 8, 6, 0, 0, 0])
        return data + Data(repeating: 7, count: 4 * 1_024 * 1_024 - 100 - data.count)
    }

    /// Sends a file by the page of its sender, as that page itself does.
    private func attach(
        _ data: Data,
        _ file: String,
        _ page: Browser,
        _ conversation: String
    ) async throws {
        let script = """
            const [start, rest, name, conversation] = arguments;
            const bytes = Uint8Array.from(atob(start), (c) => c.charCodeAt(0));
            const whole = new Uint8Array(bytes.length + rest).fill(7);
            whole.set(bytes);
            const path = `/v1/conversations/${encodeURIComponent(conversation)}/attachments`;
            // The page's own requests have its proof.
            const proof = performance.getEntriesByType("resource")
                .map((entry) => new URL(entry.name).searchParams.get("proof")).findLast(Boolean);
            const address = `${path}?name=${encodeURIComponent(name)}&proof=${proof}`;
            return fetch(address, { method: "POST", body: whole }).then(({ status }) => status);
            """
        let start = data.prefix(400)
        let status = try page.run(
            script,
            .text(Data(start).base64EncodedString()),
            .number(Double(data.count - start.count)),
            .text(file),
            .text(conversation)
        )
        #expect(status.number == 201)
    }
}
