import Foundation
import MessagesHost
import ParleyAPI
import ParleyWeb
import ParleyNode
import Testing

extension ControlBench {
    /// Has the app stage a sticker; returns it.
    func stagedSticker() async throws -> StagedStickerDocument {
        let path = "/v1/conversations/games/apps/test.stickers/panel"
        let opened = try await page.call("POST", path, [#"{"deed":"open"}"#])
        let panel = try JSON.decode(PanelDocument.self, from: opened.body)
        let button = try #require(panel.tree?.children.last).id
        let press =
            #"{"deed":"act","kind":"press","node":"\#(button)","version":\#(panel.version)}"#
        #expect(try await page.call("POST", path, [press]).status == 200)
        let answer = try await page.call("GET", "/v1/page")
        let document = try JSON.decode(PageDocument.self, from: answer.body)
        let part = try #require(document.fields.first?.parts.first)
        #expect(part.items == 1)
        return try #require(part.stickers?.first)
    }

    /// The request to put a staged sticker on the message of the conversation.
    func placeRequest() async throws -> String {
        let place = PlaceDocument(
            app: "test.stickers",
            sticker: try await stagedSticker().id,
            message: try sent.id.description,
            x: 0.5,
            y: 0.5
        )
        return String(decoding: try JSON.encode(place), as: UTF8.self)
    }

    /// Sends a sticker on the message of the conversation as another program could; returns its
    /// session.
    func placed(_ bytes: Data, number: UInt8 = 0) async throws -> SessionID {
        let me = try #require(try await node.conversations().first?.me.id)
        var owner = me.uuid
        (owner.14, owner.15) = (7, number)
        var sticker = Draft(session: SessionID(UUID(uuid: owner)), content: MessageContent())
        sticker.content.layout = ContentLayout()
        sticker.content.accessibilityLabel = "\(number)"
        sticker.content.placement = Placement(on: try sent.id, x: 0, y: 0)
        sticker.picture = Picture(type: "image/png", bytes: bytes)
        return try await node.send(sticker, to: "games").session
    }
}

extension ControlBench {
    /// The session of a text that the page has sent.
    func written(_ text: String) async throws -> SessionID {
        try await apps.send(text: text, to: "games").session
    }
}
