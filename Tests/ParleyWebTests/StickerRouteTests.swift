import Foundation
import MessagesHost
import ParleyAPI
import ParleyWeb
import ParleyNode
import StickerSheet
import TestSupport
import Testing

/// Stickers that a person places on messages and peels off, by requests of the page.
@Suite(.timeLimit(.minutes(20))) struct StickerRouteTests {
    private static let stickers = "/v1/conversations/games/stickers"

    private func entries(_ bench: ControlBench) async throws -> [PageEntryDocument] {
        let answer = try await bench.page.call("GET", "/v1/conversations/games/entries")
        return try JSON.decode(PageEntriesDocument.self, from: answer.body).entries
    }

    private func text(_ document: PlaceDocument) throws -> String {
        String(decoding: try JSON.encode(document), as: UTF8.self)
    }

    @Test func aStickerIsPlacedAndPeeledOff() async throws {
        try await ControlBench.with { bench in
            let sticker = try await bench.stagedSticker()
            #expect(sticker.description == "A golden star")
            let picture = try await bench.page.call("GET", sticker.src)
            #expect(picture.status == 200)
            #expect(picture.body == StickerSheet.star)

            let place = PlaceDocument(
                app: "test.stickers",
                sticker: sticker.id,
                message: try bench.sent.id.description,
                x: 0.12344,
                y: 1
            )
            let placed = try await bench.page.call("POST", Self.stickers, [try text(place)])
            #expect(placed.status == 201, "\(placed.text)")
            let entry = try await eventually("the sticker") {
                try await entries(bench).first { $0.stickers != nil }
            }
            #expect(try await entries(bench).count == 1)
            let shown = try #require(entry.stickers?.first)
            #expect([shown.x, shown.y] == [0.1234, 1])
            #expect(shown.description == "A golden star")
            #expect(shown.mine == true)
            let image = try await bench.page.call("GET", shown.src)
            #expect(image.type == "image/png")
            #expect(image.body == StickerSheet.star)

            let peeled = try await bench.page.call("DELETE", Self.stickers + "/" + shown.id)
            #expect(peeled.status == 204, "\(peeled.text)")
            try await eventually("the end of the sticker") {
                try await entries(bench).allSatisfy { $0.stickers == nil }
            }
            #expect(try await entries(bench).count == 1)
            let again = try await bench.page.call("DELETE", Self.stickers + "/" + shown.id)
            #expect(again.status == 404)
        }
    }

    /// Only who has placed a sticker can peel it off, which was taken for a turn of that person.
    @Test func aStickerOnAMessageIsNobodysTurn() async throws {
        try await ControlBench.with { bench in
            let place = try await bench.placeRequest()
            let placed = try await bench.page.call("POST", Self.stickers, [place])
            #expect(placed.status == 201, "\(placed.text)")
            try await eventually("the sticker") {
                try await entries(bench).contains { $0.stickers != nil }
            }
            let page = try await bench.page.call("GET", "/v1/page")
            #expect(!page.text.contains("myTurn"))
        }
    }

    /// A sticker whose bytes are another thing than its message says is not shown.
    @Test func whatOnlyClaimsToBeAStickerIsNotShown() async throws {
        try await ControlBench.with { bench in
            let bytes = [Data(Sketch.svg.utf8), Data("<html>".utf8), StickerSheet.star]
            for (number, content) in bytes.enumerated() {
                _ = try await bench.placed(content, number: UInt8(number))
            }
            let entry = try await eventually("the sticker") {
                try await entries(bench).first { $0.stickers != nil }
            }
            #expect(entry.stickers?.map(\.description) == ["2"])
        }
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let status: Int
        let change: @Sendable (inout PlaceDocument) -> Void
    }

    static let bad: [Bad] = [
        Bad(testDescription: "left of the message", status: 400) { $0.x = -0.001 },
        Bad(testDescription: "below the message", status: 400) { $0.y = 1.001 },
        Bad(testDescription: "no message ID", status: 400) { $0.message = "x" },
        Bad(testDescription: "an unknown message", status: 404) {
            $0.message = String(repeating: "0", count: 32) + "-1"
        },
        Bad(testDescription: "no UUID", status: 400) { $0.sticker = "x" },
        Bad(testDescription: "an unknown sticker", status: 409) {
            $0.sticker = UUID().uuidString
        },
        Bad(testDescription: "an unknown app", status: 409) { $0.app = "none" },
    ]

    @Test func refusesBadPlaces() async throws {
        try await ControlBench.with { bench in
            let sticker = try await bench.stagedSticker()
            let place = PlaceDocument(
                app: "test.stickers",
                sticker: sticker.id,
                message: try bench.sent.id.description,
                x: 0,
                y: 0
            )
            for bad in Self.bad {
                var changed = place
                bad.change(&changed)
                let answer = try await bench.page.call(
                    "POST",
                    Self.stickers,
                    [try text(changed)]
                )
                #expect(answer.status == bad.status, "\(bad): \(answer.text)")
            }
            let garbage = try await bench.page.call("POST", Self.stickers, ["{}"])
            #expect(garbage.status == 400)
            #expect(try await bench.page.call("DELETE", Self.stickers + "/x").status == 400)
            #expect(try await entries(bench).allSatisfy { $0.stickers == nil })
            // It is still in the field.
            #expect(try await bench.page.call("GET", sticker.src).status == 200)
        }
    }
}
