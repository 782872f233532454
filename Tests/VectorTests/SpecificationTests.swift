import Foundation
import ParleyCore
import ParleyKeys
import Testing

/// The examples of `docs/protocol.md` are the bytes of the vectors.
@Suite struct SpecificationTests {
    /// Shorter runs may be anything: lengths, heads of items, decimal numbers.
    private static let digitsMin = 16

    @Test func everyLongRunOfDigitsIsInTheVectors() throws {
        let known = try knownDigits()
        let document = try Project.text("docs/protocol.md")
        let runs = digitRuns(document)
        #expect(runs.count > 100)
        for run in runs { #expect(known.contains(run), "\(run)") }
    }

    @Test func aWrongDigitIsFound() throws {
        let known = try knownDigits()
        let tag = World().membershipTag(role: 0).hex
        #expect(known.contains(tag))
        #expect(digitRuns("tag \(tag)…") == [tag])
        #expect(!known.contains("0" + tag.dropLast() + "0"))
    }

    /// Runs of lower-case hexadecimal digits that are not a part of a longer word.
    private func digitRuns(_ text: String) -> [String] {
        text.split { !($0.isASCII && ($0.isLetter || $0.isNumber || "-_+/^".contains($0))) }
            .map(String.init)
            .filter { $0.count >= Self.digitsMin && $0.allSatisfy("0123456789abcdef".contains) }
    }

    /// The points of order 8, which `DeviceCryptographyTests` refuses.
    private static let smallOrder = [
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    ]

    /// The files, and what only follows from them.
    private func knownDigits() throws -> String {
        let names = [
            "keys.json", "envelope.json", "frames.json", "register.json", "pairing.json",
            "knock.json", "members.json",
        ]
        let files = try names.map { try Project.text("Tests/Vectors/\($0)") }
        return (files + (try derived())).joined(separator: "\n")
    }

    private func derived() throws -> [String] {
        let world = World()
        let device = world.devices[0]
        let labels = ["parley device 1", "parley batch 2"].map { Hexadecimal.text(Array($0.utf8)) }
        let invites = try Capability.Role.allCases.map { role in
            try InviteLink(world.capability, name: ConversationName("chess")).limited(to: role).text
        }
        return labels + Self.smallOrder + [
            // The bytes before a public and a private key in DER, RFC 8410.
            "302a300506032b6570032100" + device.publicKey.hex,
            Hexadecimal.text(Array(try base64(pem(device)))),
            // The order of the group of Ed25519, less 2^252.
            "27742317777372353535851937790883648493",
        ] + (try invites.map { Hexadecimal.text(Array(try base64URL($0))) })
    }

    private func pem(_ key: DeviceKey) -> String {
        key.pem.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
    }

    private func base64URL(_ link: String) throws -> Data {
        let text = link.dropFirst("parley:".count).replacing("-", with: "+")
            .replacing("_", with: "/")
        return try base64(text + String(repeating: "=", count: (4 - text.count % 4) % 4))
    }

    private func base64(_ text: String) throws -> Data {
        try #require(Data(base64Encoded: text))
    }
}
