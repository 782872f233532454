import ParleyCore

/// A peer that has a device key but is no node, and may break every rule.
///
/// Its links have no wires: bytes of the intruder arrive after a millisecond, and bytes of the node
/// at once.
final class Intruder: Outsider {
    let intrusion: Intrusion
    let crypto: SimulatedCryptography
    /// The links: one to the node and, for some intrusions, one to the other node.
    private(set) var links: [LinkEnd] = []
    private let number: Int
    private let exporter: Bytes32
    private var parsers: [LinkEnd: FrameParser] = [:]

    init(_ intrusion: Intrusion, number: Int) {
        self.intrusion = intrusion
        self.number = number
        crypto = SimulatedCryptography(seed: 0x1_0000_0000 + UInt64(number))
        exporter = Bytes32(intrusion.pick, 7, 7, UInt64(number))
    }

    var device: DeviceID { DeviceID(publicKey: crypto.devicePublicKey, using: crypto) }

    // MARK: Talking

    /// Opens a link and greets the node correctly.
    func open(to node: Int, in world: World) -> LinkEnd {
        var greeting: [UInt8] = []
        hello.append(to: &greeting)
        return open(to: node, saying: greeting, in: world)
    }

    /// Opens a link and sends these bytes first.
    func open(to node: Int, saying bytes: [UInt8], in world: World) -> LinkEnd {
        let end = LinkEnd(node: node, link: world.nodes[node].sockets.nextLink())
        links.append(end)
        guard world.admit(end.link, from: -100 - number, at: node) else { return end }
        let opened = OpenedLink(
            id: end.link,
            dial: nil,
            peerKey: crypto.devicePublicKey,
            exporter: exporter,
            address: "intruder"
        )
        world.give(.linkOpened(opened), to: node)
        say(bytes, on: end, after: 0, in: world)
        world.giveLater(.linkClosed(end.link, "it went away"), to: node, after: intrusion.stay)
        return end
    }

    func say(_ frames: [Frame], on end: LinkEnd, after delay: Int64, in world: World) {
        var bytes: [UInt8] = []
        for frame in frames { frame.append(to: &bytes) }
        say(bytes, on: end, after: delay, in: world)
    }

    private func say(_ bytes: [UInt8], on end: LinkEnd, after delay: Int64, in world: World) {
        let input = NodeInput.received(end.link, Slice(bytes))
        world.giveLater(input, to: end.node, after: .milliseconds(delay + 1))
    }

    private var hello: Frame {
        .hello(
            Hello(
                wireVersions: NodeConfiguration.spoken,
                software: "intruder",
                deviceName: "nobody",
                processNonce: intrusion.pick
            )
        )
    }

    /// The proof of membership in a conversation, by its first R or another one.
    func tags(of conversation: SimulatedConversation, relayKey: Bytes32? = nil) -> Frame {
        var tags = [conversation.tag(exporter: exporter, side: 0, relayKey: relayKey)]
        while tags.count < Limits.conversationGroup {
            tags.append(Bytes16(UInt64(tags.count), intrusion.pick))
        }
        return .conversations(ConversationTags(tags: tags))
    }

    /// Connects to a node as a member of a conversation and sends frames there.
    ///
    /// - Returns: the link.
    @discardableResult
    func visit(
        _ node: Int,
        _ conversation: SimulatedConversation,
        relayKey: Bytes32? = nil,
        saying frames: [Frame],
        in world: World
    ) -> LinkEnd {
        let end = open(to: node, in: world)
        let feed = FeedRequest(
            conversation: 0,
            since: .beginning,
            ownIncarnation: intrusion.pick | 1,
            ownPosition: 0
        )
        say(
            [tags(of: conversation, relayKey: relayKey), .feed(feed)],
            on: end,
            after: 1,
            in: world
        )
        say(frames, on: end, after: 3, in: world)
        return end
    }

    // MARK: Listening

    /// Receives the bytes of a node on a link of the intruder.
    func heard(_ send: LinkSend, from node: Int, in world: World) {
        let end = LinkEnd(node: node, link: send.link)
        guard let index = links.firstIndex(of: end) else { return }
        for raw in SentFrames(Slice(send.bytes)) {
            let frame = try? Frame(decoding: raw)
            // An announcing relay stays as long as it can.
            if case .ping(let nonce)? = frame, intrusion.kind == .announces {
                say([.pong(nonce)], on: end, after: 0, in: world)
            }
            guard case .conversations(let tags)? = frame else { continue }
            switch intrusion.kind {
            case .reflectsTags: say([.conversations(tags)], on: end, after: 2, in: world)
            case .passesTags:
                guard links.count == 2 else { continue }
                say([.conversations(tags)], on: links[1 - index], after: 2, in: world)
            default: break
            }
        }
    }
}

extension World {
    /// Performs an intrusion; returns whether it was possible.
    @discardableResult
    func intrude(_ intrusion: Intrusion) -> Bool {
        guard isRunning(intrusion.node), isRunning(intrusion.other) else { return false }
        for _ in 0..<intrusion.relays {
            let intruder = Intruder(intrusion, number: intruders.count)
            intruders.append(intruder)
            guard intruder.act(in: self) else { return false }
        }
        faultCounts.add(.byzantineAct)
        note(intrusion.node, "is visited by somebody who \(intrusion.kind)")
        return true
    }
}
