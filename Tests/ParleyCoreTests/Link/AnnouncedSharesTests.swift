import ParleyCore
import Testing

/// A link gives way when the memory for announced envelopes is used up.
@Suite struct AnnouncedSharesTests {
    private static let entry = AnnouncedShares.entryBytes

    /// Memory for 1,000 envelopes, of which 10 are reserved for each of 50 links.
    private static var limits: Limits {
        var limits = Limits()
        limits.announcedBytes = 1_000 * entry
        limits.links = 50
        return limits
    }

    @Test(arguments: cases)
    func theLargestGivesWay(_ division: Division) {
        let shares = division.shares.map { share in
            AnnouncedShares.Share(bytes: share.count * Self.entry, hasDelivered: share.delivers)
        }
        let expected = division.yield.map { yield in
            AnnouncedShares.Yield(link: yield.link, bytes: yield.count * Self.entry)
        }
        let divided = AnnouncedShares(shares, limits: Self.limits)
        #expect(divided.yield(to: division.newcomer) == expected, "\(division.name)")
    }

    static let cases: [Division] = [
        Division("a newcomer takes half of the difference", [.idle(900), .idle(0)], 1, (0, 400)),
        Division("of equal ones, the newest", [.idle(400), .idle(400), .idle(200)], 2, (1, 100)),
        Division("the largest", [.idle(300), .idle(500), .idle(200)], 2, (1, 150)),
        Division("free memory is its own", [.idle(800), .idle(0)], 1, (0, 300)),
        Division("so much that nobody is", [.idle(500), .idle(0)], 1, nil),
        Division("and counts as its reserve", [.busy(992), .idle(2)], 1, (0, 2)),
        Division("nobody with less", [.idle(300), .idle(700)], 1, nil),
        Division("nobody with as much", [.idle(500), .idle(500)], 1, nil),
        Division("those that never delivered", [.idle(100), .busy(900)], 1, (0, 90)),
        Division("those, down to the reserve", [.idle(10), .busy(600), .busy(390)], 2, (1, 105)),
        Division("of those, the largest", [.idle(20), .idle(80), .busy(900)], 2, (1, 70)),
        Division("none that delivered, for a newcomer", [.busy(900), .idle(100)], 1, nil),
        Division("but for its reserve", [.busy(992), .idle(4), .idle(4)], 1, (0, 6)),
        Division("nobody for itself alone", [.idle(1_000)], 0, nil),
    ]

    @Test func memoryThatIsLeftIsFree() {
        let shares = [300, 650].map {
            AnnouncedShares.Share(bytes: $0 * Self.entry, hasDelivered: false)
        }
        #expect(AnnouncedShares(shares, limits: Self.limits).free == 50)
        #expect(AnnouncedShares(shares + shares, limits: Self.limits).free == 0)
    }

    /// The envelopes that links announced, the link that announces more, and who gives way.
    struct Division: Sendable, CustomTestStringConvertible {
        struct Share: Sendable {
            let count: Int
            let delivers: Bool

            static func idle(_ count: Int) -> Share { Share(count: count, delivers: false) }
            static func busy(_ count: Int) -> Share { Share(count: count, delivers: true) }
        }

        let name: String
        let shares: [Share]
        let newcomer: Int
        let yield: (link: Int, count: Int)?

        init(_ name: String, _ shares: [Share], _ newcomer: Int, _ yield: (Int, Int)?) {
            self.name = name
            self.shares = shares
            self.newcomer = newcomer
            self.yield = yield.map { (link: $0.0, count: $0.1) }
        }

        var testDescription: String { name }
    }
}
