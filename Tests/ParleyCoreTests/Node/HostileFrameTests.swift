import ParleyCore
import ParleyFaults
import Testing

/// A peer that breaks the rules is refused with a type, its link ends, and nothing of it is stored.
@Suite struct HostileFrameTests {
    enum Stage: Sendable {
        /// Nothing was said.
        case opened
        /// Hellos were exchanged.
        case greeted
        /// A conversation is shared.
        case member
    }

    struct Attack: Sendable, CustomTestStringConvertible {
        let name: String
        let stage: Stage
        let bytes: [UInt8]
        let goodbye: GoodbyeReason

        init(_ name: String, _ stage: Stage, _ bytes: [UInt8], _ goodbye: GoodbyeReason) {
            self.name = name
            self.stage = stage
            self.bytes = bytes
            self.goodbye = goodbye
        }

        init(_ name: String, _ stage: Stage, _ frame: Frame, _ goodbye: GoodbyeReason) {
            var bytes: [UInt8] = []
            frame.append(to: &bytes)
            self.init(name, stage, bytes, goodbye)
        }

        var testDescription: String { name }
    }

    @Test(arguments: attacks)
    func refused(_ attack: Attack) {
        var puppet = puppet(at: attack.stage)
        let writes = puppet.writes.count
        puppet.send(bytes: attack.bytes)
        expectRefused(puppet, attack.goodbye, writesBefore: writes)
    }

    /// Every type of frame with a body that is no item at all, and one that is too long.
    @Test(arguments: FrameType.allCases)
    func malformedBodies(type: FrameType) {
        for body in [[], [0xff], [0xa0], [0xa1, 0x01], [0x80], [0xa1, 0x03, 0x40]] as [[UInt8]] {
            var puppet = puppet(at: type == .hello ? .opened : .member)
            let writes = puppet.writes.count
            var bytes: [UInt8] = []
            FrameHeader(length: body.count, type: type.rawValue).append(to: &bytes)
            puppet.send(bytes: bytes + body)
            expectRefused(puppet, .malformed, writesBefore: writes)
        }
    }

    /// Only a few kinds of frame may come before a conversation is shared.
    @Test(arguments: FrameType.allCases)
    func membersFramesFromStrangers(type: FrameType) throws {
        for stage in [Stage.opened, .greeted] {
            guard let frame = sample(type), !mayCome(type, stage) else { continue }
            var puppet = puppet(at: stage)
            let writes = puppet.writes.count
            puppet.send(frame)
            expectRefused(puppet, .malformed, writesBefore: writes)
            #expect(puppet.refusals == [.unexpected(type.rawValue)])
        }
    }

    /// `feed` comes before all other frames about a conversation.
    @Test(arguments: FrameType.allCases)
    func framesBeforeFeed(type: FrameType) throws {
        guard let frame = sample(type), frame.conversation != nil, type != .feed else { return }
        var puppet = Puppet()
        puppet.meet()
        puppet.send(.credit(Credit(envelopeBytes: 1 << 20, blobBytes: 1 << 20, names: 9)))
        let writes = puppet.writes.count
        puppet.send(frame)
        expectRefused(puppet, .malformed, writesBefore: writes)
        #expect(puppet.refusals == [.unexpected(type.rawValue)])
    }

    private func mayCome(_ type: FrameType, _ stage: Stage) -> Bool {
        switch (type, stage) {
        case (.goodbye, _), (.hello, .opened): true
        case (.conversations, .greeted), (.ping, .greeted), (.pong, .greeted),
            (.pairing, .greeted), (.knock, .greeted), (.members, .greeted):
            true
        default: false
        }
    }

    /// A peer cannot say that its replay ends where nobody comes, or ask for what nobody has.
    @Test(arguments: [FeedCursor.positionEnd, UInt64.max])
    func feedsOfPositionsBeyondAll(position: UInt64) {
        for (latest, since) in [(position, 0), (0, position)] as [(UInt64, UInt64)] {
            var puppet = Puppet()
            puppet.meet()
            puppet.sync(since: FeedCursor(incarnation: 7, position: since), latest: latest)
            #expect(puppet.refusals == [.overLimit("a feed position that nobody reaches")])
            #expect(puppet.goodbye == .overLimit)
        }
    }

    /// The position that the peer has of this node, even a higher one, only prevents a comparison.
    @Test(arguments: [FeedCursor.positionEnd, UInt64.max])
    func auditsOfPositionsBeyondAll(position: UInt64) {
        let sums = [UInt64](repeating: 0, count: Audit.buckets)
        for (own, peer, isRefused) in [(position, 0, true), (0, position, false)]
            as [(UInt64, UInt64, Bool)]
        {
            var puppet = puppet(at: .member)
            puppet.send(
                .audit(Audit(conversation: 0, ownPosition: own, peerPosition: peer, sums: sums))
            )
            let refusal = ParleyCore.Refusal.overLimit("a feed position that nobody reaches")
            #expect(puppet.refusals == (isRefused ? [refusal] : []))
            #expect(puppet.goodbye == (isRefused ? .overLimit : nil))
        }
    }

    @Test(arguments: descents)
    func positionsThatDescend(_ frames: [Frame]) {
        var puppet = puppet(at: .member)
        for frame in frames { puppet.send(frame) }
        #expect(puppet.refusals == [.contradictory("a feed position that descends")])
        #expect(puppet.goodbye == .malformed)
        #expect(puppet.storedPosition ?? 2 == 2, "nothing lower is confirmed")
    }

    /// An unknown even type is ignored once the peer has said hello, an odd one must be understood.
    @Test(arguments: [Stage.greeted, .member])
    func unknownTypes(stage: Stage) {
        var puppet = puppet(at: stage)
        puppet.send(bytes: [0, 0, 1, 100, 0xff])
        #expect(puppet.goodbye == nil)
        puppet.send(bytes: [0, 0, 1, 101, 0xff])
        #expect(puppet.refusals == [.malformed(.unknownKind(101))])
        #expect(puppet.goodbye == .malformed)
    }

    /// Hello is the first frame of every version: no other type may come before it.
    @Test(arguments: [UInt8(0), 100, 254])
    func unknownTypesBeforeHello(type: UInt8) {
        var puppet = puppet(at: .opened)
        puppet.send(bytes: [0, 0, 1, type, 0xff])
        #expect(puppet.refusals == [.unexpected(type)])
        #expect(puppet.goodbye == .malformed)
    }

    /// A frame that is declared longer than may be is refused before its bytes have come.
    @Test func declaredLengthIsNotBelieved() {
        for (stage, limit) in [
            (Stage.greeted, Limits.strangerFrameBytes), (.member, Limits.frameBytes),
        ] {
            var puppet = puppet(at: stage)
            var bytes: [UInt8] = []
            FrameHeader(length: limit + 1, type: FrameType.envelope.rawValue).append(to: &bytes)
            puppet.send(bytes: bytes)
            #expect(puppet.refusals == [.malformed(.tooLong)])
        }
    }

    // MARK: Helpers

    private func puppet(at stage: Stage) -> Puppet {
        var puppet = Puppet()
        switch stage {
        case .opened: puppet.open()
        case .greeted:
            puppet.open()
            puppet.send(puppet.hello)
        case .member: puppet.meetAndSync()
        }
        return puppet
    }

    private func expectRefused(
        _ puppet: Puppet,
        _ goodbye: GoodbyeReason,
        writesBefore: Int,
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(puppet.refusals.count == 1, sourceLocation: location)
        #expect(puppet.goodbye == goodbye, sourceLocation: location)
        #expect(puppet.closes.count == 1, sourceLocation: location)
        #expect(puppet.machine.links.isEmpty, sourceLocation: location)
        #expect(puppet.writes.count == writesBefore, "nothing is stored", sourceLocation: location)
    }
}
