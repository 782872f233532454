package import ParleyCore

/// Entries of a transcript that follow one another.
public struct TranscriptPage: Hashable, Sendable, Codable {
    /// The entries, oldest first.
    public let entries: [TranscriptEntry]
    /// Where the next page begins: before this page if the transcript is read from the end, else
    /// after this page; nil if there is no other page.
    public let next: TranscriptCursor?
    /// The feed position of the latest change that the page includes.
    package private(set) var position: UInt64 = 0

    /// The most entries of a page.
    public static let entriesMax = 200

    private enum CodingKeys: CodingKey {
        case entries, next
    }

    package init(
        entries: [TranscriptEntry],
        next: TranscriptCursor? = nil,
        position: UInt64 = 0
    ) {
        self.entries = entries
        self.next = next
        self.position = position
    }
}

/// A place between two entries of a transcript on one node.
///
/// The place stays the same when entries come, go or move, and after a restart.
public struct TranscriptCursor: Hashable, Sendable, CustomStringConvertible {
    package let key: TranscriptKey

    package init(_ key: TranscriptKey) {
        self.key = key
    }

    /// The text form, whose parts have no meaning for others.
    public var description: String { "\(key.place).\(key.session).\(key.dot)" }

    /// Parses the text form; nil if it is none.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let place = UInt64(parts[0]), let session = Int32(parts[1]),
            let dot = Dot(parts[2])
        else { return nil }
        self.init(TranscriptKey(place: place, dot: dot, session: session))
    }
}

extension TranscriptCursor: Codable {
    /// Reads the JSON of `/v1`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let cursor = TranscriptCursor(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no cursor")
        }
        self = cursor
    }

    /// Writes the JSON of `/v1`.
    public func encode(to encoder: any Encoder) throws {
        try description.encode(to: encoder)
    }
}

/// The place of a page in a transcript.
public enum TranscriptPlace: Hashable, Sendable {
    /// The last entries.
    case end
    /// The first entries.
    case start
    /// The last entries of those before the cursor.
    case before(TranscriptCursor)
    /// The first entries of those after the cursor.
    case after(TranscriptCursor)

    package var span: TranscriptSpan {
        switch self {
        case .end: .last(before: nil)
        case .start: .first(after: nil)
        case .before(let cursor): .last(before: cursor.key)
        case .after(let cursor): .first(after: cursor.key)
        }
    }
}
