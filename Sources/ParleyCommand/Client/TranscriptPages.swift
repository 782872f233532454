import ParleyAPI
import ParleyNode

/// Reads a transcript in pages, so that neither a node nor a command has more than one in memory.
struct TranscriptPages {
    /// The route of the transcript.
    let path: String

    init(of conversation: String) {
        path = PathText.conversation(conversation) + "/transcript"
    }

    private static let entriesMax = TranscriptPage.entriesMax

    /// Passes all entries to `take`, oldest first.
    ///
    /// A session that changes meanwhile may come again, with its later message.
    func all(
        isolation: isolated (any Actor)? = #isolation,
        _ get: (String) async throws -> TranscriptDocument,
        _ take: ([EntryDocument]) throws -> Void
    ) async throws {
        var place: String? = "start"
        while let after = place {
            let page = try await get("\(path)?limit=\(Self.entriesMax)&after=\(after)")
            try take(page.entries)
            place = page.next
        }
    }

    /// The last entries, at most `count`, and the cursor for those before them.
    func last(
        isolation: isolated (any Actor)? = #isolation,
        _ count: Int,
        _ get: (String) async throws -> TranscriptDocument
    ) async throws -> TranscriptDocument {
        var found = try await get("\(path)?limit=\(min(count, Self.entriesMax))")
        while found.entries.count < count, let before = found.next {
            let rest = min(count - found.entries.count, Self.entriesMax)
            let page = try await get("\(path)?limit=\(rest)&before=\(before)")
            found = TranscriptDocument(entries: page.entries + found.entries, next: page.next)
        }
        return found
    }
}
