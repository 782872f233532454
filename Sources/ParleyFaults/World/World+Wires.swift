import ParleyCore

/// The network of TCP streams: bytes of a stream are neither lost nor reordered, but a stream may
/// stall, slow down, break at any byte, or open on one side only.
extension World {
    // MARK: Connecting

    func connect(_ node: Int, _ process: Int, _ dial: Dial) {
        guard isLive(node, process) else { return }
        let failed = Event.give(node: node, process: process, .dialFailed(dial.id, Self.noAnswer))
        guard let other = addressees[dial.address], canReach(node, other), !nodes[other].isDark
        else {
            // A cut drops the attempt silently.
            schedule(failed, in: 1_000_000...1_000_000)
            return
        }
        guard nodes[other].isRunning else {
            schedule(failed, in: settings.wireDelay)
            return
        }
        guard !nodes[other].isPaused else {
            // The kernel accepts, but the suspended process never completes the handshake.
            schedule(failed, in: 5_000_000...5_000_000)
            return
        }
        if settings.dialFailuresPer100 > 0, random.chance(settings.dialFailuresPer100, in: 100) {
            faultCounts.add(.dialFailure)
            schedule(failed, in: settings.wireDelay)
            return
        }
        // Both ends get the next numbers, the accepting one the later of the two.
        let link = nodes[other].sockets.link(node == other ? 2 : 1)
        guard admit(link, from: node, at: other) else {
            schedule(failed, in: settings.wireDelay)
            return
        }
        guard settings.halfDialsPer100 > 0, random.chance(settings.halfDialsPer100, in: 100) else {
            open(from: node, to: other, dial: dial, sides: [1, 0])
            return
        }
        faultCounts.add(.halfDial)
        let wire = open(from: node, to: other, dial: dial, sides: [1])
        schedule(failed, in: 5_000_000...5_000_000)
        schedule(.reset(wire: wire), in: 5_000_000...5_000_000)
    }

    static let noAnswer = "nobody answers"

    /// Opens a connection; the accepting side is told first, as after a TLS 1.3 handshake.
    @discardableResult
    func open(from dialler: Int, to other: Int, dial: Dial, sides: [Int]) -> Int {
        let exporter = Bytes32(random.next(), random.next(), random.next(), random.next())
        let wire = nextWire()
        let ends = [dialler, other].map { node in
            let link = nodes[node].sockets.nextLink()
            return Wire.End(node: node, process: nodes[node].process, link: link)
        }
        wires[wire] = Wire(ends: ends)
        for side in sides { nodes[ends[side].node].sockets.open(ends[side].link, on: wire) }
        for side in sides {
            let opened = OpenedLink(
                id: ends[side].link,
                dial: side == 0 ? dial.id : nil,
                peerKey: nodes[ends[1 - side].node].crypto.devicePublicKey,
                exporter: exporter,
                address: side == 0 ? dial.address : "from-\(nodes[dialler].name)"
            )
            guard isLive(ends[side].node, ends[side].process) else { continue }
            input(.linkOpened(opened), to: ends[side].node)
        }
        return wire
    }

    // MARK: Bytes

    func send(_ send: LinkSend, from node: Int) {
        guard let number = nodes[node].sockets.wires[send.link], let wire = wires[number] else {
            for intruder in intruders { intruder.heard(send, from: node, in: self) }
            return
        }
        let lane = wire.lane(of: node, send.link)
        let send = nodes[node].speaksNewer ? withUnknownFrame(send) : send
        let bytes = Slice(send.bytes)
        figures.bytesSent += bytes.count
        if settings.remembers { nodes[node].sockets.sent(bytes.count, on: send.link) }
        if settings.remembers || trace.isWriting { record(send, wire: wire, lane: lane) }
        emit(
            .sent(
                from: node,
                to: wire.ends[1 - lane].node,
                link: send.link,
                bytes: bytes
            )
        )
        put(bytes, wire: number, lane: lane)
    }

    /// Sends bytes; on a path with limited bandwidth they travel in pieces, like TCP segments.
    private func put(_ bytes: Slice, wire number: Int, lane: Int) {
        guard let wire = wires[number] else { return }
        let rate = bandwidth(from: wire.ends[lane].node, to: wire.ends[1 - lane].node)
        let size = rate > 0 ? max(Self.segmentBytes, rate / 50) : max(1, bytes.count)
        var start = 0
        while start < bytes.count {
            let end = min(start + size, bytes.count)
            put(.bytes(bytes[start..<end]), wire: number, lane: lane)
            start = end
        }
    }

    /// Arrivals within this time may be read together.
    private static let together = Interval.milliseconds(5)

    /// The payload of an Ethernet packet.
    private static let segmentBytes = 1_448

    /// The bandwidth of a path in bytes per second; 0: unlimited.
    private func bandwidth(from: Int, to: Int) -> Int {
        paths[from][to].rate > 0 ? paths[from][to].rate : settings.bandwidth
    }

    /// The node asks to be told when the kernel has taken its bytes.
    func awaitDrain(of link: LinkID, from node: Int) {
        guard let number = nodes[node].sockets.wires[link], let wire = wires[number] else { return }
        let lane = wire.lane(of: node, link)
        wire.lanes[lane].isDraining = true
        guard wire.lanes[lane].bytes <= settings.kernelBytes, nodes[node].sockets.wantDrains()
        else { return }
        let process = nodes[node].process
        queue.add(.drainAll(node: node, process: process), at: now + Interval(nanoseconds: 20_000))
    }

    /// Tells a node all connections whose bytes the kernel has taken.
    func drainAll(_ node: Int) {
        nodes[node].sockets.reportDrains()
        var drained: [LinkID] = []
        for (link, number) in nodes[node].sockets.wires {
            guard let wire = wires[number] else { continue }
            let lane = wire.lane(of: node, link)
            guard wire.lanes[lane].isDraining, wire.lanes[lane].bytes <= settings.kernelBytes
            else { continue }
            wire.lanes[lane].isDraining = false
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
        guard let number = nodes[node].sockets.wires[link], let wire = wires[number] else { return }
        let lane = wire.lane(of: node, link)
        guard wire.lanes[lane].bytes > 0, wire.isDead || isStalled(wire, lane: lane) else { return }
        schedule(
            .give(node: node, process: nodes[node].process, .unacknowledged(link)),
            in: 20...20
        )
    }

    /// Appends an unknown frame to some sends, as a later version may; sends end between frames.
    private func withUnknownFrame(_ send: LinkSend) -> LinkSend {
        guard random.chance(1, in: 6) else { return send }
        var bytes = send.bytes
        let body = random.bytes(Int.random(in: 0...60, using: &random))
        let type = UInt8(Int.random(in: 60...120, using: &random) * 2)
        FrameHeader(length: body.count, type: type).append(to: &bytes)
        return LinkSend(link: send.link, bytes: bytes + body)
    }

    /// Closes one end; the other end is told after all bytes sent before.
    func closeEnd(_ link: LinkID, of node: Int, _ reason: String) {
        guard let number = nodes[node].sockets.close(link, at: now), let wire = wires[number]
        else { return }
        put(.end(reason), wire: number, lane: wire.lane(of: node, link))
    }

    func put(_ item: Wire.Item, wire number: Int, lane: Int) {
        guard let wire = wires[number], !wire.lanes[lane].isClosed else { return }
        if case .end = item { wire.lanes[lane].isClosed = true }
        let (passed, arrival) = transfer(
            of: item,
            from: wire.ends[lane].node,
            to: wire.ends[1 - lane].node
        )
        let time = max(arrival, wire.lanes[lane].lastArrival)
        wire.lanes[lane].lastArrival = time
        wire.lanes[lane].add(item, passed: passed, arriving: time)
        queue.add(.arrive(wire: number, lane: lane), at: time)
    }

    /// When an item has passed the bandwidth of a path, and when it arrives after its delay.
    private func transfer(
        of item: Wire.Item,
        from: Int,
        to: Int
    ) -> (passed: Moment, arrival: Moment) {
        var delay = delay(settings.wireDelay, mean: settings.wireDelayMean)
        let path = paths[from][to]
        delay += path.slowness
        if path.jitter > 0 { delay += Int64.random(in: 0...path.jitter, using: &random) }
        if path.lossPer10000 > 0 { delay += retransmission(path.lossPer10000) }
        var start = now
        let bandwidth = bandwidth(from: from, to: to)
        if bandwidth > 0, case .bytes(let bytes) = item {
            start =
                max(start, paths[from][to].freeFrom)
                + WireLane.duration(of: bytes.count, bytesPerSecond: bandwidth)
            paths[from][to].freeFrom = start
        }
        return (start, start + Interval(nanoseconds: delay * 1_000))
    }

    /// The delay by losses: TCP retransmits after 200 ms and doubles the time at each loss.
    private func retransmission(_ lossPer10000: Int) -> Int64 {
        var delay: Int64 = 0
        var pause: Int64 = 200_000
        while pause < 4_000_000, random.chance(lossPer10000, in: 10_000) {
            delay += pause
            pause *= 2
        }
        return delay
    }

    /// A random delay in microseconds: uniform, or exponential above the lower end of `range`.
    ///
    /// The exponential delay is made of a number of halvings and a uniform rest, so that it does
    /// not depend on the logarithm of the machine; it is at most 40 times the mean.
    func delay(_ range: ClosedRange<Int64>, mean: Int64) -> Int64 {
        guard mean > 0 else { return Int64.random(in: range, using: &random) }
        let word = random.next()
        let halvings = Int64((word | 1 << 40).trailingZeroBitCount)
        let rest = Int64(random.next() >> 54)
        return range.lowerBound + mean * (halvings * 1_024 + rest) / 1_478
    }

    /// Whether a cut stops one direction of a wire.
    func isStalled(_ wire: Wire, lane: Int) -> Bool {
        paths[wire.ends[lane].node][wire.ends[1 - lane].node].isCut
    }

    func arrive(_ number: Int, _ lane: Int) {
        guard let wire = wires[number] else { return }
        let receiver = wire.ends[1 - lane]
        guard !isStalled(wire, lane: lane), nodes[receiver.node].sockets.isReading,
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
            end(number, at: receiver)
            return
        }
        arrive(bytes, wire: wire, number, lane)
    }

    private func arrive(_ whole: Slice, wire: Wire, _ number: Int, _ lane: Int) {
        var bytes = whole
        let receiver = wire.ends[1 - lane]
        let breaks =
            settings.breaksPer10000 > 0 && random.chance(settings.breaksPer10000, in: 10_000)
        if breaks {
            bytes = bytes[0..<Int.random(in: 0..<max(1, bytes.count), using: &random)]
        } else if settings.cutsBytes, bytes.count > 1, random.chance(1, in: 3) {
            let cut = Int.random(in: 1..<bytes.count, using: &random)
            wire.lanes[lane].putBack(bytes[cut..<bytes.count], arriving: now)
            bytes = bytes[0..<cut]
            queue.add(.arrive(wire: number, lane: lane), at: now)
        }
        var inputs: [NodeInput] = [.received(receiver.link, bytes)]
        while settings.cutsBytes, !breaks, random.chance(1, in: 3),
            let more = wire.lanes[lane].bytes(by: now + Self.together)
        {
            _ = wire.lanes[lane].take(by: now + Self.together)
            inputs.append(.received(receiver.link, more))
        }
        if isLive(receiver.node, receiver.process),
            nodes[receiver.node].sockets.wires[receiver.link] == number
        {
            gather(inputs, to: receiver.node)
        }
        if breaks {
            faultCounts.add(.streamBreak)
            return reset(number)
        }
        // Acknowledgements need a path back.
        guard !isStalled(wire, lane: 1 - lane), wire.lanes[lane].bytes <= settings.kernelBytes
        else { return }
        drain(number, lane)
    }

    /// Tells the sender that its kernel takes more bytes.
    func drain(_ number: Int, _ lane: Int) {
        guard let wire = wires[number], wire.lanes[lane].isDraining,
            wire.lanes[lane].bytes <= settings.kernelBytes
        else { return }
        let sender = wire.ends[lane]
        guard isLive(sender.node, sender.process),
            nodes[sender.node].sockets.wires[sender.link] == number
        else { return }
        wire.lanes[lane].isDraining = false
        if settings.remembers { nodes[sender.node].sockets.drained(sender.link) }
        gather([.drained(sender.link)], to: sender.node)
    }

    private func end(_ number: Int, at receiver: Wire.End) {
        remove(number)
        lose(receiver, "the peer closed it")
    }

    /// Drops a connection with all bytes in flight.
    ///
    /// A path with limited bandwidth becomes free earlier, by the time for which the dropped bytes
    /// would still have occupied it.
    @discardableResult
    private func remove(_ number: Int) -> Wire? {
        guard let wire = wires.removeValue(forKey: number) else { return nil }
        for lane in 0...1 where wire.lanes[lane].bytes > 0 {
            let (from, to) = (wire.ends[lane].node, wire.ends[1 - lane].node)
            let rate = bandwidth(from: from, to: to)
            guard rate > 0 else { continue }
            let saved = wire.lanes[lane].remainder(after: now, bytesPerSecond: rate)
            let sooner = paths[from][to].freeFrom + Interval(nanoseconds: -saved.nanoseconds)
            paths[from][to].freeFrom = max(now, sooner)
        }
        return wire
    }

    private func lose(_ end: Wire.End, _ reason: String) {
        guard isLive(end.node, end.process), nodes[end.node].sockets.wires[end.link] != nil else {
            return
        }
        _ = nodes[end.node].sockets.close(end.link, at: now)
        give(.linkClosed(end.link, reason), to: end.node)
    }

    /// Breaks a connection for both sides; the bytes in flight are lost.
    func reset(_ number: Int) {
        guard let wire = remove(number) else { return }
        for end in wire.ends { lose(end, "connection reset") }
    }

    /// Lets arrivals that were held back happen.
    func release(_ number: Int) {
        guard let wire = wires[number] else { return }
        for lane in 0...1 where !isStalled(wire, lane: lane) {
            let held = wire.lanes[lane].held
            wire.lanes[lane].held = 0
            for _ in 0..<held {
                schedule(.arrive(wire: number, lane: lane), in: settings.wireDelay)
            }
            let opposite = 1 - lane
            if wire.lanes[opposite].isDraining,
                wire.lanes[opposite].bytes <= settings.kernelBytes, wire.lanes[opposite].isEmpty
            {
                schedule(.drain(wire: number, lane: opposite), in: settings.wireDelay)
            }
        }
    }
}
