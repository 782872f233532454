import ParleyDiscovery
import TestSupport
import Testing

struct ServiceTextTests {
    @Test func readsWhatAPublicationWrites() throws {
        let publication = try Publication(
            shortID: "k7q2m4x9abcdefgh",
            port: 47_275,
            deviceName: "Zoé's ThinkPad",
            version: 3
        )
        #expect(publication.instanceName == "parley-k7q2m4x9")
        let text = try ServiceText(decoding: publication.text.strings)
        #expect(text == publication.text)
        #expect(text.version == 3)
        #expect(text.shortID == "k7q2m4x9abcdefgh")
        #expect(text.deviceName == "Zoé's ThinkPad")
    }

    struct Name: Sendable {
        let given: String
        let announced: String

        init(_ given: String, _ announced: String) {
            self.given = given
            self.announced = announced
        }
    }

    @Test(arguments: [
        Name("", ""),
        Name("plain", "plain"),
        Name("a\u{0}b\nc\u{7F}d\u{85}e", "abcde"),
        Name("\u{202E}evil\u{2066}", "evil"),
        Name("\u{FEFF}bom\u{2028}line", "bomline"),
        Name("family 👩‍👩‍👧", "family 👩‍👩‍👧"),
        Name(String(repeating: "x", count: 200), String(repeating: "x", count: 128)),
        // 42 times 3 bytes; the 43rd would end at 129.
        Name(String(repeating: "€", count: 50), String(repeating: "€", count: 42)),
        Name(String(repeating: "😀", count: 50), String(repeating: "😀", count: 32)),
    ])
    func cleansAndCutsNames(_ name: Name) throws {
        let publication = try Publication(
            shortID: "aaaaaaaa00000001",
            port: 1,
            deviceName: name.given,
            version: 1
        )
        #expect(publication.deviceName == name.announced)
        #expect(try ServiceText(decoding: publication.text.strings) == publication.text)
    }

    @Test func staysSmallAtItsLargest() throws {
        let publication = try Publication(
            shortID: String(repeating: "z", count: 64),
            port: 1,
            deviceName: String(repeating: "n", count: 1_000),
            version: .max
        )
        let strings = publication.text.strings
        #expect(strings.allSatisfy { $0.count <= 255 })
        let total = strings.reduce(0) { $0 + $1.count + 1 }
        #expect(total <= DiscoveryLimits.announcedTextBytes)
        #expect(publication.instanceName.utf8.count <= DiscoveryLimits.instanceNameBytes - 2)
    }

    @Test(arguments: [
        "", "short", "with-hyphen-0001", "umlaut-ä", String(repeating: "a", count: 65),
    ])
    func refusesBadShortIDs(_ shortID: String) {
        #expect(throws: DiscoveryError.shortIDMalformed) {
            try Publication(shortID: shortID, port: 1, deviceName: "", version: 1)
        }
    }

    @Test func refusesPortAndVersionZero() {
        #expect(throws: DiscoveryError.portZero) {
            try Publication(shortID: "aaaaaaaa", port: 0, deviceName: "", version: 1)
        }
        #expect(throws: DiscoveryError.versionMalformed) {
            try Publication(shortID: "aaaaaaaa", port: 1, deviceName: "", version: 0)
        }
    }

    struct Refusal: Sendable {
        let strings: [[UInt8]]
        let error: DiscoveryError

        init(_ strings: [String], _ error: DiscoveryError) {
            self.strings = strings.map { Array($0.utf8) }
            self.error = error
        }

        init(bytes strings: [[UInt8]], _ error: DiscoveryError) {
            self.strings = strings
            self.error = error
        }
    }

    @Test(arguments: [
        Refusal([], .textMissing(key: "v")),
        Refusal(["", "=", "=x", "v"], .textMissing(key: "v")),
        Refusal(["v=1"], .textMissing(key: "id")),
        Refusal(["v=1", "idx=aaaaaaaa"], .textMissing(key: "id")),
        Refusal(["v=", "id=aaaaaaaa"], .versionMalformed),
        Refusal(["v=0", "id=aaaaaaaa"], .versionMalformed),
        Refusal(["v=01", "id=aaaaaaaa"], .versionMalformed),
        Refusal(["v=+1", "id=aaaaaaaa"], .versionMalformed),
        Refusal(["v=65536", "id=aaaaaaaa"], .versionMalformed),
        Refusal(["v=99999999999999999999", "id=aaaaaaaa"], .versionMalformed),
        Refusal(["v=1", "id="], .shortIDMalformed),
        Refusal(["v=1", "id=aaaaaaa"], .shortIDMalformed),
        Refusal(["v=1", "id=aaaa aaaa"], .shortIDMalformed),
        Refusal(["v=1", "id=aaaaaaaa\n"], .shortIDMalformed),
        Refusal(["v=1", "id=bad", "id=aaaaaaaa"], .shortIDMalformed),
        Refusal(
            ["v=1", "id=" + String(repeating: "a", count: 65)],
            .shortIDMalformed
        ),
        Refusal(bytes: [[0x76, 0x3D, 0x31], [0x69, 0x64, 0x3D, 0xFF]], .shortIDMalformed),
        Refusal(
            bytes: Array(repeating: [], count: 65),
            .textTooLarge(bytes: 65, strings: 65)
        ),
        Refusal(
            bytes: Array(repeating: Array(repeating: 0x61, count: 255), count: 6),
            .textTooLarge(bytes: 1_536, strings: 6)
        ),
    ])
    func refusesBadText(_ refusal: Refusal) {
        #expect(throws: refusal.error) { try ServiceText(decoding: refusal.strings) }
    }

    @Test func ignoresWhatItDoesNotKnow() throws {
        let strings = ["future=1", "V=2", "ID=aaaaaaaa", "v=9", "n", "N=\u{1B}[1mme"]
        let text = try ServiceText(decoding: strings.map { Array($0.utf8) } + [[0, 0xFF]])
        #expect(text.version == 2)
        #expect(text.shortID == "aaaaaaaa")
        #expect(text.deviceName == "[1mme")
    }

    /// Arbitrary bytes are parsed or refused.
    @Test(arguments: 0..<UInt64(200))
    func neverTraps(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let seeds = ["v=1", "id=aaaaaaaa00000001", "n=Name"].map { Array($0.utf8) }
        var strings = seeds
        for _ in 0..<8 {
            let at = Int.random(in: 0..<strings.count, using: &random)
            let offset = Int.random(in: 0...strings[at].count, using: &random)
            switch UInt8.random(in: 0..<4, using: &random) {
            case 0: strings[at].insert(.random(in: 0...255, using: &random), at: offset)
            case 1: strings[at] = Array(strings[at].prefix(offset))
            case 2: strings.append(seeds[Int.random(in: 0..<3, using: &random)])
            default: strings.swapAt(at, Int.random(in: 0..<strings.count, using: &random))
            }
        }
        _ = try? ServiceText(decoding: strings)
    }
}
