import Foundation
import ParleyNode
import Testing

/// A message from the future proves that a clock is wrong, and one from the past nothing.
struct AheadMessageTests {
    @Test(arguments: [
        (-1e9, nil), (59, nil), (120, "2 minutes"), (34_560_000, "9600 hours"), (1e300, "hours"),
    ])
    func onlyAMessageFromTheFutureTells(seconds: TimeInterval, words: String?) {
        let now = Date(timeIntervalSince1970: 1_000_000_000)
        let date = now.addingTimeInterval(seconds)
        let sender = Participant(id: UUID(), device: "GMZZPOK-6", name: "kitchen")
        let ahead = AheadMessage(sentAt: date, by: sender, at: now)
        #expect((ahead == nil) == (words == nil))
        guard let words else { return }
        #expect(ahead?.sentence.contains("kitchen came from ") == true)
        #expect(ahead?.sentence.contains(words) == true)
    }
}
