import ParleyCore
import ParleyNode
import Testing

/// A caller that waits for the disk is answered when all that was submitted before is there.
@Suite struct StoreWaitsTests {
    /// The words of those who were answered.
    private final class Answered {
        var words: [String] = []
    }

    private let answered = Answered()

    private func add(_ word: String, to waits: inout StoreWaits) -> Bool {
        waits.add { [answered] error in answered.words.append(word + (error == nil ? "" : "!")) }
    }

    @Test func nobodyWaitsForNothing() {
        var waits = StoreWaits()
        #expect([add("one", to: &waits)] == [false])
        waits.submitted(Ticket(3))
        waits.committed(through: Ticket(3)).forEach { $0(nil) }
        #expect([add("two", to: &waits)] == [false])
        #expect(answered.words.isEmpty)
    }

    @Test func eachWaitsForWhatWasSubmittedBefore() {
        var waits = StoreWaits()
        waits.submitted(Ticket(1))
        #expect([add("one", to: &waits)] == [true])
        waits.submitted(Ticket(2))
        #expect([add("two", to: &waits), add("three", to: &waits)] == [true, true])
        waits.committed(through: Ticket(1)).forEach { $0(nil) }
        #expect(answered.words == ["one"])
        waits.committed(through: Ticket(2)).forEach { $0(nil) }
        #expect(answered.words == ["one", "two", "three"])
        #expect(waits.takeAll().isEmpty)
    }

    @Test func aFailureAnswersAll() {
        var waits = StoreWaits()
        waits.submitted(Ticket(1))
        #expect([add("one", to: &waits)] == [true])
        waits.submitted(Ticket(2))
        #expect([add("two", to: &waits)] == [true])
        waits.takeAll().forEach { $0(.storeFull) }
        #expect(answered.words == ["one!", "two!"])
        waits.committed(through: Ticket(2)).forEach { $0(nil) }
        #expect(answered.words.count == 2, "each is answered once")
    }
}
