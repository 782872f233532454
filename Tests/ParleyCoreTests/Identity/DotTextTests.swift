import ParleyCore
import Testing

/// Dots as text: what is printed is read, and nothing else is.
@Suite struct DotTextTests {
    private static let hex = String(repeating: "0a", count: 16)

    @Test(arguments: [1, 90, Limits.sequenceEnd - 1])
    func whatIsPrintedIsRead(sequence: UInt64) throws {
        let origin = try #require(OriginID(hex: Self.hex))
        let dot = Dot(origin: origin, sequence: sequence)
        #expect(dot.description == "\(Self.hex)-\(sequence)")
        #expect(Dot(dot.description) == dot)
    }

    @Test(arguments: [
        "", hex, "-1", "\(hex)-", "\(hex)-0", "\(hex)-01", "\(hex)-+1", "\(hex)--1", "\(hex)-1-1",
        "\(hex)-1-", "\(hex)-x", "\(hex)-\(Limits.sequenceEnd)", "\(hex.dropLast(2))-1",
        "\(hex)0a-1",
    ])
    func allElseIsNoDot(text: String) { #expect(Dot(text) == nil) }
}
