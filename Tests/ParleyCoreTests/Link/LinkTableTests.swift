import ParleyCore
import ParleyFaults
import Testing

/// A link table finds links by device, by address and by deadline.
@Suite struct LinkTableTests {
    private let now = Moment.start
    private let one = SampleConversation().conversation
    private let two = SampleConversation.other(2)

    private func table(_ links: [Link], names: [DeviceID: String] = [:]) -> LinkTable {
        LinkTable(links, names: names)
    }

    // MARK: Order

    @Test func linksAreInTheOrderOfTheirNumbers() {
        var table = table([])
        for (number, index) in [(5, 0), (9, 1), (7, 1), (1, 0), (8, 3)] {
            let answer = table.all.insert(Link(UInt64(number)))
            #expect(answer == index)
        }
        #expect(table.map(\.id.value) == [1, 5, 7, 8, 9])
        for (index, link) in table.enumerated() { #expect(table.all.index(of: link.id) == index) }
        for absent in [0, 2, 6, 10] { #expect(table.all.index(of: LinkID(UInt64(absent))) == nil) }
    }

    @Test func aLinkThatEndsIsOpenAndHasNoIndex() {
        var table = table([Link(1), Link(2).closing(), Link(3)])
        #expect(table.all.index(of: LinkID(2)) == nil)
        #expect(table.all.openLinks == [LinkID(1), LinkID(2), LinkID(3)])
        #expect(table.all.areSomeClosing)
        #expect(table.all.removeClosing().map(\.id) == [LinkID(2)])
        #expect(table.all.openLinks == [LinkID(1), LinkID(3)])
        #expect(!table.all.areSomeClosing)
        #expect(table.map(\.id.value) == [1, 3])
    }

    @Test func membersAndDevicesThatAnswerAreCounted() {
        let table = table([
            Link(1, to: 2).greeted(), Link(2, to: 3).greeted(sharing: [one]),
            Link(3, to: 4).greeted(sharing: [one]).suspected(at: now),
            Link(4, to: 5).greeted(sharing: [one]).closing(),
        ])
        #expect(table.all.memberCount == 2)
        #expect(table.linkedHints == [2, 3, 5].map { DeviceID(seed: $0).hint })
    }

    // MARK: The choice of a link

    @Test func aLiveLinkIsAMembersThatAnswersAndSharesTheConversation() {
        let table = table([
            Link(1, to: 2).greeted(), Link(2, to: 3).greeted(sharing: [two]),
            Link(3, to: 4).greeted(sharing: [one]).suspected(at: now),
            Link(4, to: 5).greeted(sharing: [two, one]), Link(5, to: 6).greeted(sharing: [one]),
        ])
        #expect(table.all.liveLinks(sharing: 1) == [LinkID(4), LinkID(5)])
        #expect(table.all.liveLinks(sharing: 2) == [LinkID(2), LinkID(4)])
        #expect(table.all.liveLinks(sharing: 3) == [])
        #expect((1...3).map { table.all.hasLiveLink(sharing: $0) } == [true, true, false])
    }

    /// Whether a link leads to the author of a conversation's envelope.
    struct AuthorLink: Sendable, CustomTestStringConvertible {
        let name: String
        let link: @Sendable (Conversation, Conversation) -> Link
        let pushes: Bool

        init(
            _ name: String,
            pushes: Bool,
            _ link: @escaping @Sendable (Conversation, Conversation) -> Link
        ) {
            self.name = name
            self.link = link
            self.pushes = pushes
        }

        var testDescription: String { name }

        static let all = [
            AuthorLink("greeting", pushes: false) { _, _ in Link(1) },
            AuthorLink("proving", pushes: false) { _, _ in Link(1).greeted() },
            AuthorLink("a member's", pushes: true) { one, _ in
                Link(1).greeted(sharing: [one])
            },
            AuthorLink("of another conversation", pushes: false) { _, two in
                Link(1).greeted(sharing: [two])
            },
            AuthorLink("suspect", pushes: false) { one, _ in
                Link(1).greeted(sharing: [one]).suspected(at: .start)
            },
            AuthorLink("closing", pushes: false) { one, _ in
                Link(1).greeted(sharing: [one]).closing()
            },
            AuthorLink("to another device", pushes: false) { one, _ in
                Link(1, to: 3).greeted(sharing: [one])
            },
        ]
    }

    @Test(arguments: AuthorLink.all)
    func theLinkToAnAuthorPushesUnasked(_ author: AuthorLink) {
        let table = table([author.link(one, two)])
        let device = DeviceID(seed: 2)
        let link = table.all.link(toAuthor: device, of: 1)
        #expect(link == (author.pushes ? LinkID(1) : nil))
    }

    // MARK: Names

    @Test func aDeviceHasTheNameOfItsLatestLink() {
        let table = table(
            [
                Link(1, to: 2).greeted(name: "first"), Link(2, to: 2).greeted(name: "second"),
                Link(3, to: 2).greeted(name: ""), Link(4, to: 3).greeted(name: ""),
            ],
            names: [DeviceID(seed: 3): "remembered"]
        )
        #expect(table.name(of: DeviceID(seed: 2)) == "second")
        #expect(table.name(of: DeviceID(seed: 3)) == "remembered")
        #expect(table.name(of: DeviceID(seed: 4)) == nil)
    }

    @Test func aNameIsLearntOnceAndOpenConversationsGetHalfOfTheNames() {
        let names = (1...3).map { "name \($0)" }
        var table = table([
            Link(1, to: 2).greeted(name: names[0]), Link(2, to: 3).greeted(name: names[1]),
            Link(3, to: 4).greeted(name: names[2]), Link(4, to: 5).greeted(name: ""), Link(5),
        ])
        for (index, isOpen, name) in [
            (0, true, names[0]), (0, true, nil), (1, true, names[1]), (2, true, nil),
            (2, false, names[2]), (3, false, nil), (4, false, nil),
        ] {
            let learnt = table.learnName(ofMember: index, isOpen: isOpen)
            #expect(learnt == name)
        }
        #expect(table.nameCount == 3)
        table[0].phase = .closing
        _ = table.all.removeClosing()
        #expect(table.name(of: DeviceID(seed: 2)) == names[0])
    }

    // MARK: Deadlines

    @Test func theEarliestDeadlineOfAnyLinkCounts() {
        var table = table([])
        #expect(table.deadline == nil)
        let member = Link(1, to: 2, at: now + .seconds(2)).greeted(sharing: [one])
        _ = table.all.insert(member)
        #expect(table.deadline == now + .seconds(2) + Liveness.idle)
        _ = table.all.insert(Link(2, to: 3, at: now + .seconds(1)))
        #expect(table.deadline == now + .seconds(1) + LinkPhase.patience)
        table[0].ping(1, at: now + .seconds(3))
        #expect(table.deadline == now + .seconds(3) + Liveness.suspicion)
    }
}

extension Moment {
    fileprivate static func - (moment: Moment, interval: Interval) -> Moment {
        Moment(nanoseconds: moment.nanoseconds - interval.nanoseconds)
    }
}
