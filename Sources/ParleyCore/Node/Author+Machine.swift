/// The receipts of this node and of others, with the links of the machine.
extension Author {
    // MARK: Inputs

    /// Receipts arrived: those for messages of this node are counted, and others go on.
    mutating func received(
        _ frame: ReceiptsFrame,
        in conversation: inout Conversation,
        _ source: ReceiptLink,
        _ members: MemberTable,
        _ step: inout Step,
        _ crypto: some Cryptography
    ) {
        guard let origin = conversation.origins[frame.origin] else { return }
        guard conversation.isOwn(frame.origin) else {
            // Whoever sends receipts up to this node is no way to the author.
            if origin.source == source.link { conversation.origins[frame.origin]?.source = nil }
            return receipts[conversation.number]
                .pass(frame.receipts, of: frame.origin, origin.arrivals, from: source, at: step.now)
        }
        receipts.take(
            frame.receipts,
            of: frame.origin,
            in: conversation,
            members,
            into: &step,
            using: crypto
        )
    }

    /// The latest envelopes of an origin came on another link than those before.
    mutating func moved(
        _ origin: OriginID,
        to link: LinkID,
        in number: UInt32,
        _ links: LinkTable,
        at now: Moment
    ) {
        guard let index = links.all.index(of: link) else { return }
        receipts[number].moved(origin, to: link, of: links[index].device, at: now)
    }

    /// A message was merged and will be on disk with the next commit.
    mutating func merged(
        _ arrival: Arrival,
        _ report: MergeReport,
        in conversation: inout Conversation,
        _ links: LinkTable,
        _ commits: Commits,
        _ now: Moment,
        _ crypto: some Cryptography
    ) {
        let origin = arrival.head.dot.origin
        guard !conversation.isOwn(origin) else { return }
        if let link = arrival.source, conversation.origins.came(origin, on: link) {
            moved(origin, to: link, in: conversation.number, links, at: now)
        }
        guard conversation.keys.canRead else { return }
        let number = conversation.number
        receipts[number].merged(arrival, with: commits.next, at: now)
        if report.isFirstOfOrigin, let record = conversation.origins[origin]?.record {
            receipts[number].book.met(record, in: conversation, using: crypto)
        }
    }

    // MARK: Links

    /// A peer has more of our feed on disk: reports deliveries to the requests that wait for them.
    mutating func audienceGrew(
        _ replication: ReplicationIndex,
        of conversation: inout Conversation,
        _ links: LinkTable,
        _ step: inout Step
    ) {
        let stored = links[replication].storedByPeer
        conversation.storedElsewhere(upTo: stored)
        let (number, device) = (conversation.number, links[replication.link].device)
        step.effects.deliveries +=
            audience.stored(number, upTo: stored, by: device, at: step.now)
    }

    /// A peer has asked for our feed: it may be sent receipts.
    mutating func began(
        _ replication: ReplicationIndex,
        of conversation: inout Conversation,
        _ links: LinkTable,
        _ commits: Commits,
        _ blobs: BlobExchange,
        _ step: inout Step
    ) {
        audienceGrew(replication, of: &conversation, links, &step)
        linked(replication, in: conversation, links, commits, blobs, at: step.now)
    }

    private mutating func linked(
        _ replication: ReplicationIndex,
        in conversation: Conversation,
        _ links: LinkTable,
        _ commits: Commits,
        _ blobs: BlobExchange,
        at now: Moment
    ) {
        let link = links[replication.link]
        receipts[conversation.number]
            .linked(
                ReceiptLink(link: link.id, device: link.device),
                in: conversation,
                committed: commits.committed,
                at: now,
                isStored: blobs.isStored
            )
    }

    /// A silent link answers again.
    mutating func resumed(
        _ index: Int,
        _ links: LinkTable,
        _ conversations: ConversationTable,
        at now: Moment
    ) {
        let link = ReceiptLink(link: links[index].id, device: links[index].device)
        for replication in links[index].replications {
            let number = replication.conversation
            guard let conversation = conversations.index(of: number) else { continue }
            receipts[number].resumed(link, in: conversations[conversation], at: now)
        }
    }

    /// A link ended: what went there is sent again on another link to the device, if there is one,
    /// and elsewhere if it may be lost.
    mutating func linkClosed(
        _ link: Link,
        _ links: LinkTable,
        _ conversations: ConversationTable,
        _ commits: Commits,
        _ blobs: BlobExchange,
        at now: Moment
    ) {
        let end = link.cause?.reason == .spare ? now : link.liveness.lastHeard
        receipts.linkClosed(link.id, workedUntil: end, at: now)
        for index in links.indices where links[index].device == link.device {
            for number in links[index].conversations {
                guard let replication = links.all.replication(of: number, on: index),
                    links[replication].hasBegun, let index = conversations.index(of: number)
                else { continue }
                linked(replication, in: conversations[index], links, commits, blobs, at: now)
            }
        }
    }

    // MARK: Sending

    /// Asks peers that have messages whether the blobs of these are there, too.
    mutating func askAudience(
        _ links: inout LinkTable,
        _ conversations: ConversationTable,
        at now: Moment
    ) {
        let asks = audience.asks(
            at: now,
            isLinked: { device in links.contains { $0.device == device } },
            isListed: { blob, number in
                conversations.index(of: number).map { conversations[$0].lists(blob) } ?? false
            },
            link: { links.all.link(toAuthor: $0, of: $1) }
        )
        links.all.ask(asks, at: now)
    }

    /// Reports what is on disk by now, and sends the receipts that are due.
    mutating func sendReceipts(
        _ links: inout LinkTable,
        _ conversations: ConversationTable,
        _ commits: Commits,
        _ blobs: BlobExchange,
        _ members: MemberTable,
        _ step: inout Step,
        _ crypto: some Cryptography
    ) {
        for number in receipts.active {
            guard let index = conversations.index(of: number),
                receipts.isDue(in: conversations[index], commits, at: step.now)
            else { continue }
            let conversation = conversations[index]
            let others = receipts[number].keysChanged(to: conversation.keys, at: step.now)
            for kept in others + receipts[number].book.takeOpenable() {
                receipts.take(
                    [kept.receipt],
                    of: kept.origin,
                    in: conversation,
                    members,
                    into: &step,
                    using: crypto
                )
            }
            receipts[number]
                .ripen(in: conversation, commits, at: step.now, isStored: blobs.isStored)
            let due = receipts[number]
                .takeDue(
                    in: conversation,
                    on: links.all.receiptLinks(of: number),
                    isPushed: { links.all.isPushed($0, of: number, on: $1) },
                    at: step.now,
                    using: crypto
                )
            for part in due {
                links.all.send(part.receipts, of: part.origin, in: number, on: part.link)
            }
            let write = receipts[number].reserve(in: conversation, commits)
            if let write { step.writes.append(write) }
        }
        receipts.rest()
    }
}

extension BlobExchange {
    /// Whether a blob is complete on disk.
    fileprivate func isStored(_ blob: BlobID) -> Bool {
        isComplete(blob) && !isOnItsWayToDisk(blob)
    }
}

extension LinkList {
    /// The live links on which receipts of a conversation may be sent, ascending.
    fileprivate func receiptLinks(of number: UInt32) -> [ReceiptLink] {
        indices.compactMap { index in
            guard self[index].isLive, let replication = replication(of: number, on: index),
                self[replication].hasBegun
            else { return nil }
            return ReceiptLink(link: self[index].id, device: self[index].device)
        }
    }

    /// Whether envelopes of an origin are pushed on a link.
    fileprivate func isPushed(_ origin: OriginID, of number: UInt32, on link: LinkID) -> Bool {
        guard let index = index(of: link), let replication = replication(of: number, on: index)
        else { return false }
        return !self[replication].outgoing.pruned.contains(origin)
    }

    fileprivate mutating func send(
        _ receipts: [Receipt],
        of origin: OriginID,
        in number: UInt32,
        on link: LinkID
    ) {
        guard let index = index(of: link), let replication = replication(of: number, on: index)
        else { return }
        let frame = ReceiptsFrame(
            conversation: self[replication].ownNumber,
            origin: origin,
            receipts: receipts
        )
        self[index].outbox.append(.receipts(frame))
    }
}
