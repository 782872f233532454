import ParleyCore

/// A running hash of the history of a world: cheap, and not cryptographic.
package struct TraceHash: Hashable, Sendable, CustomStringConvertible {
    package private(set) var value: UInt64 = 0x9e37_79b9_7f4a_7c15

    package init() {}

    /// 16 hexadecimal digits.
    package var description: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    package mutating func add(_ word: UInt64) {
        let mixed = (value ^ word) &* 0xff51_afd7_ed55_8ccd
        value = mixed << 29 | mixed >> 35
    }

    package mutating func add(_ number: Int) { add(UInt64(bitPattern: Int64(number))) }

    package mutating func add(_ bytes: RawSpan) {
        add(bytes.byteCount)
        var offset = 0
        while offset + 8 <= bytes.byteCount {
            add(bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian)
            offset += 8
        }
        while offset < bytes.byteCount {
            add(UInt64(bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)))
            offset += 1
        }
    }

    package mutating func add(_ text: String) {
        var copy = text
        copy.withUTF8 { bytes in for byte in bytes { add(UInt64(byte)) } }
        add(text.utf8.count)
    }

    mutating func add(_ dot: Dot) {
        add(dot.origin.value.words.0)
        add(dot.sequence)
    }

    /// Adds the effects of a machine.
    mutating func add(_ effects: Effects, of node: Int, at now: Moment) {
        add(node)
        add(UInt64(bitPattern: now.nanoseconds))
        if let persist = effects.persist {
            add(persist.ticket.value)
            for write in persist.writes { add(write) }
        }
        for send in effects.sends {
            add(send.link.value)
            add(send.bytes.span.bytes)
        }
        for link in effects.drains { add(link.value) }
        for link in effects.receipts { add(link.value) }
        for delivery in effects.deliveries { add(delivery) }
        for close in effects.closes { add(close.link.value) }
        for read in effects.reads { add(read) }
        for dial in effects.dials {
            add(dial.id.value)
            add(dial.address)
        }
        add(UInt64(bitPattern: effects.timer?.nanoseconds ?? -1))
    }

    private mutating func add(_ write: StoreWrite) {
        switch write {
        case .device(let device): add(device.value.words.0)
        case .epoch(let epoch): add(epoch.value)
        case .conversation(let record): add(UInt64(record.number))
        case .conversationLeft(let number): add(UInt64(number) ^ 1 << 40)
        case .sequencesReserved(_, let end): add(end)
        case .incarnationStarted(_, let run): add(run.id)
        case .incarnationsForgotten(let number): add(UInt64(number) ^ 1 << 41)
        case .origin(_, let id, _): add(id.value.words.0)
        case .seat(_, let seat, let guest):
            add(UInt64(seat.value))
            add(guest?.name ?? "")
        case .member(_, let name, let record):
            if case .invite(let number) = name { add(UInt64(number)) }
            (record ?? .empty).withBytes { add($0) }
        case .session(let row):
            add(row.position)
            for head in row.heads { add(head.dot) }
            row.lines.withBytes { add($0) }
            if let match = row.match { add(match.span.bytes) }
        case .cursor(_, _, let cursor): add(cursor.position)
        case .blobChunk(let id, let index, _, _):
            add(id.value.words.0)
            add(index)
        case .blobCompleted(let id): add(id.value.words.1)
        case .blobDropped(let id): add(id.value.words.2)
        case .blobChunksDropped(let id, let chunks):
            add(id.value.words.3)
            for chunk in chunks { add(chunk) }
        case .address(_, let text): add(text)
        case .deviceName(let device, let name):
            add(device.value.words.0)
            add(name)
        }
    }

    private mutating func add(_ delivery: Delivery) {
        switch delivery {
        case .answer(let request, let answer):
            add(request.value)
            if case .stored(let message) = answer { add(message.dot) } else { add(1) }
        case .linked(let request, let nodes), .delivered(let request, let nodes):
            add(request.value)
            add(nodes)
        case .shown(let shown): add(shown.dot)
        case .conflict(let conflict): for dot in conflict.heads { add(dot) }
        case .outOfTurn(_, _, let dot, _): add(dot)
        case .equivocation(_, _, let dot): add(dot)
        case .headDropped(_, _, let dot): add(dot)
        case .full(let number, _): add(UInt64(number))
        case .blobArrived(_, let id): add(id.value.words.0)
        case .blobDamaged(_, let id, let chunks):
            add(id.value.words.1)
            add(chunks)
        case .signal(let notice): add(notice.dot)
        case .link(let notice): add(notice.link.value)
        case .pairing(let notice): add(notice.hint)
        case .shared(_, let device): add(device.hint)
        case .knocked(let notice): add(notice.door.device.hint)
        case .letIn(_, let device, _): add(device.hint)
        case .admissions(let number): add(UInt64(number))
        case .rotated(let request, let result):
            add(request.value)
            add((try? result.get()) ?? -1)
        case .generation(let notice): add(UInt64(notice.number))
        case .refused(let link, _, _, _): add(link.value)
        case .duplicateIdentity(let device, _): add(device.value.words.0)
        case .divergence(_, _, let buckets): add(buckets)
        case .damaged(let row, _): add(UInt64(bitPattern: row))
        }
    }

    private mutating func add(_ read: StoreRead) {
        switch read {
        case .session(let row): add(UInt64(bitPattern: row))
        case .blobChunk(let chunk): add(chunk.index)
        case .blob(let id): add(id.value.words.0)
        }
    }
}
