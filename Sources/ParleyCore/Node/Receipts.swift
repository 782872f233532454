/// Makes, passes on and counts receipts.
extension NodeMachine {
    /// Receipts arrived: those for messages of this node are counted, and others go on.
    mutating func received(_ frame: ReceiptsFrame, in index: Int, on link: Int) {
        guard conversations[index].origins[frame.origin] != nil else { return }
        let number = conversations[index].number
        guard conversations[index].isOwn(frame.origin) else {
            let source = links[link].id
            author.receipts[number]
                .pass(frame.receipts, of: frame.origin, from: source, at: step.now)
            return
        }
        let taken = author.receipts.take(frame, in: conversations[index], using: crypto)
        step.writes += taken.writes
        step.effects.deliveries += taken.deliveries
    }

    /// Merges the next envelopes of a batch frame, as far as that is usual.
    mutating func mergeRun(
        of envelopes: inout FrameEnvelopes,
        _ shared: (replication: LinkTable.ReplicationIndex, conversation: Int)
    ) {
        guard let origin = links.run(&envelopes, shared, &conversations, commits, crypto, &step)
        else { return }
        let link = links[shared.replication.link]
        author.receipts[conversations[shared.conversation].number]
            .came(origin, on: link.id, from: link.device, at: step.now)
    }

    /// A message was merged and will be on disk with the next commit.
    mutating func receiptsFollow(_ arrival: Arrival, in index: Int) {
        let number = conversations[index].number
        guard let source = arrival.source else { return }
        guard !conversations[index].isOwn(arrival.head.dot.origin) else { return }
        if let link = links.index(of: source) {
            let device = links[link].device
            author.receipts[number]
                .came(arrival.head.dot.origin, on: source, from: device, at: step.now)
        }
        guard conversations[index].keys.canRead else { return }
        author.receipts[number].merged(arrival, with: commits.next, at: step.now)
    }

    /// Reports what is on disk by now, and sends the receipts that are due.
    mutating func sendReceipts() {
        for number in author.receipts.numbers {
            guard let index = conversations.index(of: number) else { continue }
            let write = author.receipts[number]
                .ripen(in: conversations[index], commits, at: step.now, isStored: isStored)
            if let write { step.writes.append(write) }
            guard let next = author.receipts[number].deadline, next <= step.now else { continue }
            let due = author.receipts[number]
                .takeDue(
                    in: conversations[index],
                    on: links.receiptLinks(of: number),
                    isPushed: { links.isPushed($0, of: number, on: $1) },
                    at: step.now,
                    using: crypto
                )
            for part in due {
                links.send(part.receipts, of: part.origin, in: number, on: part.link)
            }
        }
    }

    /// The devices of readers and writers that are known to have a message of this node.
    package func deviceCount(of dot: Dot, in conversation: UInt32) -> Int {
        author.receipts.count(of: dot, in: conversation)
    }

    /// All devices that are to have the messages of a conversation, besides this one.
    package func everybody(in number: UInt32) -> Set<DeviceID> {
        guard let index = conversations.index(of: number) else { return [] }
        let proven = author.receipts.provenReaders(of: number)
        let all = Everybody.devices(
            of: conversations[index],
            proven: proven,
            admissions: members[number].all
        )
        guard !conversations[index].generations.arePlain else { return all }
        return all.intersection(members.list(conversations[index], crypto).map(\.device))
    }

    /// A peer has more of our feed on disk: reports deliveries to the requests that wait for them.
    mutating func audienceGrew(_ replication: LinkTable.ReplicationIndex, of conversation: Int) {
        let stored = links[replication].storedByPeer
        conversations[conversation].storedElsewhere(upTo: stored)
        let number = links[replication].conversation
        let device = links[replication.link].device
        step.effects.deliveries +=
            author.audience.stored(number, upTo: stored, by: device, at: step.now)
    }

    /// A link ended: what went there is sent again on another link to the device, if there is one.
    mutating func receiptsLost(with link: Link) {
        author.receipts.linkClosed(link.id)
        for index in links.indices where links[index].device == link.device {
            for number in links[index].conversations {
                guard let replication = links.replication(of: number, on: index),
                    links[replication].hasBegun, let conversation = conversations.index(of: number)
                else { continue }
                receiptsBegin(on: replication, of: conversation)
            }
        }
    }

    /// A peer has asked for our feed: it may be sent receipts.
    mutating func audienceBegan(_ replication: LinkTable.ReplicationIndex, of conversation: Int) {
        audienceGrew(replication, of: conversation)
        receiptsBegin(on: replication, of: conversation)
    }

    private mutating func receiptsBegin(
        on replication: LinkTable.ReplicationIndex,
        of conversation: Int
    ) {
        let link = links[replication.link]
        author.receipts[conversations[conversation].number]
            .linked(
                ReceiptLink(link: link.id, device: link.device),
                in: conversations[conversation],
                committed: commits.committed,
                at: step.now,
                isStored: isStored
            )
    }

    /// Whether a blob is complete on disk.
    private func isStored(_ blob: BlobID) -> Bool {
        blobs.isComplete(blob) && !blobs.isOnItsWayToDisk(blob)
    }
}

extension LinkTable {
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
