import Hummingbird
import ParleyAPI
import ParleyNode

/// The parameters of a request for a page of a longer list.
extension Request {
    /// The entries of a page unless the request says how many.
    private static var usualLimit: Int { 100 }

    /// The most entries of the page.
    ///
    /// - Throws: a `Problem` if `limit` is not a number from 1 to `TranscriptPage.entriesMax`.
    var pageLimit: Int {
        get throws { try number("limit", from: 1) ?? Self.usualLimit }
    }

    /// The number in a parameter of the query, if it is there.
    func number(_ name: String, from low: Int) throws -> Int? {
        guard let text = uri.queryParameters[Substring(name)] else { return nil }
        guard let number = Int(text), (low...TranscriptPage.entriesMax).contains(number) else {
            throw Problem.badInput(
                "\(name) is a number from \(low) to \(TranscriptPage.entriesMax)."
            )
        }
        return number
    }

    /// The cursor in a parameter of the query, if it is there.
    func cursor(_ name: String) throws -> TranscriptCursor? {
        guard let text = uri.queryParameters[Substring(name)] else { return nil }
        guard let cursor = TranscriptCursor(String(text)) else {
            throw Problem.badInput(
                "\(name) is not a cursor: \(String(text).quoted).",
                hint: "A cursor is the next of an earlier answer, unchanged."
            )
        }
        return cursor
    }

    /// The page of a transcript in the query: the last one unless the request says otherwise.
    var transcriptPlace: TranscriptPlace {
        get throws {
            let query = uri.queryParameters
            guard query["before"] == nil || query["after"] == nil else {
                throw Problem.badInput("A page is before a cursor or after one.")
            }
            if query["after"] == "start" { return .start }
            if let cursor = try cursor("after") { return .after(cursor) }
            return try cursor("before").map { .before($0) } ?? .end
        }
    }
}
