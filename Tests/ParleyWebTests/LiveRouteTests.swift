import Foundation
import ParleyAPI
import ParleyWeb
import ParleyNode
import Testing

/// Bubbles that apps draw for pages, by requests of a page.
@Suite(.timeLimit(.minutes(20)))
struct LiveRouteTests {
    @Test func anAppDrawsItsBubble() async throws {
        try await ControlBench.with { bench in
            let drawn = try await bench.drawn()
            #expect(drawn.conversation == "games")
            #expect((1...260).contains(drawn.width) && (1...400).contains(drawn.height))
            let views = try #require(drawn.tree).children
            #expect(views.map(\.kind) == ["canvas", "textField", "image", "button"])

            let source = try await bench.drawnPicture()
            let picture = try await bench.page.call("GET", source)
            #expect(picture.status == 200)
            #expect(picture.text == Sketch.svg)
            #expect(try picture.field("Cache-Control")?.contains("immutable") == true)
            let bare = try #require(source.split(separator: "&").first).description
            let untagged = try await bench.page.call("GET", bare)
            #expect(try untagged.field("Cache-Control") == "no-store")
        }
    }

    @Test func whatPeopleDoInABubbleReachesTheApp() async throws {
        try await ControlBench.with { bench in
            let drawn = try await bench.drawn()
            let answer = try await act(on: drawn, bench)
            #expect(answer.status == 200, "\(answer.text)")
            let after = try JSON.decode(LiveDocument.self, from: answer.body)
            #expect(
                after.tree?.children.first?.strokes
                    == [StrokeDocument(points: [[1, 2], [3.5, 4]], width: 2)]
            )
            #expect(after.serial > drawn.serial)
        }
    }

    /// Draws on the canvas of a bubble.
    private func act(on drawn: LiveDocument, _ bench: ControlBench) async throws
        -> RouterClient.Answer
    {
        let canvas = try #require(drawn.tree?.children.first).id
        return try await bench.page.call(
            "POST",
            "/v1/conversations/games/live/\(drawn.message)",
            [
                #"{"deed":"act","kind":"draw","node":"\#(canvas)","#
                    + #""version":\#(drawn.version),"width":260,"height":400,"#
                    + #""stroke":{"points":[[1,2],[3.5,4]],"width":2}}"#
            ]
        )
    }

    /// A page may ask for a bubble that was closed a moment ago: that is no failure.
    @Test func thereIsNoPictureWithoutABubble() async throws {
        try await ControlBench.with { bench in
            let id = try await bench.sentLive().id.description
            for message in [id, "nonsense", String(repeating: "a", count: 32) + "-7"] {
                let path = "/pictures/live/games/\(message)?node=picture"
                let answer = try await bench.page.call("GET", path)
                #expect(answer.status == 204, "\(message): \(answer.text)")
                #expect(answer.body.isEmpty)
            }
        }
    }
}
