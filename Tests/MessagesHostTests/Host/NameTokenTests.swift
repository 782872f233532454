import Foundation
import ParleyNode
import TestSupport
import Testing

/// Names where `$` and a UUID stand.
@Suite struct NameTokenTests {
    private static let ann = UUID()
    private static let tokens = NameTokens([ann: "Ann"])

    @Test(
        arguments: [
            ["", ""], ["$", "$"], ["no token", "no token"], ["$5 and $6", "$5 and $6"],
            ["$ANN moves", "Ann moves"], ["a$ANN$ANN!", "aAnnAnn!"], ["$$ANN", "$Ann"],
            ["$BEN moves", "Someone moves"], ["$ANN-x", "Ann-x"], ["$ann", "Ann"],
            ["costs $ ANN", "costs $ ANN"],
        ]
    )
    func resolves(pair: [String]) {
        func filled(_ text: String) -> String {
            text.replacing("$ANN", with: "$" + Self.ann.uuidString)
                .replacing("$ann", with: "$" + Self.ann.uuidString.lowercased())
                .replacing("$BEN", with: "$" + UUID().uuidString)
        }
        #expect(Self.tokens.resolved(filled(pair[0])) == pair[1])
    }

    @Test func leavesAnythingElseAlone() {
        var random = SeededRandom(seed: 1)
        for _ in 0..<1_000 {
            let scalars: [Character] = ["$", "-", "A", "0", "é", "🎲", " "]
            let text = String((0..<60).compactMap { _ in scalars.randomElement(using: &random) })
            #expect(Self.tokens.resolved(text) == text)
        }
    }
}
