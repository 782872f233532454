import Hummingbird
import NIOCore
import ParleyAPI
import ParleyNode

/// The transcript as server-sent events: the present entries, and then every changed one.
struct FollowResponse: Sendable {
    let node: Node
    let conversation: String
    /// The most present entries, the last ones; nil for all.
    let limit: Int?

    /// The number of events that may wait for one reader.
    private static let backlog = 1_024

    func response() async throws -> Response {
        // Listen first, so that no change between the transcript and the events is missed.
        let events = await node.events()
        let first = try await node.transcript(
            of: conversation,
            at: limit == nil ? .start : .end,
            limit: max(1, limit ?? TranscriptPage.entriesMax)
        )
        return EventStream.response { writer in
            var sent = FollowedTranscript()
            var page: TranscriptPage? = limit == 0 ? nil : first
            while let present = page {
                for entry in present.entries {
                    if let message = entry.message { sent.insert(message) }
                    try await writer.write(try EventStream.event("entry", entry))
                }
                page = try await next(present)
            }
            try await follow(events, &sent, &writer)
            if await isRunning {
                try await writer.write(try EventStream.event("problem", Problem.fellBehind))
            }
        }
    }

    /// The page after another one, if all are to be told.
    private func next(_ page: TranscriptPage) async throws -> TranscriptPage? {
        guard limit == nil, let next = page.next else { return nil }
        return try await node.transcript(of: conversation, at: .after(next))
    }

    private func follow(
        _ events: NodeEvents,
        _ sent: inout FollowedTranscript,
        _ writer: inout any ResponseBodyWriter
    ) async throws {
        let (beats, beat) = AsyncStream.makeStream(
            of: NodeEvent?.self,
            bufferingPolicy: .bufferingOldest(Self.backlog)
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await event in events {
                    // A reader that is too slow is disconnected and may follow again.
                    if case .dropped = beat.yield(event) { break }
                }
                beat.finish()
            }
            group.addTask {
                while true {
                    try await Task.sleep(for: EventStream.heartbeat)
                    beat.yield(nil)
                }
            }
            defer { group.cancelAll() }
            for await event in beats {
                guard let event else {
                    try await writer.write(EventStream.beat)
                    continue
                }
                guard let entry = await entry(of: event, &sent) else { continue }
                try await writer.write(try EventStream.event("entry", entry))
            }
        }
    }

    /// The entry that an event of this conversation changes.
    private func entry(
        of event: NodeEvent,
        _ sent: inout FollowedTranscript
    ) async -> TranscriptEntry? {
        switch event {
        case .shown(conversation, let message) where !message.isMark:
            guard let current = await current(message, sent) else { return nil }
            sent.insert(current)
            return .message(current)
        case .summarized(conversation, let summary): return .summary(summary)
        default: return nil
        }
    }

    /// The message to send for an event: the message itself, or the shown one instead; nil if the
    /// follower has received a later one.
    private func current(_ message: Message, _ sent: FollowedTranscript) async -> Message? {
        switch sent.age(of: message) {
        case .current: return message
        case .older: return nil
        case .rival:
            // If the session cannot be read any more, the event of its removal reports that.
            return try? await node.session(message.session).shown
        }
    }

    private var isRunning: Bool {
        get async { (try? await node.status()) != nil }
    }
}

extension Problem {
    /// The follower has read too slowly.
    fileprivate static var fellBehind: Problem {
        Problem(
            .fellBehind,
            "The follower reads too slowly, and more has changed than can be buffered.",
            hint: "Follow again; the stream starts with all present entries."
        )
    }
}
