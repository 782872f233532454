package import ParleyCore

/// A fault of a process, the network, a disk or a clock; where it is impossible it has no effect.
///
/// A fault with a length ends by itself; overlapping faults do not disturb each other.
package enum Fault: Sendable, Equatable {
    // MARK: Processes

    /// A process crashes and starts again after `down`; with `power` its machine loses power, so
    /// that no peer is told.
    case crash(node: Int, power: Bool, down: Interval)
    /// A process crashes between two effects, after this many further effects.
    case crashAfter(node: Int, steps: Int, down: Interval)
    /// A process shuts down properly and starts again.
    case restart(node: Int, down: Interval)
    /// A process is suspended; with `sleep` its machine sleeps, and the process is told when it
    /// wakes.
    case pause(node: Int, sleep: Bool, for: Interval)
    /// A process does not read from its connections.
    case deaf(node: Int, for: Interval)

    // MARK: Network

    /// Nothing passes from some nodes to others, or in neither direction.
    case cut(from: [Int], to: [Int], bothWays: Bool, for: Interval)
    /// Bytes from some nodes to others are delayed by this many microseconds.
    case slow(from: [Int], to: [Int], microseconds: Int64, for: Interval)
    /// The connections between two nodes break.
    case reset(Int, Int)
    /// A node is told that its addresses or interfaces changed.
    case networkChange(node: Int)

    // MARK: Disks

    /// Commits fail after this many further commits.
    case disk(node: Int, DiskFailure, after: Int, for: Interval)
    /// Commits do not finish.
    case diskStall(node: Int, for: Interval)
    /// A process crashes, and the session that `pick` selects vanishes from its disk.
    case lostRow(node: Int, pick: UInt64)
    /// A process crashes, and the row of the session that `pick` selects cannot be decoded any
    /// more.
    case damagedRow(node: Int, pick: UInt64)
    /// A bit of a stored blob changes while the process runs or is down.
    case damagedBlob(node: Int, pick: UInt64)
    /// The data directory is copied, for a later `restore`.
    case backup(node: Int)
    /// The process crashes and starts with the backup of its data directory; `inPlace`: at the same
    /// location, so that the store does not notice, as with a snapshot of a virtual machine.
    case restore(node: Int, inPlace: Bool)
    /// The data directory is copied to another machine, and a process starts there; `inPlace`: the
    /// store does not notice that it was copied.
    case clone(node: Int, inPlace: Bool)

    // MARK: Clocks

    /// The wall clock jumps.
    case wallClock(node: Int, milliseconds: Int64)
    /// The monotonic clock advances by `rate` while the clock of the world advances by 1,000.
    case clockRate(node: Int, rate: Int64)
}

/// The failure of a commit.
package enum DiskFailure: Sendable, Equatable {
    /// The disk is full: nothing is written.
    case full
    /// An I/O error: whether the data was written is in doubt.
    case error
}

/// The kinds of faults, for counting them.
package enum FaultKind: Int, CaseIterable, Sendable {
    case crash, powerLoss, crashBetweenEffects, restart, pause, sleep, deaf
    case partition, oneWayCut, slowness, reset, streamBreak, dialFailure, halfDial, networkChange
    case diskFull, diskError, diskStall, lostRow, damagedRow, damagedBlob
    case backup, restore, clone, wallClock, clockRate, byzantineAct

    /// The kind in words, for people.
    package var words: String {
        var words = ""
        for letter in "\(self)" {
            words += letter.isUppercase ? " " + letter.lowercased() : String(letter)
        }
        return words
    }
}

extension Fault {
    /// The node that has the fault; nil if it is between nodes.
    var node: Int? {
        switch self {
        case .crash(let node, _, _), .crashAfter(let node, _, _), .restart(let node, _),
            .pause(let node, _, _), .deaf(let node, _), .networkChange(let node),
            .disk(let node, _, _, _), .diskStall(let node, _), .lostRow(let node, _),
            .damagedRow(let node, _), .damagedBlob(let node, _), .backup(let node),
            .restore(let node, _), .clone(let node, _), .wallClock(let node, _),
            .clockRate(let node, _):
            node
        case .cut, .slow, .reset: nil
        }
    }

    package var kind: FaultKind {
        switch self {
        case .crash(_, let power, _): power ? .powerLoss : .crash
        case .crashAfter: .crashBetweenEffects
        case .restart: .restart
        case .pause(_, let sleep, _): sleep ? .sleep : .pause
        case .deaf: .deaf
        case .cut(_, _, let bothWays, _): bothWays ? .partition : .oneWayCut
        case .slow: .slowness
        case .reset: .reset
        case .networkChange: .networkChange
        case .disk(_, .full, _, _): .diskFull
        case .disk(_, .error, _, _): .diskError
        case .diskStall: .diskStall
        case .lostRow: .lostRow
        case .damagedRow: .damagedRow
        case .damagedBlob: .damagedBlob
        case .backup: .backup
        case .restore: .restore
        case .clone: .clone
        case .wallClock: .wallClock
        case .clockRate: .clockRate
        }
    }
}

/// The number of faults of each kind.
package struct FaultCounts: Sendable, Equatable {
    private var counts: [Int]

    package init() { counts = Array(repeating: 0, count: FaultKind.allCases.count) }

    package subscript(kind: FaultKind) -> Int { counts[kind.rawValue] }

    package var total: Int { counts.reduce(0, +) }

    /// Counts faults of a kind.
    package mutating func add(_ kind: FaultKind, _ count: Int = 1) {
        counts[kind.rawValue] += count
    }

    package mutating func add(_ other: FaultCounts) {
        for kind in FaultKind.allCases { add(kind, other[kind]) }
    }
}
