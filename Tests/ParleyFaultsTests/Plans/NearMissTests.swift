import ParleyYAML
import Testing

/// How far apart two spellings are.
@Suite struct NearMissTests {
    private static let pairs: [(String, String, Int)] = [
        ("url", "url", 0), ("ulr", "url", 1), ("url", "", 3), ("", "url", 3), ("", "", 0),
        ("ur", "url", 1), ("urll", "url", 1), ("uri", "url", 1), ("sned", "send", 1),
        ("conversaton", "conversation", 1), ("relay", "send", 4), ("abcd", "badc", 2),
    ]

    @Test(arguments: pairs)
    func isTheNumberOfMistakes(one: String, other: String, distance: Int) {
        #expect(NearMiss.distance(one, other) == distance)
        #expect(NearMiss.distance(other, one) == distance)
    }
}
