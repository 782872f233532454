import Foundation
import ParleyCommand
import TestSupport
import Testing

/// The pages of the demo are opened by the opener of the desktop, where there is a display.
@Suite struct DesktopBrowserTests {
    @Test(arguments: [[:], ["DISPLAY": ""], ["TERM": "xterm"]])
    func thereIsNoneWithoutADisplay(_ environment: [String: String]) throws {
        let folder = try TestDirectory()
        try opener(in: folder, "exit 0")
        var all = environment
        all["PATH"] = folder.url.path
        #expect(DesktopBrowser(environment: all) == nil)
    }

    @Test func thereIsNoneWithoutAnOpener() throws {
        let folder = try TestDirectory()
        let environment = ["DISPLAY": ":0", "PATH": folder.url.path]
        #expect(DesktopBrowser(environment: environment) == nil)
    }

    @Test(.timeLimit(.minutes(5)), arguments: ["DISPLAY", "WAYLAND_DISPLAY"])
    func theOpenerGetsTheLink(_ display: String) async throws {
        let folder = try TestDirectory()
        let seen = folder.url.appending(path: "seen")
        try opener(
            in: folder,
            "printf '%s' \"$#:$1\" > '\(seen.path).new'; mv '\(seen.path).new' '\(seen.path)'"
        )
        let path = "/nowhere:\(folder.url.path):/usr/bin:/bin"
        let browser = try #require(DesktopBrowser(environment: [display: "0", "PATH": path]))
        #expect(browser.open("http://127.0.0.1:8275/enter/secret"))
        try await eventually("the opener ran") {
            (try? String(contentsOf: seen, encoding: .utf8))
                == "1:http://127.0.0.1:8275/enter/secret"
        }
    }

    private func opener(in folder: TestDirectory, _ script: String) throws {
        let file = folder.url.appending(path: "xdg-open")
        try "#!/bin/sh\n\(script)\n".write(to: file, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    }
}
