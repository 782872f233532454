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

    private static let guestsFile = "/v1/conversations/games/files?name=film.mkv&type=video%2Fx"

    /// The page of a guest, on a node with these limits.
    private func withGuest(
        _ change: (inout FileLimits) -> Void = { _ in },
        _ body: (ControlBench, GuestClient) async throws -> Void
    ) async throws {
        try await ControlBench.with {
            $0.fileLimits.guestReserve = 0
            change(&$0.fileLimits)
        } _: { bench in
            let open = try await bench.openToGuests("{}")
            let code = try #require(open["code"] as? String)
            try await body(bench, try await bench.phone("Mia", code))
        }
    }

    @Test func aGuestSendsAFileThroughItsHost() async throws {
        try await withGuest { bench, phone in
            let check = try await phone.call("POST", "/v1/files/check", ["{\"bytes\":10}"])
            #expect(check.status == 204, "\(check.text)")
            let sent = try await phone.send(Self.guestsFile, ["12345", "67890"])
            #expect(sent.status == 201, "\(sent.text)")
            let session = try JSON.decode(SentMessage.self, from: sent.body).session
            let shown = try await bench.node.session(session, in: "games").shown
            #expect(shown.sender.name == "Mia" && shown.sender.host != nil)
            let entry = try await entry(bench.page, session)
            let url = try #require(entry.file?.url)
            #expect(try await bench.page.call("GET", url).text == "1234567890")
            #expect(try await phone.call("GET", url).text == "1234567890")
            // The file goes with its message.
            let path = "/v1/conversations/games/own/\(session)"
            #expect(try await phone.call("DELETE", path).status < 300)
            try await eventually("the end of the offer") {
                try await bench.node.fileTransfers().isEmpty
            }
        }
    }

    @Test(arguments: [1 << 20, 1 << 20 + 1])
    func aGuestIsToldOfTheLimit(bytes: Int) async throws {
        let limit = 1 << 20
        try await withGuest {
            $0.guestFileBytes = limit
        } _: { bench, phone in
            let wanted = ["{\"bytes\":\(bytes)}"]
            let check = try await phone.call("POST", "/v1/files/check", wanted)
            let sent = try await phone.send(
                Self.guestsFile,
                [String(repeating: "x", count: bytes)]
            )
            #expect(check.status == (bytes > limit ? 400 : 204))
            #expect(sent.status == (bytes > limit ? 400 : 201))
            guard bytes > limit else { return }
            for answer in [check, sent] {
                #expect(answer.text.contains("at most 1 MB") && answer.text.contains("the host"))
            }
            #expect(try await bench.node.fileTransfers().isEmpty)
        }
    }

    @Test func aGuestOffersSoManyFilesAndLeavesSpace() async throws {
        try await withGuest {
            $0.guestFiles = 2
        } _: { bench, phone in
            for _ in 1...2 {
                #expect(try await phone.send(Self.guestsFile, ["1"]).status == 201)
            }
            let third = try await phone.send(Self.guestsFile, ["1"])
            #expect(third.status == 400 && third.text.contains("unsend one"), "\(third.text)")
            #expect(try await bench.node.fileTransfers().count == 2)
            _ = try await bench.offered()
        }
        try await withGuest {
            $0.guestReserve = 1 << 60
        } _: { bench, phone in
            #expect(try await phone.send(Self.guestsFile, ["1"]).problem == "noSpace")
            _ = try await bench.offered()
        }
    }

    @Test func theUploadOfARemovedGuestEnds() async throws {
        try await withGuest { bench, _ in
            let guest = try #require(try await bench.node.guests().first)
            let node = GuestNode(bench.node, guest: guest)
            let upload = try await node.upload(of: 10, named: "film", type: "", to: "games")
            try await upload.write(Data("12345".utf8))
            let removed = try await bench.client.call("DELETE", "conversations/games/guests/1")
            #expect(removed.status == 200)
            await #expect(throws: NodeError.self) { try await upload.write(Data("67890".utf8)) }
            await #expect(throws: NodeError.self) { try await node.offer(upload) }
            await #expect(throws: NodeError.unknownConversation("games")) {
                try await node.upload(of: 10, named: "film", type: "", to: "games")
            }
            #expect(try await bench.node.fileTransfers().isEmpty)
        }
    }

    @Test func aGuestHasTheHostFetchAFile() async throws {
        try await withGuest { bench, phone in
            let session = try await bench.offerOfAnother()
            let path = "/v1/conversations/games/files/\(session)"
            // The host decides what is thrown away.
            #expect(try await phone.call("DELETE", path).problem == "unknownRoute")
            #expect(try await phone.call("PUT", path).status == 200)
            let url = try await eventually("the file") {
                let file = try await entry(bench.page, session).file
                return file?.here == true ? file?.url : nil
            }
            #expect(try await phone.call("GET", url).body.count == 20_000)
        }
        try await withGuest {
            $0.guestFileBytes = 19_999
        } _: { bench, phone in
            let session = try await bench.offerOfAnother()
            let path = "/v1/conversations/games/files/\(session)"
            #expect(try await phone.call("PUT", path).problem == "badDraft")
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

extension GuestClient {
    /// Hands over a file.
    fileprivate func send(_ path: String, _ body: [String]) async throws -> RouterClient.Answer {
        let length = body.reduce(0) { $0 + $1.utf8.count }
        let fields = ["Origin": origin, "Content-Length": "\(length)"]
        return try await request("POST", try proved(path), body, fields)
    }
}
