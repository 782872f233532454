import ParleyNode
import Testing

/// A node stops once, and everybody who stops it is answered once it has.
@Suite struct StoppingTests {
    @Test func allWhoWaitAreAnsweredOnce() {
        var stopping = Stopping.notYet
        var answered: [Int] = []
        #expect(!stopping.hasBegun)
        #expect([stopping.wait { answered.append(0) }] == [false], "nothing to wait for")
        #expect([stopping.begin(), stopping.begin()] == [true, false])
        #expect(stopping.hasBegun)
        for number in 1...2 { #expect([stopping.wait { answered.append(number) }] == [true]) }
        for done in stopping.finish() { done() }
        #expect(answered == [1, 2])
        #expect(stopping.finish().isEmpty)
        #expect([stopping.wait { answered.append(3) }] == [false], "it has stopped")
        #expect(stopping.hasBegun)
        #expect([stopping.begin()] == [false])
    }
}
