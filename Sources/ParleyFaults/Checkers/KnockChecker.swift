import ParleyCore

/// An invite that ends lets in who has its token, as many devices as it says, and not later.
package struct KnockChecker: Checker {
    package static let promise = Promise("invites end")
    package static let watches: WorldEvent.Kinds = [
        .links, .otherInputs, .answered, .persisted, .processes, .faults,
    ]

    /// An invite by its token, as two of one number may follow each other.
    private struct Invite {
        let made: EndingInvite
        let at: Moment
        var cameIn: Set<DeviceID> = []
        var isRevoked = false
        /// Whether the disk says so: a crash before that takes the revocation along.
        var isRevokedOnDisk = false
    }

    private struct Name: Hashable {
        let node: Int
        let number: UInt32
    }

    private var invites: [Name: Invite] = [:]
    /// The devices whose people have the link of a token.
    private var invited: [Bytes16: Set<DeviceID>] = [:]
    private var devices: [LinkEnd: DeviceID] = [:]
    private var starts: [Int: Moment] = [:]
    /// Nodes whose disks were set back or copied, and so may have forgotten who came.
    private var forgetful: Set<Int> = []

    package init() {}

    package mutating func observe(_ event: WorldEvent, in world: World) {
        switch event {
        case .started(let node):
            starts[node] = world.now
            let isCopy = world.nodes.indices.contains {
                $0 != node && world.nodes[$0].device == world.nodes[node].device
            }
            if isCopy { forgetful.insert(node) }
        case .ended(let node, _):
            for name in invites.keys where name.node == node {
                let isRevoked = invites[name]?.isRevokedOnDisk == true
                invites[name]?.isRevoked = isRevoked
            }
        case .persisted(let node, let persist):
            for (number, row) in Self.rows(in: persist) where row.isRevoked {
                let name = Name(node: node, number: number)
                if invites[name]?.made.token == row.token { invites[name]?.isRevokedOnDisk = true }
            }
        case .fault(.restore(let node, _)), .fault(.clone(let node, _)): forgetful.insert(node)
        case .input(let node, .linkOpened(let opened)):
            let crypto = world.nodes[node].crypto
            devices[LinkEnd(node: node, link: opened.id)] =
                DeviceID(publicKey: opened.peerKey, using: crypto)
        case .input(let node, .invited(_, let invite, _)):
            let name = Name(node: node, number: invite.number)
            if invites[name]?.made.token == invite.token {
                invites[name]?.isRevoked = invite.isRevoked
            } else {
                invites[name] = Invite(made: invite, at: world.now)
            }
        case .input(let node, .knock(let door)):
            invited[door.token, default: []].insert(world.nodes[node].device)
        case .answered(let node, let effects):
            guard !forgetful.contains(node) else { return }
            if let persist = effects.persist {
                for (number, row) in Self.rows(in: persist) {
                    check(row, of: Name(node: node, number: number), world)
                }
            }
            for send in effects.sends { check(send, of: node, world) }
        default: break
        }
    }

    /// The written invites, by their numbers.
    private static func rows(in persist: Persist) -> [(number: UInt32, row: EndingInvite)] {
        persist.writes.compactMap { write in
            guard case .member(_, .invite(let number), let record?) = write,
                let row = try? EndingInvite(stored: record)
            else { return nil }
            return (number, row)
        }
    }

    /// Checks a row that is about to be written: who came came in time.
    private mutating func check(_ row: EndingInvite, of name: Name, _ world: World) {
        guard let invite = invites[name], row.token == invite.made.token,
            row.came.contains(where: { !invite.cameIn.contains($0) })
        else { return }
        let began = max(invite.at, starts[name.node] ?? .start)
        let lasts = invite.made.lasts.map { Interval.seconds(Int64($0) + 2) }
        if let lasts, world.now - began > lasts { fail("after the time", name, world) }
        let wall = world.nodes[name.node].clock.read(at: world.now).wall
        if let end = invite.made.endsAt, wall > end + 1 {
            fail("after the wall clock", name, world)
        }
        if invite.isRevoked { fail("though it was revoked", name, world) }
        invites[name]?.cameIn.formUnion(row.came)
        if row.came.count > Int(invite.made.uses) { fail("too many", name, world) }
    }

    /// Checks the frames that a node sends: each device that is let in has the token, and is
    /// counted on the disk.
    private mutating func check(_ send: LinkSend, of node: Int, _ world: World) {
        guard send.bytes.count < 4_096 else { return }
        for raw in SentFrames(Slice(send.bytes)) where raw.type == FrameType.knock.rawValue {
            guard case .knock(.letIn(let number, _))? = try? Frame(decoding: raw),
                let device = devices[LinkEnd(node: node, link: send.link)]
            else { continue }
            let name = Name(node: node, number: number)
            guard let invite = invites[name] else {
                fail("without an invite", name, world)
                continue
            }
            if invited[invite.made.token]?.contains(device) != true {
                fail("who has no token", name, world)
            }
            let isCounted = world.nodes[node].disk.conversations.values.contains { conversation in
                conversation.members[.invite(number)]
                    .flatMap { try? EndingInvite(stored: $0) }?.came.contains(device) ?? false
            }
            if !isCounted { fail("before counting on disk", name, world) }
        }
    }

    private func fail(_ what: String, _ name: Name, _ world: World) {
        let node = world.nodes[name.node].name
        world.fail(Self.promise, by: [name.node], "\(node) lets in \(what), by \(name.number)")
    }
}
