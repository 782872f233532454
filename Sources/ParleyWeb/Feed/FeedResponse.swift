import Hummingbird
import NIOCore

/// The feed as server-sent events: everything after the reader's last event, and then every new
/// event.
struct FeedResponse: Sendable {
    let feed: PageFeed
    /// The ID of the last event that the reader has.
    let lastID: String?

    /// The interval of the events without news, by which pages know that the node is there.
    ///
    /// A connection closed by the browser is noticed by writing to it, twice at most, and counts as
    /// an open stream until then.
    private static let heartbeat = Duration.seconds(2)
    /// The number of events that are written at once.
    private static let batch = 64

    func response() async -> Response {
        await feed.start()
        // Listen first, so that no event between here and the first write is missed.
        let news = await feed.listen()
        return EventStream.response { writer in
            var start = ByteBuffer(string: "retry: 1000\n\n")
            var position: UInt64
            let known = await self.known
            if let known {
                position = known
                // Events without news have the ID of the last event before them.
                start.writeString("id: \(lastID ?? "")\n\n")
            } else {
                let (last, id) = await (feed.last, feed.lastID)
                position = last
                start.writeString("id: \(id)\nevent: reset\ndata: {}\n\n")
            }
            try await writer.write(start)
            try await follow(news, from: &position, &writer)
        }
    }

    /// The number of the last event that the reader has; nil if the next ones are lost.
    private var known: UInt64? {
        get async {
            guard let lastID, let number = await feed.number(of: lastID),
                await feed.events(after: number) != nil
            else { return nil }
            return number
        }
    }

    private func follow(
        _ news: AsyncStream<Void>,
        from position: inout UInt64,
        _ writer: inout any ResponseBodyWriter
    ) async throws {
        try await Heartbeat.follow(news, every: Self.heartbeat) { isNews in
            // A reader that stood still while the events went by has to connect again.
            guard try await writeEvents(after: &position, &writer) else { return false }
            if !isNews { try await writer.write(ByteBuffer(string: "event: beat\ndata: {}\n\n")) }
            return true
        }
    }

    /// Writes all events after `position`; returns false if some are lost.
    private func writeEvents(
        after position: inout UInt64,
        _ writer: inout any ResponseBodyWriter
    ) async throws -> Bool {
        while let events = await feed.events(after: position) {
            guard !events.isEmpty else { return true }
            var text = ByteBuffer()
            for event in events.prefix(Self.batch) {
                text.writeImmutableBuffer(event.text)
                position = event.number
            }
            try await writer.write(text)
        }
        return false
    }
}
