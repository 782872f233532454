package import ParleyCore

/// Something that goes wrong in a world; what it does where it makes no sense is nothing.
///
/// A fault with a length ends by itself; two that overlap do not disturb each other.
package enum Fault: Sendable, Equatable {
    // MARK: Processes

    /// A process ends without a word and starts again after `down`; with `power` its machine goes
    /// with it, so that nobody hears of it.
    case crash(node: Int, power: Bool, down: Interval)
    /// As `crash`, between two effects, after so many more of the node's.
    case crashAfter(node: Int, steps: Int, down: Interval)
    /// A process stops in an orderly way and starts again.
    case restart(node: Int, down: Interval)
    /// A process stands still; with `sleep` its machine sleeps, and it is told so when it wakes.
    case pause(node: Int, sleep: Bool, for: Interval)
    /// A process takes nothing from its connections.
    case deaf(node: Int, for: Interval)

    // MARK: Network

    /// Nothing passes from some nodes to others, or neither way.
    case cut(from: [Int], to: [Int], bothWays: Bool, for: Interval)
    /// Bytes from some nodes to others need longer, by so many microseconds.
    case slow(from: [Int], to: [Int], microseconds: Int64, for: Interval)
    /// The connections between two nodes break.
    case reset(Int, Int)
    /// A node hears that its addresses or interfaces are others.
    case networkChange(node: Int)

    // MARK: Disks

    /// Commits fail after so many more that succeed.
    case disk(node: Int, DiskFailure, after: Int, for: Interval)
    /// Commits take no end.
    case diskStall(node: Int, for: Interval)
    /// A process ends without a word, and a session is gone from its disk, the one that `pick`
    /// falls on.
    case lostRow(node: Int, pick: UInt64)
    /// As `lostRow`, but the row is there and cannot be read.
    case damagedRow(node: Int, pick: UInt64)
    /// A chunk of a blob has other bytes from now on.
    case damagedBlob(node: Int, pick: UInt64)
    /// The data directory is copied, for a later `restore`.
    case backup(node: Int)
    /// The process ends and starts with the copied data directory; `inPlace`: where the other lay,
    /// so that the store cannot tell, as with a snapshot of a virtual machine.
    case restore(node: Int, inPlace: Bool)
    /// The data directory is copied to another machine, and a process starts on it there.
    case clone(node: Int, inPlace: Bool)

    // MARK: Clocks

    /// The wall clock jumps.
    case wallClock(node: Int, milliseconds: Int64)
    /// The monotonic clock goes so far while the world's goes 1,000.
    case clockRate(node: Int, rate: Int64)
}

/// How a commit fails.
package enum DiskFailure: Sendable, Equatable {
    /// No room: nothing is written.
    case full
    /// An error: whether it was written is in doubt.
    case error
}

/// The kinds of faults, to count them.
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

/// How often each kind of fault happened.
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
