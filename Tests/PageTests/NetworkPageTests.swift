import Foundation
import Glibc
import PageSupport
import TestSupport
import Testing
import WebDriver

/// The page of the fault proxy, in front of a server that returns what it gets.
@Suite(.enabled(if: BrowserDriver.isInstalled || geteuid() == 0), .timeLimit(.minutes(2)))
struct NetworkPageTests {
    private struct Ready: Decodable {
        let control: String
    }

    private struct Proxy: Decodable {
        struct Toxic: Decodable {
            let name: String
        }

        let listen: String
        let enabled: Bool
        let toxics: [Toxic]
    }

    /// A program of Python's that returns what it gets, at a port that it prints.
    private static let echo = """
        import socket, sys
        listener = socket.create_server(('127.0.0.1', 0))
        print(listener.getsockname()[1], flush=True)
        while True:
            client, _ = listener.accept()
            while data := client.recv(4096): client.sendall(data)
        """

    /// The server and the proxy with its page.
    private final class Rig {
        let control: String
        let port: String
        private let programs: [Child]
        private let files: TestDirectory

        init() async throws {
            let files = try TestDirectory()
            self.files = files
            let environment = ["PATH": "/usr/bin:/bin"]
            let echo = try Child(
                ["/usr/bin/python3", "-c", NetworkPageTests.echo],
                environment: environment,
                output: files.path("port"),
                errors: files.path("echo")
            )
            port = try await eventually("port") {
                let text = String(decoding: try files.contents("port"), as: UTF8.self)
                return text.hasSuffix("\n") ? String(text.dropLast()) : nil
            }
            let parley = try Child(
                [
                    PageNode.program("parley"), "proxy", "run", "--control", "127.0.0.1:0",
                    "--json", "--page",
                ],
                environment: environment,
                output: files.path("output"),
                errors: files.path("errors")
            )
            control = try await eventually("control") {
                try? JSONDecoder().decode(Ready.self, from: files.contents("output"))
            }.control
            programs = [echo, parley]
        }

        /// A browser on the page.
        func browser() async throws -> Browser {
            let browser = try await BrowserDriver().browser(width: 900, height: 700)
            try browser.open(control + "/")
            return browser
        }

        var proxy: Proxy? {
            get throws {
                let url = try #require(URL(string: control + "/proxies"))
                let json = try Data(contentsOf: url)
                return try JSONDecoder().decode([String: Proxy].self, from: json)["echo"]
            }
        }

        /// Lays a cable to the server; returns a client of it.
        func lay(_ browser: Browser) async throws -> EchoClient {
            try await browser.find("textbox", "Name").type("echo")
            try await browser.find("textbox", "The server is at").type("127.0.0.1:\(port)")
            try await browser.find("button", "Lay the cable").click()
            _ = try await browser.find("article", "echo")
            return try EchoClient(address: try #require(try proxy).listen)
        }
    }

    @Test func aPersonPullsACableAndPlugsItIn() async throws {
        let rig = try await Rig()
        let browser = try await rig.browser()
        let client = try await rig.lay(browser)
        #expect(try await client.returns("one"))

        try await browser.find("button", "Pull the cable of echo").click()
        let plug = try await browser.find("button", "Plug in the cable of echo")
        #expect(try plug.attribute("aria-pressed") == "true")
        try client.send("two")
        #expect(try await !client.receives("two", within: .milliseconds(300)))
        try plug.click()
        #expect(try await client.receives("two", within: .seconds(20)))

        try await browser.find("combobox", "A fault of echo").type("Reset")
        try await browser.find("button", "Add").click()
        try await browser.find("button", "Remove reset_peer_downstream").click()
        try await eventually("the fault ends") { try rig.proxy?.toxics.isEmpty == true }
        try await browser.find("button", "Refuse connections").click()
        _ = try await browser.find("button", "Take connections")
        #expect(try rig.proxy?.enabled == false)
        #expect(try browser.consoleLines() == [])
    }

    /// Browsers name the page that a request comes from; a name that leads here is not this page.
    @Test(arguments: [
        ["-H", "Origin: http://elsewhere", "-X", "POST"],
        ["-H", "Host: elsewhere:8474"],
        ["-X", "POST"],
    ])
    func aPageOfSomebodyElseGetsNothing(_ words: [String]) async throws {
        let rig = try await Rig()
        let files = try TestDirectory()
        let path = rig.control + (words.contains("POST") ? "/reset" : "/proxies")
        let curl = try Child(
            ["/usr/bin/curl", "--silent", "-A", "Mozilla/5.0", "-w", "%{http_code}", path] + words,
            environment: [:],
            output: files.path("output"),
            errors: files.path("errors")
        )
        #expect(await curl.end() == 0)
        let answer = String(decoding: try files.contents("output"), as: UTF8.self)
        #expect(answer == "User agent not allowed\n403")
    }
}

/// A client that sends words and waits for them.
private final class EchoClient {
    private let socket: Int32
    private var received = ""

    init(address: String) throws {
        let port = try #require(address.split(separator: ":").last.flatMap { UInt16($0) })
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0)
        _ = fcntl(socket, F_SETFL, O_NONBLOCK)
    }

    deinit { close(socket) }

    func send(_ word: String) throws {
        let count = Glibc.send(socket, word, word.utf8.count, Int32(MSG_NOSIGNAL))
        try #require(count == word.utf8.count)
    }

    func returns(_ word: String) async throws -> Bool {
        try send(word)
        return try await receives(word, within: .seconds(20))
    }

    func receives(_ word: String, within limit: Duration) async throws -> Bool {
        do {
            try await eventually("the word \(word)", within: limit) {
                var bytes = [UInt8](repeating: 0, count: 64)
                let count = recv(self.socket, &bytes, bytes.count, 0)
                if count > 0 { self.received += String(decoding: bytes[..<count], as: UTF8.self) }
                return self.received.hasSuffix(word)
            }
            return true
        } catch is NeverCame {
            return false
        }
    }
}
