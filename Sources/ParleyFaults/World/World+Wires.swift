import ParleyCore

/// The connections of the nodes through the network.
extension World {
    // MARK: Connecting

    func connect(_ node: Int, _ dial: Dial) {
        let failed = event(.give(.dialFailed(dial.id, Self.noAnswer)), at: node)
        guard let other = network.node(at: dial.address), network.canReach(node, other),
            !nodes[other].isDark
        else {
            // A cut drops the attempt silently.
            timeline.plan(failed, in: 1_000_000...1_000_000)
            return
        }
        guard nodes[other].isRunning else {
            timeline.plan(failed, in: settings.wireDelay)
            return
        }
        guard !nodes[other].isPaused else {
            // The kernel accepts, but the suspended process never completes the handshake.
            timeline.plan(failed, in: 5_000_000...5_000_000)
            return
        }
        if settings.dialFailuresPer100 > 0,
            timeline.random.chance(settings.dialFailuresPer100, in: 100)
        {
            faultCounts.add(.dialFailure)
            timeline.plan(failed, in: settings.wireDelay)
            return
        }
        // Both ends get the next numbers, the accepting one the later of the two.
        let link = nodes[other].sockets.link(node == other ? 2 : 1)
        guard admit(link, from: node, at: other) else {
            timeline.plan(failed, in: settings.wireDelay)
            return
        }
        guard settings.halfDialsPer100 > 0,
            timeline.random.chance(settings.halfDialsPer100, in: 100)
        else {
            open(from: node, to: other, dial: dial, sides: [1, 0])
            return
        }
        faultCounts.add(.halfDial)
        let wire = open(from: node, to: other, dial: dial, sides: [1])
        timeline.plan(failed, in: 5_000_000...5_000_000)
        timeline.plan(.reset(wire: wire), in: 5_000_000...5_000_000)
    }

    static let noAnswer = "nobody answers"

    /// Opens a connection; the accepting side is told first, as after a TLS 1.3 handshake.
    @discardableResult
    func open(from dialler: Int, to other: Int, dial: Dial, sides: [Int]) -> Int {
        let exporter = Bytes32(
            timeline.random.next(),
            timeline.random.next(),
            timeline.random.next(),
            timeline.random.next()
        )
        let ends = [dialler, other].map { node in
            let link = nodes[node].sockets.nextLink()
            return Wire.End(node: node, process: nodes[node].process, link: link)
        }
        let wire = network.open(ends)
        for side in sides { nodes[ends[side].node].sockets.open(ends[side].link, on: wire) }
        for side in sides {
            let opened = OpenedLink(
                id: ends[side].link,
                dial: side == 0 ? dial.id : nil,
                peerKey: nodes[ends[1 - side].node].crypto.devicePublicKey,
                exporter: exporter,
                address: side == 0 ? dial.address : "from-\(nodes[dialler].name)"
            )
            guard isLive(ends[side]) else { continue }
            input(.linkOpened(opened), to: ends[side].node)
        }
        return wire
    }

    // MARK: Bytes

    func send(_ send: LinkSend, from node: Int) {
        guard let number = nodes[node].sockets.wires[send.link], let wire = network.wires[number]
        else {
            for intruder in intruders { intruder.heard(send, from: node, in: self) }
            return
        }
        let lane = wire.lane(of: node, send.link)
        let send = nodes[node].speaksNewer ? send.withUnknownFrame(&timeline.random) : send
        let bytes = Slice(send.bytes)
        figures.bytesSent += bytes.count
        if settings.remembers { nodes[node].sockets.sent(bytes.count, on: send.link) }
        if settings.remembers || trace.isWriting,
            let error = trace.sent(send, on: wire, lane: lane, of: nodes, at: now),
            // Only Byzantine writers may send invalid frames; later bytes are not traced.
            !nodes[node].isByzantine
        {
            problems.append("\(nodes[node].name) sent what cannot be read: \(error)")
        }
        emit(.sent(from: node, to: wire.ends[1 - lane].node, link: send.link, bytes: bytes))
        network.send(bytes, on: wire, lane: lane, settings, &timeline)
    }

    /// The node asks to be told when the kernel has taken its bytes.
    func awaitDrain(of link: LinkID, from node: Int) {
        guard let number = nodes[node].sockets.wires[link], let wire = network.wires[number] else {
            return
        }
        let lane = wire.lane(of: node, link)
        wire.lanes[lane].isDraining = true
        guard wire.lanes[lane].isDrained(settings), nodes[node].sockets.wantDrains() else { return }
        timeline.plan(event(.drainAll, at: node), after: Interval(nanoseconds: 20_000))
    }

    /// Tells a node all connections whose bytes the kernel has taken.
    func drainAll(_ node: Int) {
        nodes[node].sockets.reportDrains()
        var drained: [LinkID] = []
        for (link, number) in nodes[node].sockets.wires {
            guard let wire = network.wires[number] else { continue }
            let lane = wire.lane(of: node, link)
            guard wire.lanes[lane].takeDrain(settings) else { continue }
            if settings.remembers { nodes[node].sockets.drained(link) }
            drained.append(link)
        }
        guard !drained.isEmpty else { return }
        gather(drained.sorted().map { .drained($0) }, to: node)
    }

    /// Tells a node if the other machine has not acknowledged what it sent.
    ///
    /// The kernel of a machine whose process is suspended, or does not read, acknowledges it. On a
    /// slow path, the shell knows that acknowledgements take as long.
    func checkReceipt(of link: LinkID, from node: Int) {
        guard let number = nodes[node].sockets.wires[link], let wire = network.wires[number] else {
            return
        }
        let lane = wire.lane(of: node, link)
        guard wire.lanes[lane].bytes > 0, wire.isDead || network.isStalled(wire, lane: lane) else {
            return
        }
        timeline.plan(event(.give(.unacknowledged(link)), at: node), in: 20...20)
    }

    /// Closes one end; the other end is told after all bytes sent before.
    func closeEnd(_ link: LinkID, of node: Int, _ reason: String) {
        guard let number = nodes[node].sockets.close(link, at: now),
            let wire = network.wires[number]
        else { return }
        let lane = wire.lane(of: node, link)
        network.send(.end(reason), on: wire, lane: lane, settings, &timeline)
    }

    func arrive(_ number: Int, _ lane: Int) {
        guard let wire = network.wires[number] else { return }
        let receiver = wire.ends[1 - lane]
        guard !network.isStalled(wire, lane: lane), nodes[receiver.node].sockets.isReading,
            !nodes[receiver.node].isPaused
        else {
            wire.lanes[lane].held += 1
            return
        }
        if wire.isDead {
            // A machine without power does not answer; after its start it resets unknown
            // connections.
            guard nodes[receiver.node].isRunning else { return }
            return reset(number)
        }
        guard let item = wire.lanes[lane].take(by: now) else { return }
        guard case .bytes(let bytes) = item else {
            _ = network.remove(number, settings, at: now)
            return lose(receiver, "the peer closed it")
        }
        arrive(bytes, wire: wire, lane)
    }

    private func arrive(_ bytes: Slice, wire: Wire, _ lane: Int) {
        let receiver = wire.ends[1 - lane]
        let arrival = wire.read(bytes, lane: lane, settings, &timeline)
        if isLive(receiver),
            nodes[receiver.node].sockets.wires[receiver.link] == wire.number
        {
            gather(arrival.pieces.map { .received(receiver.link, $0) }, to: receiver.node)
        }
        if arrival.breaks {
            faultCounts.add(.streamBreak)
            return reset(wire.number)
        }
        // Acknowledgements need a path back.
        if !network.isStalled(wire, lane: 1 - lane) { drain(wire.number, lane) }
    }

    /// Tells the sender that its kernel takes more bytes.
    func drain(_ number: Int, _ lane: Int) {
        guard let wire = network.wires[number] else { return }
        let sender = wire.ends[lane]
        guard isLive(sender), nodes[sender.node].sockets.wires[sender.link] == number,
            wire.lanes[lane].takeDrain(settings)
        else { return }
        if settings.remembers { nodes[sender.node].sockets.drained(sender.link) }
        gather([.drained(sender.link)], to: sender.node)
    }

    private func lose(_ end: Wire.End, _ reason: String) {
        guard isLive(end), nodes[end.node].sockets.wires[end.link] != nil else {
            return
        }
        _ = nodes[end.node].sockets.close(end.link, at: now)
        give(.linkClosed(end.link, reason), to: end.node)
    }

    /// Lets arrivals that were held back happen.
    func release(_ number: Int) { network.release(number, settings, &timeline) }

    /// Breaks a connection for both sides; the bytes in flight are lost.
    func reset(_ number: Int) {
        guard let wire = network.remove(number, settings, at: now) else { return }
        for end in wire.ends { lose(end, "connection reset") }
    }
}

extension LinkSend {
    /// Appends an unknown frame in some cases, as a later version may; sends end between frames.
    fileprivate func withUnknownFrame(_ random: inout SeededRandom) -> LinkSend {
        guard random.chance(1, in: 6) else { return self }
        var bytes = bytes
        let body = random.bytes(Int.random(in: 0...60, using: &random))
        let type = UInt8(Int.random(in: 60...120, using: &random) * 2)
        FrameHeader(length: body.count, type: type).append(to: &bytes)
        return LinkSend(link: link, bytes: bytes + body)
    }
}
