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
    func theOpenerGetsAFileThatLeadsToTheLink(_ display: String) async throws {
        let folder = try TestDirectory()
        let seen = folder.url.appending(path: "seen")
        try opener(
            in: folder,
            "printf '%s' \"$#:$1\" > '\(seen.path).new'; mv '\(seen.path).new' '\(seen.path)'"
        )
        let path = "/nowhere:\(folder.url.path):/usr/bin:/bin"
        let browser = try #require(DesktopBrowser(environment: [display: "0", "PATH": path]))
        let place = try PrivateFiles.folder("parley-test")
        defer { try? FileManager.default.removeItem(at: place) }
        let link = "http://127.0.0.1:8275/enter/secret?conversation=games"
        #expect(browser.open(link, through: place))
        let arguments = try await eventually("the opener ran") {
            try? String(contentsOf: seen, encoding: .utf8)
        }
        // Every user can read arguments: they have no secret.
        #expect(!arguments.contains("secret"))
        let file = String(arguments.dropFirst("1:".count))
        #expect(file.hasPrefix(place.path) && file.hasSuffix(".html"), "\(arguments)")
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("0; url=\(link)\""))
        for (path, mode) in [(place.path, 0o700), (file, 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
    }

    /// A link that somebody else has put in the place of a file is removed and not followed.
    @Test func aPlantedLinkIsNotFollowed() throws {
        let folder = try TestDirectory()
        let victim = try folder.write("victim", Data("kept".utf8))
        let file = folder.path("log")
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: victim)
        try PrivateFiles.file(at: file).write(contentsOf: Data("new".utf8))
        #expect(try folder.contents("victim") == Data("kept".utf8))
        #expect(try folder.contents("log") == Data("new".utf8))
    }

    private func opener(in folder: TestDirectory, _ script: String) throws {
        let file = folder.url.appending(path: "xdg-open")
        try "#!/bin/sh\n\(script)\n".write(to: file, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    }
}
