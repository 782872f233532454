import Foundation
import Messages

/// The work of somebody in a round that was not sent yet.
struct UnfinishedRound: Codable {
    /// The word of a round that this person is starting.
    var word: String?
    var drawing = ""
    var guess = ""

    var strokes: [ParleyView.Stroke] { InkText.strokes(in: drawing) ?? [] }
    var isEmpty: Bool { word == nil && drawing.isEmpty && guess.isEmpty }
}

/// The unfinished rounds of one participant, in a file of the app's own folder.
///
/// A participant is somebody in one conversation, so each conversation has a file of its own.
struct UnfinishedRounds {
    /// The most rounds that are kept; the oldest goes first.
    static let countMax = 16
    /// The most bytes of a file that is read.
    private static let bytesMax = 1 << 20

    private struct Entry: Codable {
        /// The URL of the message with which the round goes on; nil for a round that has none yet.
        var url: String?
        var round: UnfinishedRound
    }

    private let file: URL?
    private var entries: [Entry] = []

    /// Reads the file of a participant; without a folder nothing outlasts the app.
    init(folder: URL?, participant: UUID) {
        file = folder?.appending(path: "unfinished-\(participant.uuidString).json")
        guard let file, let data = try? Data(contentsOf: file), data.count <= Self.bytesMax
        else { return }
        // A file that cannot be read has nothing that could be shown.
        entries = (try? JSONDecoder().decode([Entry].self, from: data)) ?? []
    }

    /// The round that goes on with the message of that URL; nil: the round without a message.
    subscript(url: URL?) -> UnfinishedRound? {
        get { entries.last { $0.url == url?.absoluteString }?.round }
        set {
            let count = entries.count
            entries.removeAll { $0.url == url?.absoluteString }
            if let newValue { entries.append(Entry(url: url?.absoluteString, round: newValue)) }
            guard newValue != nil || entries.count != count, let file else { return }
            entries = entries.suffix(Self.countMax)
            // If this fails, the round is lost when the app is closed.
            try? JSONEncoder().encode(entries).write(to: file, options: .atomic)
        }
    }
}
