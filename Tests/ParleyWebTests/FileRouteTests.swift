import Foundation
import ParleyAPI
import ParleyNode
import ParleyWeb
import TestSupport
import Testing

/// Files of any size, by requests of the page and of commands.
@Suite(.timeLimit(.minutes(20))) struct FileRouteTests {
    private func entry(_ client: PageClient, _ session: SessionID) async throws
        -> PageEntryDocument
    {
        try await eventually("the offer") {
            let answer = try await client.call("GET", "/v1/conversations/games/entries")
            return try JSON.decode(PageEntriesDocument.self, from: answer.body).entries
                .first { $0.session == session.description }
        }
    }

    @Test func anUploadBecomesAnOfferThatThePageShows() async throws {
        try await ControlBench.with { bench in
            let path = "/v1/conversations/games/files?name=a%2Ffilm%E2%80%AE.mkv&type=video%2Fx"
            let body = ["12345", "67890"]
            let sent = try await bench.page.call(
                "POST",
                path,
                body,
                fields: ["Content-Length": "10"]
            )
            #expect(sent.status == 201, "\(sent.text)")
            let session = try JSON.decode(SentMessage.self, from: sent.body).session
            let entry = try await entry(bench.page, session)
            let file = try #require(entry.file)
            #expect(entry.content == "attachment" && entry.picture == nil)
            #expect(file.name == "film.mkv" && file.type == "video/x" && file.bytes == 10)
            #expect(file.state == .here && file.here && file.done == 10)
            let saved = try await bench.page.call("GET", file.url)
            #expect(saved.text == "1234567890")
            #expect(
                try saved.field("Content-Disposition") == "attachment; filename*=UTF-8''film.mkv"
            )
            #expect(saved.type == "application/octet-stream")
        }
    }

    @Test(arguments: [[:], ["Content-Length": "9"], ["Content-Length": "11"]])
    func theLengthHasToBeRight(fields: [String: String]) async throws {
        try await ControlBench.with { bench in
            let path = "/v1/conversations/games/files?name=film"
            let answer = try await bench.page.call("POST", path, ["1234567890"], fields: fields)
            #expect(answer.status == 400, "\(answer.text)")
            #expect(try await bench.node.fileTransfers().isEmpty)
        }
    }

    @Test(arguments: [
        ("bytes=0-9", 0..<10), ("bytes=19990-", 19_990..<20_000), ("bytes=-5", 19_995..<20_000),
        ("bytes=19999-40000", 19_999..<20_000), ("bytes=20000-", nil), ("bytes=9-3", nil),
        ("bytes=0-1,4-5", nil), ("bytes=-", nil), ("lines=1-2", nil),
    ])
    func aPartIsReadForWhoAsksForOne(field: String, range: Range<Int>?) async throws {
        try await ControlBench.with { bench in
            let session = try await bench.offered()
            let path = "/v1/conversations/games/files/\(session)/content"
            let answer = try await bench.page.call("GET", path, fields: ["Range": field])
            #expect(answer.status == (range == nil ? 200 : 206))
            #expect(answer.body.count == range?.count ?? 20_000)
            let told = range.map { "bytes \($0.lowerBound)-\($0.upperBound - 1)/20000" }
            #expect(try answer.field("Content-Range") == told)
        }
    }

    @Test func aGuestSavesWhatTheHostHas() async throws {
        try await ControlBench.with { bench in
            let open = try await bench.openToGuests("{}")
            let phone = try await bench.phone("Mia", try #require(open["code"] as? String))
            let session = try await bench.offered()
            let entry = try await entry(bench.page, session)
            let url = try #require(entry.file?.url)
            let saved = try await phone.call("GET", url)
            #expect(saved.status == 200 && saved.body.count == 20_000, "\(saved.text)")
        }
    }

    @Test func thePageHearsOfEachState() async throws {
        try await ControlBench.with { bench in
            let session = try await bench.offerOfAnother()
            let offered = try await entry(bench.page, session)
            #expect(offered.file?.state == .offered && offered.file?.here == false)
            let path = "/v1/conversations/games/files/\(session)"
            let missing = try await bench.page.call("GET", path + "/content")
            #expect(missing.problem == "notYet")
            #expect(try await bench.page.call("GET", offered.file?.url ?? "").status == 404)
            #expect(try await bench.page.call("DELETE", path).status == 200)
            #expect(try await entry(bench.page, session).file?.state == .declined)
            let answer = try await bench.page.call("PUT", path)
            let accepted = try JSON.decode(FileTransfer.self, from: answer.body)
            #expect(accepted.state == .waiting && !accepted.isMine)
            try await eventually("the file") {
                try await entry(bench.page, session).file?.here == true
            }
        }
    }
}
