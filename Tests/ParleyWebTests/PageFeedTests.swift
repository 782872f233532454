import Foundation
import MessagesHost
import ParleyAPI
import ParleyWeb
import ParleyNode
import Testing

/// The one stream of events of a page, and the documents that it begins with.
@Suite(.timeLimit(.minutes(20))) struct PageFeedTests {
    private func document<Value: Decodable>(
        _ type: Value.Type,
        _ path: String,
        _ bench: ControlBench
    ) async throws -> Value {
        let answer = try await bench.page.call("GET", "/v1/" + path)
        try #require(answer.status == 200, "\(answer.text)")
        return try JSON.decode(type, from: answer.body)
    }

    /// The events after that one, until there is one of that kind that fits.
    private func events(
        after id: String?,
        until kind: String,
        _ bench: ControlBench,
        where fits: @escaping @Sendable (Data) -> Bool = { _ in true }
    ) async throws -> [(kind: String, id: String, data: Data)] {
        var parts = 2
        while true {
            let fields = id.map { ["Last-Event-ID": $0] } ?? [:]
            let answer = try await bench.page.call(
                "GET",
                "/v1/events",
                fields: fields,
                parts: parts
            )
            let events = answer.events
            if events.contains(where: { $0.kind == kind && fits($0.data) }) { return events }
            parts += 1
        }
    }

    private static let panel = "/v1/conversations/games/apps/parley.sketch/panel"

    /// Opens the app that sketches.
    private func openPanel(_ bench: ControlBench) async throws -> PanelDocument {
        let opened = try await bench.page.call("POST", Self.panel, [#"{"deed":"open"}"#])
        #expect(opened.status == 200, "\(opened.text)")
        return try JSON.decode(PanelDocument.self, from: opened.body)
    }

    /// Opens the app and presses the button by which it fills the field.
    private func stage(_ bench: ControlBench) async throws {
        let panel = try await openPanel(bench)
        let button = try #require(panel.tree?.children.last).id
        let press =
            #"{"deed":"act","kind":"press","node":"\#(button)","version":\#(panel.version)}"#
        #expect(try await bench.page.call("POST", Self.panel, [press]).status == 200)
    }

    @Test func aPageBeginsWithEverything() async throws {
        try await ControlBench.with { bench in
            let page = try await document(PageDocument.self, "page", bench)
            #expect(page.name == "bench")
            let conversation = try #require(page.conversations.first)
            #expect(conversation.name == "games")
            #expect(conversation.participants.map(\.mine) == [true])
            #expect(conversation.participants.first?.participant == conversation.me)
            #expect(conversation.last?.session == (try bench.sent).session.description)
            #expect(
                page.apps.map(\.id)
                    == ["parley.tictactoe", "parley.absent", "parley.sketch", "test.stickers"]
            )
            #expect(page.panels.isEmpty)
            #expect(page.fields.isEmpty)
        }
    }

    /// A reader that lost its connection gets exactly what it missed.
    @Test func goesOnWithoutAGap() async throws {
        try await ControlBench.with { bench in
            let page = try await document(PageDocument.self, "page", bench)
            for text in ["one", "two", "three"] {
                _ = try await bench.apps.send(text: text, to: "games")
            }
            let all = try await events(after: page.event, until: "entry", bench) {
                String(decoding: $0, as: UTF8.self).contains("three")
            }
            let entries = try all.filter { $0.kind == "entry" }.map {
                try JSON.decode(PageEntryEvent.self, from: $0.data)
            }
            #expect(entries.map(\.entry.line) == ["one", "two", "three"])
            #expect(entries.allSatisfy { $0.conversation == "games" && $0.entry.mine })
            #expect(entries.allSatisfy { $0.entry.content == "text" })
            #expect(!all.contains { $0.kind == "reset" })

            let first = try #require(all.first { $0.kind == "entry" })
            let rest = try await events(after: first.id, until: "entry", bench) {
                String(decoding: $0, as: UTF8.self).contains("three")
            }
            #expect(rest.filter { $0.kind == "entry" }.count == 2)
        }
    }

    /// Regression: how far a message has come was not told where nobody else could have it, unless
    /// its entry happened to be made later.
    @Test func tellsThatAMessageIsStored() async throws {
        try await ControlBench.with { bench in
            let page = try await document(PageDocument.self, "page", bench)
            let sent = try await bench.apps.send(text: "alone", to: "games")
            let all = try await events(after: page.event, until: "delivery", bench)
            let told = try #require(all.first { $0.kind == "delivery" })
            let delivery = try JSON.decode(PageDeliveryEvent.self, from: told.data)
            #expect(delivery.id == sent.id.description)
            #expect(delivery.delivery.state == "stored")
        }
    }

    /// An edited text is no new one, and of one that was taken back pages hear that it is gone.
    @Test func tellsOfChangedTexts() async throws {
        try await ControlBench.with { bench in
            let page = try await document(PageDocument.self, "page", bench)
            let path = "/v1/conversations/games/own/\(try await bench.written("Helo"))"
            let edit = try await bench.page.call("PUT", path, [#"{"text":"Hello"}"#])
            #expect(edit.status == 200, "\(edit.text)")
            #expect(try await bench.page.call("DELETE", path).status == 204)
            let all = try await events(after: page.event, until: "entry", bench) {
                String(decoding: $0, as: UTF8.self).contains("gone")
            }
            let told = try all.filter { $0.kind == "entry" }.map {
                try JSON.decode(PageEntryEvent.self, from: $0.data)
            }
            #expect(told.map(\.entry.kind) == ["message", "message", "gone"])
            #expect(told.map(\.entry.edited) == [nil, true, nil])
            #expect(told.map(\.again) == [nil, true, nil])
        }
    }

    /// IDs of another process, or too old ones, begin anew.
    @Test(arguments: [nil, "other-1", "garbage", ""])
    func beginsAnew(_ id: String?) async throws {
        try await ControlBench.with { bench in
            let events = try await events(after: id, until: "reset", bench)
            #expect(events.first?.kind == "reset")
        }
    }

    @Test func tellsWhatAppsShow() async throws {
        try await ControlBench.with { bench in
            let page = try await document(PageDocument.self, "page", bench)
            let path = Self.panel
            let panel = try await openPanel(bench)
            #expect(panel.style == "compact")
            let views = try #require(panel.tree).children
            #expect(views.map(\.kind) == ["canvas", "textField", "image", "button"])
            #expect(views.map(\.takes) == [["draw"], ["edit"], [], ["press"]])
            #expect(views[2].width == 30)
            #expect(views[2].label == "A picture")
            let source = try #require(views[2].src)
            let picture = try await bench.page.call("GET", source)
            #expect(picture.status == 200)
            #expect(picture.text == Sketch.svg)

            let stroke = #"{"points":[[1,2],[3.5,4]],"width":2}"#
            let drawn = try await bench.page.call(
                "POST",
                path,
                [
                    #"{"deed":"act","kind":"draw","node":"\#(views[0].id)","#
                        + #""version":\#(panel.version),"stroke":\#(stroke)}"#
                ]
            )
            #expect(drawn.status == 200, "\(drawn.text)")
            let events = try await events(after: page.event, until: "panel", bench) {
                String(decoding: $0, as: UTF8.self).contains("3.5")
            }
            let last = try #require(events.last { $0.kind == "panel" })
            let told = try JSON.decode(PanelDocument.self, from: last.data)
            #expect(
                told.tree?.children[0].strokes
                    == [StrokeDocument(points: [[1, 2], [3.5, 4]], width: 2)]
            )
            #expect(told.serial > panel.serial)
        }
    }

    @Test(arguments: [
        #"{"points":[[1]],"width":2}"#, #"{"points":[[1,2]],"width":0}"#, "null",
        #"{"points":[[1,2,3]],"width":2}"#,
    ])
    func refusesStrokes(_ stroke: String) async throws {
        try await ControlBench.with { bench in
            let path = Self.panel
            let panel = try await openPanel(bench)
            let canvas = try #require(panel.tree?.children.first).id
            let drawn = try await bench.page.call(
                "POST",
                path,
                [
                    #"{"deed":"act","kind":"draw","node":"\#(canvas)","#
                        + #""version":\#(panel.version),"stroke":\#(stroke)}"#
                ]
            )
            #expect(drawn.status == 400)
        }
    }

    /// A draft of an app waits in the field until a person sends or removes it.
    @Test func theFieldHoldsWhatAppsStage() async throws {
        try await ControlBench.with { bench in
            let page = try await document(PageDocument.self, "page", bench)
            let field = "/v1/conversations/games/field"
            try await stage(bench)
            let events = try await events(after: page.event, until: "field", bench)
            let told = try #require(events.last { $0.kind == "field" })
            let staged = try JSON.decode(FieldDocument.self, from: told.data)
            let part = try #require(staged.parts.first)
            #expect(part.app == "parley.sketch")
            #expect(part.text == "hello")
            #expect(part.draft?.line == "From bench")
            let source = try #require(part.draft?.picture?.url)
            #expect(try await bench.page.call("GET", source).type == "image/svg+xml")

            let take = #"{"deed":"takeText","app":"parley.sketch"}"#
            let taken = try await bench.page.call("POST", field, [take])
            #expect(try taken.object()["text"] as? String == "hello")
            let send = #"{"deed":"send","text":"typed"}"#
            let sent = try await bench.page.call("POST", field, [send])
            #expect(sent.status == 200, "\(sent.text)")
            let entries = try await document(
                PageEntriesDocument.self,
                "conversations/games/entries?limit=2",
                bench
            )
            #expect(entries.entries.map(\.line) == ["From bench", "typed"])
            #expect(entries.entries.map(\.content) == ["app", "text"])
            #expect(entries.entries.first?.appID == "parley.sketch")
            #expect(entries.entries.first?.picture?.width == 30)
            #expect(entries.next != nil)
            let empty = try await bench.page.call("POST", field, [#"{"deed":"send"}"#])
            #expect(empty.status == 409)
        }
    }

    @Test func removesWhatAnAppStaged() async throws {
        try await ControlBench.with { bench in
            let field = "/v1/conversations/games/field"
            try await stage(bench)
            let remove = #"{"deed":"removeDraft","app":"parley.sketch"}"#
            let removed = try await bench.page.call("POST", field, [remove])
            #expect(try JSON.decode(FieldDocument.self, from: removed.body).parts.isEmpty)
        }
    }

    @Test func entriesComeInPages() async throws {
        try await ControlBench.with { bench in
            for number in 1...6 {
                _ = try await bench.apps.send(text: "\(number)", to: "games")
            }
            let path = "conversations/games/entries?limit=3"
            let last = try await document(PageEntriesDocument.self, path, bench)
            #expect(last.entries.map(\.line) == ["4", "5", "6"])
            let cursor = try #require(last.next)
            // A message that comes meanwhile moves no entry of an earlier page.
            _ = try await bench.apps.send(text: "7", to: "games")
            let before = try await document(
                PageEntriesDocument.self,
                path + "&before=" + cursor,
                bench
            )
            #expect(before.entries.map(\.line) == ["1", "2", "3"])
            let start = try #require(before.next)
            let first = try await document(
                PageEntriesDocument.self,
                path + "&before=" + start,
                bench
            )
            #expect(first.entries.count == 1)
            #expect(first.next == nil)
        }
    }

    /// A file that somebody attached can be downloaded, and is shown if it is a picture.
    @Test func attachmentsAreEntries() async throws {
        try await ControlBench.with { bench in
            let path = "/v1/conversations/games/attachments?name="
            let svg = try await bench.page.call("POST", path + "drawing.svg", [Sketch.svg])
            #expect(svg.status == 201)
            let text = try await bench.page.call("POST", path + "notes.txt", ["hello"])
            #expect(text.status == 201)
            let found = try await document(
                PageEntriesDocument.self,
                "conversations/games/entries?limit=2",
                bench
            )
            let (first, second) = (found.entries[0], found.entries[1])
            #expect(first.content == "attachment")
            #expect(first.picture?.width == 30)
            #expect(first.file?.name == "drawing.svg")
            #expect(second.file?.type == "text/plain")
            #expect(second.picture == nil)
            let large = String(repeating: "a", count: MessageLimits.pictureBytes + 1)
            #expect(try await bench.page.call("POST", path + "a", [large]).status == 413)
            #expect(try await bench.page.call("POST", path + "a", [""]).status == 409)
            for check in [path, "/v1/attachments/check?name="] {
                let cut = try await bench.page.call("POST", check + "a.svg", ["<svg><g>"])
                #expect(cut.status == 400)
                #expect(cut.problem == "notAnImage")
                #expect(cut.text.contains("It was cut: its end is missing."))
            }
        }
    }

    @Test func aSessionHasAllItsHeads() async throws {
        try await ControlBench.with { bench in
            let session = try bench.sent.session
            let path = "conversations/games/sessions/\(session)"
            let found = try await document(PageSessionDocument.self, path, bench)
            #expect(found.shown.session == session.description)
            #expect(found.others.isEmpty)
            let other = try await bench.page.call("GET", "/v1/conversations/games/sessions/x")
            #expect(other.status == 400)
        }
    }

    /// The streams of a node are limited; closing one makes room.
    @Test func refusesFurtherStreams() async throws {
        try await ControlBench.with { bench in
            try await withThrowingTaskGroup(of: Int.self) { group in
                let (opened, open) = AsyncStream.makeStream(of: Void.self)
                let (closed, close) = AsyncStream.makeStream(of: Void.self)
                defer { close.finish() }
                for _ in 0..<32 {
                    group.addTask {
                        try await bench.page.call(
                            "GET",
                            "/v1/events",
                            parts: 1,
                            onPart: { _ in
                                open.yield()
                                for await _ in closed {}
                            }
                        ).status
                    }
                }
                var count = 0
                for await _ in opened {
                    count += 1
                    if count == 32 { break }
                }
                // Regression: the limit was one of texts and not of routes.
                for path in ["/v1/events", "/v1/events/", "/v1//pairings/events"] {
                    let refused = try await bench.page.call("GET", path, parts: 1)
                    #expect(refused.status == 503, "\(path)")
                    #expect(refused.problem == "tooManyStreams")
                }
                close.finish()
                for try await status in group { #expect(status == 200) }
            }
            let again = try await bench.page.call("GET", "/v1/events", parts: 1)
            #expect(again.status == 200)
        }
    }
}
