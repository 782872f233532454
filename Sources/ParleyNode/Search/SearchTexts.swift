import CLinux
package import Foundation
package import ParleyCore

/// The texts of messages in one piece of memory, which is read from end to end for each search.
///
/// 100,000 messages have some 10 MB, which takes a few milliseconds.
package struct SearchTexts: Sendable {
    /// The session of a text.
    package struct Key: Hashable, Sendable {
        package let conversation: ConversationID
        package let tag: SessionTag

        package init(conversation: ConversationID, tag: SessionTag) {
            self.conversation = conversation
            self.tag = tag
        }
    }

    private struct Entry: Sendable {
        /// Nil once the text was replaced.
        var key: Key?
        let sentAt: Date
        let start: Int
    }

    /// The folded texts, each followed by a byte that UTF-8 does not have.
    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    private var indices: [Key: Int] = [:]
    /// The bytes of texts that were replaced.
    private var deadBytes = 0
    /// Whether texts were dropped because there were too many.
    package private(set) var hasDropped = false

    private static let end: UInt8 = 0xFF
    /// The most bytes of all texts; beyond, those that were added first give way.
    package static let bytesMax = 64 << 20
    private let limit: Int

    package init(limit: Int = Self.bytesMax) { self.limit = limit }

    /// Adds a text, in the place of an earlier one of the same session.
    package mutating func set(_ text: [UInt8], of key: Key, sentAt: Date) {
        remove(key)
        guard !text.isEmpty else { return }
        indices[key] = entries.count
        entries.append(Entry(key: key, sentAt: sentAt, start: bytes.count))
        bytes += text
        bytes.append(Self.end)
        if bytes.count > limit {
            hasDropped = true
            rebuild(without: bytes.count - limit / 4 * 3)
        }
    }

    /// Removes the text of a session.
    package mutating func remove(_ key: Key) {
        guard let index = indices.removeValue(forKey: key) else { return }
        entries[index].key = nil
        deadBytes += end(of: index) - entries[index].start
        if deadBytes > bytes.count / 2 + 4_096 { rebuild() }
    }

    /// Removes the texts of all conversations but some.
    mutating func keep(_ conversations: Set<ConversationID>) {
        for key in indices.keys where !conversations.contains(key.conversation) { remove(key) }
    }

    /// At most `count` sessions with all of the words, in one conversation or in all, the latest
    /// first.
    package func find(_ words: SearchWords, in conversation: ConversationID?, count: Int) -> [Key] {
        guard let first = words.parts.first else { return [] }
        var found: [(key: Key, sentAt: Date, start: Int)] = []
        var index = 0
        var place = 0
        while let next = position(of: first, in: place..<bytes.count) {
            while end(of: index) <= next { index += 1 }
            let span = entries[index].start..<end(of: index)
            place = span.upperBound
            guard let key = entries[index].key,
                conversation == nil || key.conversation == conversation,
                words.parts.dropFirst().allSatisfy({ position(of: $0, in: span) != nil })
            else { continue }
            found.append((key, entries[index].sentAt, span.lowerBound))
        }
        // Of equal times the text that was added later comes first.
        return found.sorted { ($0.sentAt, $0.start) > ($1.sentAt, $1.start) }.prefix(count)
            .map(\.key)
    }

    private func end(of index: Int) -> Int {
        index + 1 < entries.count ? entries[index + 1].start : bytes.count
    }

    private func position(of part: [UInt8], in span: Range<Int>) -> Int? {
        let offset = bytes.withUnsafeBytes { all in
            part.withUnsafeBytes { part in
                let all = UnsafeRawBufferPointer(rebasing: all[span])
                return parley_find(
                    all.baseAddress,
                    UInt(all.count),
                    part.baseAddress,
                    UInt(part.count)
                )
            }
        }
        return offset < 0 ? nil : span.lowerBound + offset
    }

    /// Moves the texts together, without those that start in the first `dropped` bytes.
    private mutating func rebuild(without dropped: Int = 0) {
        var texts = SearchTexts(limit: limit)
        texts.hasDropped = hasDropped
        for (index, entry) in entries.enumerated() where entry.start >= dropped {
            guard let key = entry.key else { continue }
            let text = bytes[entry.start..<end(of: index) - 1]
            texts.set(Array(text), of: key, sentAt: entry.sentAt)
        }
        self = texts
    }
}
