import ParleyCore
import Testing

/// Each side of a link limits what the other one sends.
struct CreditTests {
    // MARK: The sender

    @Test(arguments: [
        Allowance(sent: 0, bytes: 1_000, allows: true),
        Allowance(sent: 0, bytes: 1_001, allows: false),
        Allowance(sent: 999, bytes: 1, allows: true),
        Allowance(sent: 1_000, bytes: 1, allows: false),
        Allowance(sent: 1_000, bytes: 0, allows: true),
    ])
    func senderKeepsToTheTotal(_ allowance: Allowance) throws {
        var credit = SendCredit()
        try credit.granted(Credit(envelopeBytes: 1_000, blobBytes: 0, names: 7))
        credit.envelopesSent = allowance.sent
        #expect(credit.allowsEnvelope(allowance.bytes) == allowance.allows)
    }

    struct Allowance: Sendable {
        let sent: UInt64
        let bytes: Int
        let allows: Bool
    }

    @Test func nothingMayBeSentWithoutCredit() {
        let credit = SendCredit()
        #expect(!credit.allowsEnvelope(1))
    }

    @Test(arguments: [
        Credit(envelopeBytes: 99, blobBytes: 60, names: 7),
        Credit(envelopeBytes: 110, blobBytes: 49, names: 7),
        Credit(envelopeBytes: 110, blobBytes: 60, names: 6),
    ])
    func creditThatDecreasesIsRefused(_ lower: Credit) throws {
        var credit = SendCredit()
        try credit.granted(Credit(envelopeBytes: 100, blobBytes: 50, names: 7))
        try credit.granted(Credit(envelopeBytes: 100, blobBytes: 50, names: 7))
        #expect(throws: ParleyCore.Refusal.contradictory("credit that decreases")) {
            try credit.granted(lower)
        }
        #expect(credit.envelopeLimit == 100)
        #expect(credit.blobLimit == 50)
    }

    /// Credit for envelopes and credit for blobs are apart.
    @Test(arguments: [
        Remainder(granted: 0, sent: 0, left: 0),
        Remainder(granted: 1_000, sent: 0, left: 1_000),
        Remainder(granted: 1_000, sent: 999, left: 1),
        Remainder(granted: 1_000, sent: 1_000, left: 0),
    ])
    func blobsMayUseWhatIsLeftOfTheirCredit(_ remainder: Remainder) throws {
        var credit = SendCredit()
        try credit.granted(Credit(envelopeBytes: 7, blobBytes: remainder.granted, names: 7))
        credit.envelopesSent = 7
        credit.blobsSent = remainder.sent
        #expect(credit.blobsLeft == remainder.left)
        #expect(!credit.allowsEnvelope(1))
    }

    struct Remainder: Sendable {
        let granted: UInt64
        let sent: UInt64
        let left: UInt64
    }

    // MARK: The receiver

    @Test func windowIsGrantedAtFirst() {
        var grant = CreditGrant()
        let first = Credit(1_000, 512 << 10)
        let granted = (0..<2).map { _ in grant.renew(envelopeWindow: 1_000, names: 80, missing: 0) }
        #expect(granted == [first, nil])
    }

    @Test(arguments: [
        // More than half is open: nothing to say.
        Renewal(envelopes: 499, granted: nil),
        Renewal(envelopes: 500, granted: nil),
        Renewal(envelopes: 501, granted: Credit(1_501, 524_288)),
        Renewal(envelopes: 1_000, granted: Credit(2_000, 524_288)),
        Renewal(blobs: 262_144, granted: nil),
        Renewal(blobs: 262_145, granted: Credit(1_000, 786_433)),
        // A smaller window takes nothing back.
        Renewal(envelopes: 501, window: 100, granted: nil),
        Renewal(envelopes: 960, window: 100, granted: Credit(1_060, 524_288)),
        Renewal(envelopes: 0, window: 0, granted: nil),
        // A larger window is granted as soon as less than half of it is open.
        Renewal(envelopes: 0, window: 2_000, granted: nil),
        Renewal(envelopes: 1, window: 2_000, granted: Credit(2_001, 524_288)),
        // Half of an odd number of bytes is rounded down.
        Renewal(envelopes: 500, window: 1_001, granted: nil),
        Renewal(envelopes: 501, window: 1_001, granted: Credit(1_502, 524_288)),
        // Both kinds are renewed when one of them is due.
        Renewal(envelopes: 200, blobs: 262_145, granted: Credit(1_200, 786_433)),
        Renewal(envelopes: 501, blobs: 1, granted: Credit(1_501, 524_289)),
        Renewal(blobs: 262_145, window: 100, granted: Credit(1_000, 786_433)),
    ])
    func renewedWhenLessThanHalfIsLeft(_ renewal: Renewal) {
        var grant = CreditGrant()
        _ = grant.renew(envelopeWindow: 1_000, names: 80, missing: 0)
        let isWithin = [
            grant.envelopeReceived(renewal.envelopes), grant.blobReceived(renewal.blobs),
        ]
        #expect(isWithin == [true, true])
        let granted = grant.renew(envelopeWindow: renewal.window, names: 80, missing: 0)
        #expect(granted == renewal.granted)
    }

    struct Renewal: Sendable {
        var envelopes = 0
        var blobs = 0
        var window: UInt64 = 1_000
        let granted: Credit?
    }

    /// The last byte of the credit may be sent, and not one more.
    @Test func moreThanWasGrantedIsNoticed() {
        var grant = CreditGrant()
        let isAllowed = grant.envelopeReceived(1)
        #expect(!isAllowed, "nothing is granted yet")
        grant = CreditGrant()
        _ = grant.renew(envelopeWindow: 1_000, names: 80, missing: 0)
        let envelopes = [999, 1, 1].map { grant.envelopeReceived($0) }
        #expect(envelopes == [true, true, false])
        let blobs = [512 << 10, 1].map { grant.blobReceived($0) }
        #expect(blobs == [true, false])
    }

    /// Credit is a total since the link began, whoever counts.
    @Test func creditOfManyWindowsAddsUp() throws {
        var grant = CreditGrant()
        var credit = SendCredit()
        for round in UInt64(1)...5 {
            let granted = grant.renew(envelopeWindow: 1_000, names: 80, missing: 0)
            #expect(
                granted
                    == Credit(round * 1_000, round * 524_288)
            )
            if let granted { try credit.granted(granted) }
            #expect(credit.allowsEnvelope(1_000))
            #expect(!credit.allowsEnvelope(1_001))
            #expect(credit.blobsLeft == 524_288)
            credit.envelopesSent += 1_000
            credit.blobsSent += 524_288
            let isWithin = [grant.envelopeReceived(1_000), grant.blobReceived(524_288)]
            #expect(isWithin == [true, true])
        }
    }

    /// Envelopes that came count even if they were too many, so that the totals of both agree.
    @Test func creditCountsWhatWasTooMuch() {
        var grant = CreditGrant()
        _ = grant.renew(envelopeWindow: 1_000, names: 80, missing: 0)
        let isWithin = [grant.envelopeReceived(1_500), grant.blobReceived(600_000)]
        #expect(isWithin == [false, false])
        let granted = grant.renew(envelopeWindow: 1_000, names: 80, missing: 0)
        #expect(granted == Credit(2_500, 600_000 + 524_288))
    }

    // MARK: Announcements

    @Test func announcementsAreCounted() throws {
        var credit = SendCredit()
        #expect(credit.namesLeft == 0)
        try credit.granted(Credit(envelopeBytes: 0, blobBytes: 0, names: 9))
        credit.announces(4)
        #expect(credit.namesLeft == 5)
        credit.announces(5)
        #expect(credit.namesLeft == 0)
    }

    /// What is here, or came, makes room for further announcements; it is renewed by halves.
    @Test(arguments: [
        Announcing(received: 39, missing: 0, granted: nil),
        Announcing(received: 40, missing: 0, granted: 120),
        Announcing(received: 80, missing: 0, granted: 160),
        Announcing(received: 80, missing: 80, granted: nil, isUsedUp: true),
        Announcing(received: 80, missing: 41, granted: nil, isUsedUp: true),
        Announcing(received: 80, missing: 40, granted: 120),
        Announcing(received: 60, missing: 21, granted: nil),
        Announcing(received: 80, missing: 79, isEarly: true, granted: 81),
        Announcing(received: 80, missing: 80, isEarly: true, granted: nil, isUsedUp: true),
    ])
    func whatIsMissingTakesThePlaceOfWhatMayBeAnnounced(_ announcing: Announcing) {
        var grant = CreditGrant()
        _ = grant.renew(envelopeWindow: 1_000, names: 80, missing: 0)
        let isWithin = grant.namesReceived(announcing.received)
        #expect(isWithin)
        let granted = grant.renew(
            envelopeWindow: 1_000,
            names: 80,
            missing: announcing.missing,
            isEarly: announcing.isEarly
        )
        #expect(granted?.names == announcing.granted)
        #expect(grant.areNamesUsedUp == announcing.isUsedUp)
        let isTooMuch = !grant.namesReceived(Int(announcing.granted ?? 80) + 1)
        #expect(isTooMuch)
    }

    struct Announcing: Sendable {
        let received: Int
        let missing: Int
        var isEarly = false
        let granted: UInt64?
        var isUsedUp = false
    }
}

extension CreditGrant {
    fileprivate mutating func renew(
        envelopeWindow window: UInt64,
        names: Int,
        missing: Int,
        isEarly: Bool = false
    ) -> Credit? {
        renewsEarly = isEarly
        return renew(envelopeWindow: window, names: names) { missing }
    }
}

extension Credit {
    /// Credit for these bytes and 80 announcements.
    fileprivate init(_ envelopeBytes: UInt64, _ blobBytes: UInt64) {
        self.init(envelopeBytes: envelopeBytes, blobBytes: blobBytes, names: 80)
    }
}
