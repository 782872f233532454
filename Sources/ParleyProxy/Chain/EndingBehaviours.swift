/// Holds back the end of the stream.
struct SlowCloseBehaviour: ToxicBehaviour {
    private var delay: Int64 = 0

    mutating func change(to toxic: Toxic, at now: ProxyTime) {
        delay = toxic.integer("delay")
    }

    mutating func take(_ item: StreamItem, at arrival: ProxyTime, into line: inout StageLine) {
        guard item == .end else { return line.add(item, arrival: arrival, due: arrival) }
        let due = arrival.after(milliseconds: max(0, delay))
        line.note(.delayed(due.nanoseconds - arrival.nanoseconds), at: line.seen)
        line.add(item, arrival: arrival, due: due)
    }
}

/// Drops all bytes, and closes the connection after a time, if that is not 0.
struct TimeoutBehaviour: ToxicBehaviour {
    private(set) var alarm: StageAlarm?

    var closesWhenRemoved: Bool { true }

    mutating func change(to toxic: Toxic, at now: ProxyTime) {
        let timeout = toxic.integer("timeout")
        alarm =
            timeout > 0 ? StageAlarm(due: now.after(milliseconds: timeout), mark: .close) : nil
    }

    mutating func take(_ item: StreamItem, at arrival: ProxyTime, into line: inout StageLine) {
        switch item {
        case .bytes(let parcel): line.note(.dropped(parcel.bytes.count), at: parcel.offset)
        case .end: line.add(.close, arrival: arrival, due: arrival)
        case .close, .reset: line.add(item, arrival: arrival, due: arrival)
        }
    }
}

/// Resets the connection some time after the first bytes or the end, which do not pass.
struct ResetPeerBehaviour: ToxicBehaviour {
    private var timeout: Int64 = 0
    private var begin: ProxyTime?

    var alarm: StageAlarm? {
        begin.map { StageAlarm(due: $0.after(milliseconds: timeout), mark: .reset) }
    }

    mutating func change(to toxic: Toxic, at now: ProxyTime) {
        timeout = max(0, toxic.integer("timeout"))
    }

    mutating func take(_ item: StreamItem, at arrival: ProxyTime, into line: inout StageLine) {
        if item == .close || item == .reset {
            line.add(item, arrival: arrival, due: arrival)
        } else {
            begin = begin ?? arrival
        }
    }
}

/// Passes so many bytes of a connection, and closes it after the last one.
struct LimitDataBehaviour: ToxicBehaviour {
    private var limit: Int64 = 0
    private var passed: Int64 = 0
    private var isOver = false

    mutating func change(to toxic: Toxic, at now: ProxyTime) {
        limit = max(0, toxic.integer("bytes"))
    }

    mutating func take(_ item: StreamItem, at arrival: ProxyTime, into line: inout StageLine) {
        guard case .bytes(var parcel) = item else {
            line.add(item, arrival: arrival, due: arrival)
            return
        }
        // Bytes after the limit are lost with the connection.
        guard !isOver else { return }
        let first = parcel.takeFirst(Int(max(0, min(limit - passed, Int64(parcel.bytes.count)))))
        passed += Int64(first.bytes.count)
        if !first.bytes.isEmpty { line.add(.bytes(first), arrival: arrival, due: arrival) }
        guard passed >= limit else { return }
        isOver = true
        line.note(.closed, at: first.end)
        line.add(.close, arrival: arrival, due: arrival)
    }
}

/// Closes the connection after a time, and passes everything until then.
struct LimitTimeBehaviour: ToxicBehaviour {
    private let begin: ProxyTime
    private(set) var alarm: StageAlarm?

    init(from begin: ProxyTime) {
        self.begin = begin
    }

    mutating func change(to toxic: Toxic, at now: ProxyTime) {
        let due = begin.after(milliseconds: max(0, toxic.integer("time")))
        alarm = StageAlarm(due: due, mark: .close)
    }

    mutating func take(_ item: StreamItem, at arrival: ProxyTime, into line: inout StageLine) {
        line.add(item, arrival: arrival, due: arrival)
    }
}

/// Swallows everything, also the end: the receiver never learns of it.
struct HalfOpenBehaviour: ToxicBehaviour {
    /// Whether the stream has ended meanwhile.
    private(set) var closesWhenRemoved = false

    mutating func change(to toxic: Toxic, at now: ProxyTime) {}

    mutating func take(_ item: StreamItem, at arrival: ProxyTime, into line: inout StageLine) {
        if case .bytes(let parcel) = item {
            line.note(.dropped(parcel.bytes.count), at: parcel.offset)
        } else {
            closesWhenRemoved = true
        }
    }
}
