import Foundation
import MessagesHost
import ParleyAPI
import ParleyWeb
import ParleyNode
import TestSupport
import Testing

extension ControlBench {
    private static let sketchPath = "/v1/conversations/games/apps/parley.sketch/panel"

    /// Opens the app Sketch.
    func sketch() async throws -> PanelDocument {
        let opened = try await page.call("POST", Self.sketchPath, [#"{"deed":"open"}"#])
        return try JSON.decode(PanelDocument.self, from: opened.body)
    }

    /// Has Sketch stage a message with a picture.
    func stageSketch() async throws {
        let panel = try await sketch()
        let button = try #require(panel.tree?.children.last).id
        let press =
            #"{"deed":"act","kind":"press","node":"\#(button)","version":\#(panel.version)}"#
        #expect(try await page.call("POST", Self.sketchPath, [press]).status == 200)
    }

    /// Sends a message whose bubble Sketch draws; returns it once pages show it.
    func sentLive() async throws -> SentMessage {
        var content = MessageContent()
        content.app = "parley.sketch"
        var layout = ContentLayout()
        layout.isLive = true
        content.layout = layout
        let sent = try await node.send(Draft(content: content), to: "games")
        try await eventually("the message") {
            let entries = try await page.call("GET", "/v1/conversations/games/entries")
            return entries.text.contains(sent.id.description)
        }
        return sent
    }

    /// Has Sketch draw a bubble for an open page.
    ///
    /// Regression: no page was open, and the bubble was closed between two requests of a test.
    func drawn() async throws -> LiveDocument {
        try await open()
        let path = "/v1/conversations/games/live/\(try await sentLive().id)"
        let open = #"{"deed":"open","width":260,"height":400}"#
        let answer = try await page.call("POST", path, [open])
        #expect(answer.status == 200, "\(answer.text)")
        return try JSON.decode(LiveDocument.self, from: answer.body)
    }

    /// The path of the picture in a bubble.
    func drawnPicture() async throws -> String {
        let views = try #require(try await drawn().tree).children
        return try #require(views.first { $0.kind == "image" }?.src)
    }

    /// Sends a message with a picture that a browser can show.
    func sentPicture() async throws -> SentMessage {
        var draft = Draft(content: MessageContent())
        draft.content.layout = ContentLayout()
        draft.picture = Picture(type: "image/svg+xml", bytes: Data(Sketch.svg.utf8))
        return try await node.send(draft, to: "games")
    }
}
