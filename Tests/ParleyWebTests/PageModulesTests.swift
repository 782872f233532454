import Foundation
import NIOCore
import ParleyCore
import ParleyNode
import ParleyWeb
import Testing

/// The files of the page are small, and so is what a browser loads of them.
@Suite struct PageModulesTests {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
    private static let folder = sources.appending(path: "CPageAssets/assets")

    private func script(_ name: String) throws -> String {
        try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
    }

    @Test func noModuleHasMoreThan300Lines() throws {
        let files = try FileManager.default.contentsOfDirectory(
            at: Self.folder,
            includingPropertiesForKeys: nil
        )
        let texts = files.filter { ["js", "css", "html"].contains($0.pathExtension) }
        #expect(texts.count > 20)
        for file in texts {
            let lines = try String(contentsOf: file, encoding: .utf8).split(
                separator: "\n",
                omittingEmptySubsequences: false
            )
            // The last one is what follows the last line end.
            #expect(lines.count - 1 <= 300, "\(file.lastPathComponent)")
        }
    }

    @Test func everythingTogetherHas65KBAsItIsSent() {
        // The page of the fault proxy has files of its own.
        let own = PageAsset.all.values.filter { !$0.name.hasPrefix("network.") }
        let forms = own.map { $0.form(accepting: "gzip") }
        let bytes = forms.reduce(0) { $0 + $1.bytes.readableBytes }
        #expect((1...65_000).contains(bytes), "\(bytes)")
    }

    @Test func thePageKnowsTheMostUsesOfAnInvite() throws {
        let found = try script("invite.js").firstMatch(of: /const DEVICES_MAX = (\d+);/)
        #expect(found.map { String($0.1) } == "\(Limits.inviteUses.upperBound)")
        #expect(InviteDetail.usesAllowed == Limits.inviteUses)
    }

    /// An event that the page does not know would be lost without a word.
    @Test func thePageTakesTheEventsThatTheFeedSends() throws {
        let path = Self.sources.appending(path: "ParleyWeb/Feed/PageFeed.swift")
        let sent = try String(contentsOf: path, encoding: .utf8)
            .matches(of: /\badd\(\s*"(\w+)"/).map(\.1)
        let table = try #require(script("model.js").firstMatch(of: /EVENTS = \{((?s).*?)\n\};/)).1
        let listed = try #require(table.firstMatch(of: /fromEntries\(\[(.*?)\]/)).1
        let taken =
            table.matches(of: /^ {4}(\w+):/.anchorsMatchLineEndings()).map(\.1)
            + listed.matches(of: /"(\w+)"/).map(\.1)
            + (try script("live.js")).matches(of: /EVENTS\.(\w+) =/).map(\.1)
        #expect(sent.count > 10)
        #expect(Set(sent) == Set(taken))
    }
}
