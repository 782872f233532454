import Foundation
import ParleyCore
import ParleyNode
import Testing

/// The inputs of an iteration of the loop are fed together, in their order, and none is forgotten.
@Suite struct GatheredInputsTests {
    /// The rows that sessions were read from, in the order of the inputs.
    private func rows(_ inputs: [NodeInput]) -> [Int64] {
        inputs.compactMap { if case .loaded(let row, _) = $0 { row } else { nil } }
    }

    private func input(_ row: Int64) -> NodeInput { .loaded(row: row, heads: []) }

    @Test func oneEndIsAwaitedForAllInputs() {
        var gathered = GatheredInputs()
        #expect([gathered.add(input(1)), gathered.add(input(2))] == [.feedAtEnd, .nothing])
        gathered.ended()
        #expect([gathered.beginFeeding()] == [true])
        #expect(rows(gathered.take()) == [1, 2])
        #expect([gathered.fed()] == [false])
        #expect([gathered.beginFeeding()] == [false])
        #expect([gathered.add(input(3))] == [.feedAtEnd])
    }

    @Test func manyBytesAreFedAtOnce() {
        var gathered = GatheredInputs()
        let half = GatheredInputs.bytesMax / 2
        let next = (1...3).map { gathered.add(input($0), bytes: half) }
        #expect(next == [.feedAtEnd, .feedNow, .feedNow])
        _ = gathered.take()
        #expect([gathered.add(input(4), bytes: half)] == [.nothing], "the end is awaited still")
    }

    /// An input that cannot wait takes those before it along.
    @Test func anUrgentInputIsTheLast() {
        var gathered = GatheredInputs()
        _ = gathered.add(input(1))
        #expect([gathered.beginFeeding(with: input(2))] == [true])
        #expect(rows(gathered.take()) == [1, 2])
    }

    @Test func whatComesWhileFeedingIsFedAsWell() {
        var gathered = GatheredInputs()
        _ = gathered.add(input(1))
        gathered.ended()
        #expect([gathered.beginFeeding()] == [true])
        #expect(rows(gathered.take()) == [1])
        #expect([gathered.add(input(2), bytes: GatheredInputs.bytesMax)] == [.nothing])
        #expect(rows(gathered.take()) == [2])
        #expect([gathered.add(input(3))] == [.nothing])
        #expect([gathered.fed()] == [true], "the rest waits for the end of the iteration")
        #expect([gathered.add(input(4))] == [.nothing])
        #expect(rows(gathered.take()) == [3, 4])
    }

    @Test func requestsOfAnIterationAreAuthoredTogether() throws {
        var draft = Draft(content: MessageContent())
        draft.content.url = "https://example.org"
        let requests = try (1...3).map { number in
            try draft.authorRequest(
                RequestID(number),
                conversation: 1,
                sentAt: Date(timeIntervalSince1970: 0)
            )
        }
        var gathered = GatheredInputs()
        #expect(requests.map { gathered.add($0) } == [true, false, false])
        #expect(gathered.takeRequests().map(\.request) == (1...3).map { RequestID($0) })
        #expect([gathered.add(requests[0])] == [true])
        #expect(gathered.isEmpty, "requests are no inputs yet")
    }
}
