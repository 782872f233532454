import Foundation
import ParleyCore
import ParleyKeys
import Testing

@Suite struct InviteTests {
    private static let writer = Capability(writerSeed: counting(from: 0x20))

    private static func invite(_ role: Capability.Role, name: String = "chess") throws -> InviteLink
    {
        try InviteLink(writer.limited(to: role), name: ConversationName(name))
    }

    @Test(
        arguments: Capability.Role.allCases,
        ["chess", "x", String(repeating: "y", count: 64), "\u{e9}t\u{e9} \u{1f3b2}"]
    )
    func readsWhatItWrites(role: Capability.Role, name: String) throws {
        let invite = try Self.invite(role, name: name)
        let parsed = try InviteLink(parsing: invite.text)
        #expect(parsed == invite)
        #expect(parsed.capability.role == role)
        #expect(!parsed.isOpen)
        #expect(parsed.text == invite.text)
        #expect(invite.text.wholeMatch(of: /parley:[A-Za-z0-9_-]+/) != nil)
    }

    @Test func carriesNoMoreThanTheRole() throws {
        let seed = try #require(Self.writer.writerSeed).bytes
        let readKey = try #require(Self.writer.readKey).bytes
        for role in [Capability.Role.reader, .relay] {
            let content = try content(Self.invite(role).text)
            #expect(content.firstRange(of: seed) == nil)
            #expect((content.firstRange(of: readKey) == nil) == (role == .relay))
        }
        let reader = try Self.invite(.reader)
        #expect(throws: CapabilityError.roleTooLow(held: .reader, needed: .writer)) {
            try reader.limited(to: .writer)
        }
        #expect(try reader.limited(to: .relay) == Self.invite(.relay))
    }

    @Test(arguments: [" ", "\n", "\r\n", "\t \n"])
    func toleratesSpaceAround(_ space: String) throws {
        let invite = try Self.invite(.writer)
        #expect(try InviteLink(parsing: space + invite.text + space) == invite)
        #expect(try InviteLink(parsing: space + "open:lobby" + space).name.text == "lobby")
    }

    /// The characters that mail and chat programs put into a copied text.
    @Test(arguments: ["\u{feff}", "\u{200b}", "\u{ad}", "\u{2060}", "\u{200e}", "\u{200f}"])
    func dropsWhatNobodySees(_ unseen: String) throws {
        let invite = try Self.invite(.writer)
        let middle = invite.text.index(invite.text.startIndex, offsetBy: 30)
        let text =
            unseen + invite.text[..<middle] + unseen + invite.text[middle...] + "\u{a0}" + unseen
        #expect(try InviteLink(parsing: text) == invite)
        #expect(try InviteLink(parsing: "open:lob\(unseen)by").name.text == "lobby")
    }

    @Test func readsTheSchemeInEitherCase() throws {
        let invite = try Self.invite(.writer)
        let link = "Parley:" + invite.text.dropFirst("parley:".count)
        #expect(try InviteLink(parsing: link) == invite)
        #expect(try InviteLink(parsing: "OPEN:lobby") == InviteLink(parsing: "open:lobby"))
    }

    @Test func readsOpenNames() throws {
        let invite = try InviteLink(parsing: "open:lobby")
        #expect(invite.isOpen && invite.role == .writer)
        #expect(invite.text == "open:lobby")
        #expect(invite.capability == Capability(openConversation: invite.name))
    }

    @Test func labelsEveryInviteToAnOpenConversation() throws {
        let open = try InviteLink(parsing: "open:lobby")
        for role in [Capability.Role.reader, .relay] {
            let lower = try open.limited(to: role)
            #expect(lower.text.hasPrefix("parley:"))
            #expect(try InviteLink(parsing: lower.text).isOpen)
            #expect("\(lower)".contains("open lobby"))
        }
    }

    /// Replaces every position by characters that a link may contain and by some that it may not.
    ///
    /// The names give links whose last character has padding bits and links whose last character
    /// has none.
    @Test(arguments: Capability.Role.allCases, ["x", "xyz", "chess"])
    func refusesEverySingleTypo(role: Capability.Role, name: String) throws {
        let right = Array(try Self.invite(role, name: name).text)
        let letters = Array("ABCXYZabcxyz0189-_") + ["=", " ", "\n", ".", "\u{e9}"]
        for index in right.indices {
            for letter in letters where letter != right[index] {
                var wrong = right
                wrong[index] = letter
                // The scheme may be written in either case.
                if index < "parley:".count, String(wrong).lowercased().hasPrefix("parley:") {
                    continue
                }
                #expect(throws: InviteError.self, "\(index) \(letter)") {
                    try InviteLink(parsing: String(wrong))
                }
            }
        }
    }

    @Test(arguments: Capability.Role.allCases)
    func refusesEveryCutAndEveryAddition(role: Capability.Role) throws {
        let right = try Self.invite(role).text
        for count in 0..<right.count {
            let cut = String(right.prefix(count))
            #expect(throws: InviteError.self, "\(count)") { try InviteLink(parsing: cut) }
        }
        for count in "parley:".count..<right.count {
            do {
                _ = try InviteLink(parsing: String(right.prefix(count)))
            } catch .truncated(let missing) {
                #expect(missing > 0)
            } catch {
                Issue.record("\(count) characters: \(error)")
            }
        }
        for addition in ["A", "AA", "AAA", "AAAA", "_", ".", "=", "?x"] {
            #expect(throws: InviteError.self) { try InviteLink(parsing: right + addition) }
        }
        for index in "parley:".count..<right.count {
            var shorter = right
            shorter.remove(at: right.index(right.startIndex, offsetBy: index))
            #expect(throws: InviteError.self, "\(index)") { try InviteLink(parsing: shorter) }
        }
    }

    @Test func refusesEverySwapOfNeighbours() throws {
        let right = Array(try Self.invite(.reader).text)
        for index in "parley:".count..<right.count - 1 where right[index] != right[index + 1] {
            var wrong = right
            wrong.swapAt(index, index + 1)
            #expect(throws: InviteError.self, "\(index)") { try InviteLink(parsing: String(wrong)) }
        }
    }

    @Test(arguments: [
        BadInvite("", .empty),
        BadInvite(" \n ", .empty),
        BadInvite(String(repeating: "x", count: 513), .tooLong(bytes: 513)),
        BadInvite("lobby", .wrongScheme(found: nil)),
        BadInvite("parley", .wrongScheme(found: nil)),
        BadInvite("https://example.org/parley:AQ", .wrongScheme(found: "https")),
        BadInvite("p4rley:AQ", .wrongScheme(found: nil)),
        BadInvite("parley:", .truncated(missing: 42)),
        BadInvite("parley:AQ", .truncated(missing: 41)),
        BadInvite("parley:AQMF", .truncated(missing: 43)),
        BadInvite("parley:AQ==", .notBase64URL(character: "=", position: 10)),
        BadInvite("parley://AQ", .notBase64URL(character: "/", position: 8)),
        BadInvite("parley:AQ MF", .notBase64URL(character: " ", position: 10)),
        BadInvite("parley:AQ\u{2013}F", .notBase64URL(character: "\u{2013}", position: 10)),
        BadInvite("open:", .name(.empty)),
        BadInvite("open: lobby", .name(.spaceAtEnd)),
        BadInvite("open:a\nb", .name(.forbidden("\n"))),
        BadInvite("open:" + String(repeating: "x", count: 65), .name(.tooLong(bytes: 65))),
    ])
    func refusesWhatIsNoInvite(_ bad: BadInvite) {
        #expect(throws: bad.error) { try InviteLink(parsing: bad.text) }
        #expect(bad.error.message.hasSuffix(".") && bad.error.hint.hasSuffix("."))
        #expect(!bad.error.name.isEmpty)
    }

    /// Token, conversation, device, number and the count of addresses in a link that ends.
    private static func knock(_ addresses: UInt8) -> [UInt8] {
        [UInt8](repeating: 1, count: 84) + [addresses]
    }

    /// The links have a correct checksum, as a newer or a broken program would make them.
    @Test func refusesWellSealedLinksThatItDoesNotUnderstand() throws {
        let seed = counting(from: 5).bytes
        let cases: [(content: [UInt8], error: InviteError)] = [
            ([5, 3, 1] + seed + [0x61], .unknownVersion(5)),
            ([5, 3, 250, 1], .unknownVersion(5)),
            ([3, 3, 2] + seed + seed + [0x61], .truncated(missing: 1)),
            ([4, 3, 1] + seed + seed + [0x61, 0x61], .malformed),
            ([2, 19, 1] + seed + [0x61], .truncated(missing: 53)),
            ([2, 3, 1] + Self.knock(0) + [0x61], .unknownRole(3)),
            ([2, 20, 1] + Self.knock(0) + [0x61], .unknownRole(20)),
            ([2, 19, 2] + Self.knock(0) + [0x61], .truncated(missing: 1)),
            ([2, 19, 1] + Self.knock(0) + [0x61, 0x61], .malformed),
            ([2, 19, 1] + Self.knock(1) + [2, 0x61], .truncated(missing: 2)),
            ([2, 19, 1] + Self.knock(1) + [0, 0x61], .malformed),
            ([2, 19, 1] + Self.knock(4) + [1, 0x61, 1, 0x61, 1, 0x61, 1, 0x61, 0x61], .malformed),
            ([2, 19, 0] + Self.knock(0), .name(.empty)),
            ([1, 4, 1] + seed + [0x61], .unknownRole(4)),
            ([1, 0, 1] + seed + [0x61], .unknownRole(0)),
            ([1, 3, 1] + seed + [0x61, 0x61], .malformed),
            ([1, 3, 0] + seed, .name(.empty)),
            ([1, 3, 1] + seed + [0x0a], .name(.forbidden("\n"))),
            ([1, 3, 1] + seed + [0xff], .name(.notUTF8)),
            ([1, 3, 2] + seed + [0xc0, 0x80], .name(.notUTF8)),
            ([1, 3, 65] + seed + [UInt8](repeating: 0x61, count: 65), .name(.tooLong(bytes: 65))),
        ]
        for (content, error) in cases {
            #expect(throws: error) { try InviteLink(parsing: sealed(content)) }
        }
        #expect(try InviteLink(parsing: sealed([1, 3, 1] + seed + [0x61])).name.text == "a")
    }

    @Test func saysTypoOrTruncatedByTheDeclaredLength() throws {
        let right = try Self.invite(.writer).text
        var typo = Array(right)
        typo[20] = typo[20] == "A" ? "B" : "A"
        #expect(throws: InviteError.checksum) { try InviteLink(parsing: String(typo)) }
        #expect(throws: InviteError.truncated(missing: 1)) {
            try InviteLink(parsing: String(right.dropLast()))
        }
        #expect(throws: InviteError.checksum) { try InviteLink(parsing: right + "A") }
    }

    @Test func neverPrintsAKey() throws {
        let invite = try Self.invite(.writer)
        var dumped = ""
        dump(invite, to: &dumped)
        for text in ["\(invite)", String(reflecting: invite), dumped] {
            #expect(text.contains("writer invite to chess"))
            #expect(!text.contains("2021222324"))
            #expect(!text.contains("\(0x2021_2223_2425_2627)"))
        }
    }

    @Test(arguments: [[], ["192.0.2.7:4000"], ["192.0.2.7:4000", "[2001:db8::1]:4000"]])
    func saysWhereverALinkThatEndsIsCut(addresses: [String]) throws {
        let link = KnockLink(
            role: .reader,
            token: Bytes16(1, 2),
            conversation: Self.writer.conversationID,
            device: DeviceID(counting(from: 3)),
            number: 7,
            addresses: addresses,
            name: try ConversationName("chess")
        )
        #expect(try KnockLink(parsing: link.text) == link)
        for count in "parley:".count..<link.text.count {
            let error = #expect(throws: InviteError.self) {
                try KnockLink(parsing: String(link.text.prefix(count)))
            }
            #expect(error?.name == InviteError.truncated(missing: 1).name, "\(count)")
        }
        var typo = Array(link.text)
        typo[40] = typo[40] == "A" ? "B" : "A"
        #expect(throws: InviteError.checksum) { try KnockLink(parsing: String(typo)) }
        #expect(throws: InviteError.checksum) { try KnockLink(parsing: link.text + "A") }
    }

    private func content(_ link: String) throws -> [UInt8] {
        var text = link.dropFirst("parley:".count)
            .replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        return Array(try #require(Data(base64Encoded: text)))
    }

    /// A link with arbitrary content and the correct checksum.
    private func sealed(_ content: [UInt8]) -> String {
        let crypto = DeviceCryptography(DeviceKey(seed: .zero))
        let checksum = crypto.sha256(Array("parley invite".utf8) + content).bytes.prefix(6)
        let text = Data(content + checksum).base64EncodedString()
        return "parley:"
            + text.replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }
}

/// A text and the reason why it is not an invite.
struct BadInvite: Sendable {
    let text: String
    let error: InviteError

    init(_ text: String, _ error: InviteError) {
        self.text = text
        self.error = error
    }
}
