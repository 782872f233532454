import Foundation
import NIOCore
import ParleyAPI

/// Prints the present entries of a transcript and then every change, also after node restarts.
struct TranscriptFollower {
    let conversation: String
    /// The path of the stream.
    let path: String
    let isLong: Bool
    let common: CommonOptions
    private var names = EntryNames()
    /// When the node stopped; nil while it runs, and before its first answer.
    private var away: ContinuousClock.Instant?
    private var hasBegun = false
    /// Whether the person has read that the node has stopped.
    private var isReported = false
    /// The hash of the last printed entry of each session, and of each summary.
    private var printed: [String: Int] = [:]

    /// The most entries that are remembered; after a restart, forgotten ones are printed again.
    private static let printedMax = 65_536
    /// The pause between two tries to reach a node that does not run.
    private static let pause = Duration.milliseconds(100)

    init(conversation: String, path: String, isLong: Bool, common: CommonOptions) {
        self.conversation = conversation
        self.path = path
        self.isLong = isLong
        self.common = common
    }

    /// Follows until the process is ended.
    ///
    /// - Throws: the problem of the node, or a problem if the node was not started again in time.
    mutating func run(_ client: ControlClient) async throws {
        while true {
            do {
                if !common.json { names = try await EntryNames(of: conversation, client) }
                try await follow(client)
            } catch let problem as Problem where hasBegun && problem.exitStatus == .noNode {
                // The node does not run yet, or has ended amid a response.
            }
            try await waitForTheNode()
        }
    }

    private mutating func follow(_ client: ControlClient) async throws {
        try await client.stream(path) { body in
            hasBegun = true
            away = nil
            var parser = EventParser()
            while let part = try await body.next() {
                isReported = false
                for event in parser.add(part.readableBytesView) { try take(event) }
            }
        }
    }

    private mutating func waitForTheNode() async throws {
        if !isReported, !common.json {
            isReported = true
            Output.error.line("The node has stopped. What changes is printed when it runs again.")
        }
        let since = away ?? .now
        away = since
        guard .now - since < .seconds(common.seconds) else {
            throw Problem(
                .noNode,
                "The node in \(common.dataDirectory.path) has stopped, and was not started again "
                    + "within \(common.seconds.formatted()) s.",
                hint: "--timeout waits longer for it. Start it with: parley node"
            )
        }
        try await Task.sleep(for: Self.pause)
    }

    private mutating func take(_ event: EventParser.Event) throws {
        switch event.name {
        case "entry":
            let entry = try ControlClient.decode(TranscriptEntry.self, from: event.data)
            guard isNews(entry) else { return }
            guard !common.json else { return try Output.standard.object(entry) }
            TranscriptCommand.print(entry, &names, isLong: isLong)
        case "problem": throw try ControlClient.decode(Problem.self, from: event.data)
        default: break
        }
    }

    /// Whether the entry differs from the last one in its place; a new stream repeats all entries.
    private mutating func isNews(_ entry: TranscriptEntry) -> Bool {
        let place = entry.message?.session.description ?? "\(entry.summary.id)"
        if printed.count >= Self.printedMax { printed = [:] }
        let hash = entry.hashValue
        return printed.updateValue(hash, forKey: place) != hash
    }
}
