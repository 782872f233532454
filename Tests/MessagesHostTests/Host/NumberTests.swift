import Messages
import MessagesHost
import ParleyNode
import Testing

/// The numbers by which people in a terminal name views and messages.
@Suite struct NumberTests {
    /// The views that can be used, one letter each, and the numbers that they get.
    struct Step: Sendable {
        let usable: String
        let numbers: [Int]

        init(_ usable: String, _ numbers: [Int]) {
            self.usable = usable
            self.numbers = numbers
        }
    }

    static let steps: [[Step]] = [
        // A view that goes leaves its number free, and has it when it comes back.
        [Step("abc", [1, 2, 3]), Step("ac", [1, 3]), Step("abc", [1, 2, 3])],
        // One that comes gets a new number, wherever it stands.
        [Step("bc", [1, 2]), Step("abc", [3, 1, 2]), Step("adc", [3, 4, 2])],
        // A turn of somebody else, in which nothing can be used, changes nothing.
        [Step("abc", [1, 2, 3]), Step("", []), Step("cb", [3, 2])],
        // A screen of which nothing is left counts from 1 again.
        [Step("abc", [1, 2, 3]), Step("xy", [1, 2]), Step("abc", [1, 2, 3])],
    ]

    @Test(arguments: steps)
    func viewsKeepTheirNumbers(steps: [Step]) {
        var numbers = ViewNumbers()
        for step in steps {
            let views = step.usable.map { ParleyView.Identity(String($0)) }
            let given = numbers.number(views)
            #expect(views.map { given[$0] ?? 0 } == step.numbers, "\(step.usable)")
            #expect(given.count == views.count)
        }
    }

    /// Numbers that would get too long are given away, from the lowest on; those in use stay.
    @Test func numbersOfViewsAreBounded() {
        var numbers = ViewNumbers()
        let kept = ParleyView.Identity("kept")
        var highest = 0
        for round in 0..<300 {
            let given = numbers.number([ParleyView.Identity("\(round)"), kept])
            #expect(given[kept] == 2)
            #expect(Set(given.values).count == 2)
            highest = max(highest, given.values.max() ?? 0)
        }
        #expect(highest == ViewNumbers.highest)
        let many = (0..<200).map { ParleyView.Identity("many\($0)") }
        #expect(Set(numbers.number(many).values) == Set(1...200))
    }

    @Test func sessionsKeepTheirNumbers() {
        let sessions = (0..<5).map { _ in SessionID() }
        var numbers = SessionNumbers()
        func given(_ indices: [Int]) -> [Int] {
            let present = numbers.number(indices.map { sessions[$0] })
            return indices.map { present[sessions[$0]] ?? 0 }
        }
        #expect(given([0, 1, 2]) == [1, 2, 3])
        #expect(given([1, 2, 0]) == [2, 3, 1], "a move puts a session to the end")
        #expect(given([2, 0, 3]) == [3, 1, 4])
        #expect(given([0, 3, 1]) == [1, 4, 5], "no number is used twice")
        #expect(given([4, 4]) == [6, 6])
    }
}
