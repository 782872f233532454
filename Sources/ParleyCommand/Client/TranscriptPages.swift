import ParleyAPI
import ParleyNode

/// Reads a transcript in pages, so that nodes and commands have only one in memory.
struct TranscriptPages {
    /// The route of the transcript.
    let path: String

    init(of conversation: String) {
        path = PathText.conversation(conversation) + "/transcript"
    }

    private static let entriesMax = TranscriptPage.entriesMax

    /// The path of the first page.
    var first: String { after("start") }

    private func after(_ place: String) -> String {
        "\(path)?limit=\(Self.entriesMax)&after=\(place)"
    }

    /// The path of the page after a cursor.
    func after(_ cursor: TranscriptCursor) -> String {
        after("\(cursor)")
    }

    /// Passes all entries to `take`, oldest first.
    ///
    /// A session that changes meanwhile may come again, with its later message.
    func all(
        isolation: isolated (any Actor)? = #isolation,
        _ get: (String) async throws -> TranscriptPage,
        _ take: ([TranscriptEntry]) throws -> Void
    ) async throws {
        var path: String? = first
        while let next = path {
            let page = try await get(next)
            try take(page.entries)
            path = page.next.map(after)
        }
    }

    /// The last entries, at most `count`, and the cursor for earlier entries.
    func last(
        isolation: isolated (any Actor)? = #isolation,
        _ count: Int,
        _ get: (String) async throws -> TranscriptPage
    ) async throws -> TranscriptPage {
        var found = try await get("\(path)?limit=\(min(count, Self.entriesMax))")
        while found.entries.count < count, let before = found.next {
            let rest = min(count - found.entries.count, Self.entriesMax)
            let page = try await get("\(path)?limit=\(rest)&before=\(before)")
            found = TranscriptPage(entries: page.entries + found.entries, next: page.next)
        }
        return found
    }
}

extension EntryNames {
    /// Asks the node for the names of the participants of a conversation.
    init(of conversation: String, _ client: ControlClient) async throws {
        let all = try await client.get("conversations", as: [Conversation].self)
        self.init(all.first { $0.isCalled(conversation) }?.participants ?? [])
    }
}
