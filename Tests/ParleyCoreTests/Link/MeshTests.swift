import ParleyCore
import Testing

/// The links that are needed, and the members without one that need one again.
@Suite struct MeshTests {
    /// Devices in the order of their IDs; the first one is the own one.
    private static let devices = (0...40).map { DeviceID(Bytes32(UInt64($0) << 32, 0, 0, 0)) }

    private let now = Moment.start + .seconds(10)

    /// The devices 1 to `count`, which share conversation 1 on their links.
    private static func members(_ count: Int) -> [Mesh.Member] {
        devices[1...count].map { Mesh.Member($0, sharing: [1]) }
    }

    private static func hints(_ numbers: [Int]) -> Set<UInt64> {
        Set(numbers.map { devices[$0].hint })
    }

    /// A mesh in which these devices were let go.
    private func mesh(letGo numbers: [Int] = [], at moment: Moment = .start) -> Mesh {
        var mesh = Mesh(of: Self.devices[0])
        for number in numbers { mesh.letGo(Self.devices[number], sharing: [1], at: moment) }
        return mesh
    }

    // MARK: Reviews

    /// A review of the links to the devices 1 to `count`.
    ///
    /// Of 20 others, the own device needs 1, 4, 17 and 20.
    struct Review: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var count = 20
        var letGo: [Int] = []
        /// The devices that can be dialled.
        var reachable: [Int] = []
        /// The devices that are told that their link is not needed.
        let spare: [Int]
        /// The devices that are told that it is.
        var needed: [Int] = []
        var isDueAgain = false
        /// Changes the member of a number.
        var change: @Sendable (Int, inout Mesh.Member) -> Void = { _, _ in }

        static let spare = Array(1...20).filter { ![1, 4, 17, 20].contains($0) }

        static let all = [
            Self(testDescription: "a small mesh stays full", count: 7, spare: []),
            Self(testDescription: "all but the needed ones", spare: spare),
            Self(testDescription: "each is told once", spare: []) {
                $1.isSpare = spare.contains($0)
            },
            Self(testDescription: "one that is needed again", spare: spare, needed: [4]) {
                $1.isSpare = $0 == 4
            },
            Self(
                testDescription: "a busy one later",
                spare: spare.filter { $0 != 2 },
                isDueAgain: true
            ) {
                $1.isBusy = $0 == 2
            },
            Self(testDescription: "a needed one may be busy", spare: spare) { $1.isBusy = $0 == 4 },
            Self(testDescription: "not a silent one", spare: spare.filter { $0 != 10 }) {
                $1.isLive = $0 != 10
            },
            Self(
                testDescription: "none while a needed one has no link",
                count: 19,
                letGo: [20],
                reachable: [20],
                spare: [],
                isDueAgain: true
            ),
            Self(
                testDescription: "one that cannot be dialled does not count",
                count: 19,
                letGo: [20],
                spare: Array(1...19).filter { ![1, 4, 16, 19].contains($0) }
            ),
            Self(testDescription: "one that is needed elsewhere", spare: spare.filter { $0 != 2 }) {
                if $0 == 2 { $1 = Mesh.Member($1.device, sharing: [1, 2]) }
            },
        ]
    }

    @Test(arguments: Review.all)
    func linksThatAreNotNeeded(_ review: Review) {
        var mesh = mesh(letGo: review.letGo)
        var members = Self.members(review.count)
        for index in members.indices { review.change(index + 1, &members[index]) }
        let notices = mesh.review(members, reachable: Self.hints(review.reachable), at: now)
        let devices = notices.map { notice in
            (number: notice.member + 1, isSpare: notice.isSpare)
        }
        #expect(devices.filter(\.isSpare).map(\.number) == review.spare)
        #expect(devices.filter { !$0.isSpare }.map(\.number) == review.needed)
        #expect(mesh.reviewDue == (review.isDueAgain ? now + Mesh.pause : nil))
        #expect(mesh.isReviewDue(at: now + Mesh.pause) == review.isDueAgain)
    }

    // MARK: Promotion

    /// The members without a link of which the own device needs some, among links to others.
    struct Need: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var linked = Array(2...20)
        var letGo = [1]
        var reachable = [1]
        var isHere = true
        var promoted: [Int] = []
        /// Those without a link that are remembered.
        var passive = [1]
        /// Whether a member has to be told something else than before.
        var hasNotice = false
        /// The devices that were told that their link is not needed.
        var told = Array(2...20)

        static let all = [
            Self(testDescription: "the neighbour", promoted: [1], hasNotice: true),
            Self(testDescription: "not one that cannot be dialled", reachable: [], hasNotice: true),
            Self(
                testDescription: "not one that is not needed",
                linked: [1] + Array(3...20),
                letGo: [2],
                reachable: [2],
                passive: [2],
                told: Review.spare.filter { $0 != 2 }
            ),
            Self(
                testDescription: "not in a conversation that was left",
                isHere: false,
                passive: [],
                hasNotice: true
            ),
            Self(
                testDescription: "all, once there are few",
                linked: Array(1...4),
                letGo: [5, 6],
                reachable: [5, 6],
                promoted: [5, 6],
                passive: [5, 6],
                told: []
            ),
        ]
    }

    @Test(arguments: Need.all)
    func membersThatAreNeededAgain(_ need: Need) {
        var mesh = mesh(letGo: need.letGo)
        let members = need.linked.map { number in
            var member = Mesh.Member(Self.devices[number], sharing: [1])
            member.isSpare = need.told.contains(number)
            return member
        }
        let promotions = (0..<2).map { _ in
            mesh.promoteNeeded(
                among: members,
                reachable: { Self.hints(need.reachable) },
                isHere: { _ in need.isHere },
                at: now
            )
        }
        #expect(promotions == [need.promoted.map { Self.devices[$0] }, []], "each is dialled once")
        #expect(mesh.passiveView.peers.map(\.device) == need.passive.map { Self.devices[$0] })
        #expect(mesh.reviewDue == (need.hasNotice ? now + Mesh.pause : nil))
        #expect(!mesh.isStale)
    }

    @Test func smallMeshesAskForNothing() {
        var mesh = mesh()
        let devices = mesh.promoteNeeded(
            among: Self.members(7),
            reachable: {
                Issue.record("nobody needs to know")
                return []
            },
            isHere: { _ in true },
            at: now
        )
        #expect(devices == [])
        #expect(mesh.reviewDue == nil)
    }

    /// A device without a link is promoted in vain, and after a quarter of an hour another one is.
    @Test func membersWhoseTimeHasCome() {
        var mesh = mesh(letGo: [1, 2])
        _ = mesh.promoteNeeded(
            among: [],
            reachable: { Self.hints([1]) },
            isHere: { _ in true },
            at: now
        )
        let early = mesh.promoteDue(after: Dialer.Changes(), at: now + .milliseconds(499))
        #expect(early == Mesh.Promotion())
        #expect(!mesh.isStale)
        let isDue = [499, 500].map {
            mesh.isPromotionDue(after: Dialer.Changes(), at: now + .milliseconds($0))
        }
        #expect(isDue == [false, true])
        let late = mesh.promoteDue(after: Dialer.Changes(), at: now + .milliseconds(500))
        #expect(late == Mesh.Promotion(inVain: [Self.devices[1]]))
        #expect(mesh.isStale, "others may be needed instead")
        let renewal = mesh.promoteDue(after: Dialer.Changes(), at: now + .seconds(900))
        #expect(renewal == Mesh.Promotion(devices: [Self.devices[2]]))
    }

    @Test(arguments: [true, false])
    func changesOfTheAddresses(areAllDue: Bool) {
        var mesh = mesh(letGo: [1])
        _ = mesh.promoteNeeded(among: [], reachable: { [] }, isHere: { _ in true }, at: now)
        let changes = Dialer.Changes(areAllDue: areAllDue, areAnnouncementsNew: !areAllDue)
        #expect(mesh.isPromotionDue(after: changes, at: now))
        #expect(mesh.promoteDue(after: changes, at: now) == Mesh.Promotion())
        #expect(mesh.passiveView.isEmpty == areAllDue, "all are dialled, or one may be needed")
        #expect(mesh.isStale == !areAllDue)
    }

    // MARK: Neighbours

    @Test func neighboursAnswerAndAreChosenAfterEachChange() {
        var mesh = mesh()
        #expect(!mesh.areNeighboursStale)
        mesh.membersChanged()
        var members = Self.members(5)
        members[4].isLive = false
        members[2] = Mesh.Member(Self.devices[3], sharing: [1, 2])
        #expect(mesh.areNeighboursStale && mesh.isStale)
        let neighbours = mesh.chooseNeighbours(among: members)
        #expect(neighbours == [1: [Self.devices[4], Self.devices[1]], 2: [Self.devices[3]]])
        #expect(!mesh.areNeighboursStale && mesh.isStale)
    }

    @Test func aMemberWithALinkIsNoSpare() {
        var mesh = mesh(letGo: [1, 2, 3])
        mesh.linked(Self.devices[1])
        #expect(mesh.areNeighboursStale)
        mesh.sharesNothing(Self.devices[3])
        #expect(mesh.passiveView.peers.map(\.device) == [Self.devices[2]])
    }
}
