import ParleyCore

/// The result of a run as a document.
package struct SimulationDocument: Encodable, Equatable, Sendable {
    /// A broken promise: when, by which nodes, how.
    package struct BrokenPromise: Encodable, Equatable, Sendable {
        package let promise: String
        package let nodes: [String]
        package let atMilliseconds: Int64
        package let what: String
    }

    package let seed: UInt64
    /// `kept` or `broken`.
    package let result: String
    package let traceHash: String
    package let nodes: Int
    package let virtualMilliseconds: Int64
    package let convergenceMilliseconds: Int64?
    package let acknowledged: Int
    package let shown: Int
    package let conflicts: Int
    /// The number of faults of each kind; kinds that did not happen are left out.
    package let faults: [String: Int]
    package let failures: [BrokenPromise]

    package init(_ result: SimulationResult) {
        seed = result.seed
        self.result = result.isGood ? "kept" : "broken"
        traceHash = "\(result.hash)"
        nodes = result.nodes
        virtualMilliseconds = result.time.milliseconds
        convergenceMilliseconds = result.convergence?.milliseconds
        acknowledged = result.figures.acknowledged
        shown = result.figures.shown
        conflicts = result.figures.conflicts
        var faults: [String: Int] = [:]
        for kind in FaultKind.allCases where result.faults[kind] > 0 {
            faults["\(kind)"] = result.faults[kind]
        }
        self.faults = faults
        failures = result.failures.map { failure in
            BrokenPromise(
                promise: failure.promise.name,
                nodes: failure.nodes,
                atMilliseconds: failure.time.milliseconds,
                what: failure.what
            )
        }
    }
}

/// The totals of many runs.
package struct SimulationTotals: Codable, Equatable, Sendable {
    package private(set) var seeds = 0
    package private(set) var broken: [UInt64] = []
    package private(set) var virtualSeconds = 0.0
    package private(set) var nodeHours = 0.0
    package private(set) var acknowledged = 0
    /// The number of faults of each kind.
    package private(set) var faults: [String: Int] = [:]
    /// The number of runs with each rare event; nil in files of before.
    package private(set) var rare: [String: Int]? = [:]

    package init() {}

    /// Adds the result of a run.
    package mutating func add(_ result: SimulationResult) {
        seeds += 1
        if !result.isGood, broken.count < 1_000 { broken.append(result.seed) }
        let seconds = Double(result.time.milliseconds) / 1_000
        virtualSeconds += seconds
        nodeHours += seconds * Double(result.nodes) / 3_600
        acknowledged += result.figures.acknowledged
        for kind in FaultKind.allCases where result.faults[kind] > 0 {
            faults["\(kind)", default: 0] += result.faults[kind]
        }
        for event in result.figures.rare { rare?[event.rawValue, default: 0] += 1 }
    }

    /// The rare events that no run had.
    package var neverReached: [String] {
        RareEvent.allCases.map(\.rawValue).filter { rare?[$0] == nil }
    }

    package var faultTotal: Int { faults.values.reduce(0, +) }

    package var virtualHours: Double { virtualSeconds / 3_600 }

    /// The kinds of faults with their counts, in a fixed order, in words.
    package var faultWords: String {
        FaultKind.allCases.compactMap { kind in
            faults["\(kind)"].map { "\(kind.words) \($0)" }
        }.joined(separator: ", ")
    }
}

extension Scenario {
    /// The scenario in words: the settings, and the actions with their times.
    package var story: [String] {
        var lines = [
            "\(nodes) nodes, seed \(settings.seed), faults for \(chaos.milliseconds) ms"
                + (byzantineNodes.isEmpty
                    ? "" : ", Byzantine: \(byzantineNodes.map(Self.name).joined(separator: " "))")
        ]
        for scheduled in actions {
            let text = String(scheduled.time.milliseconds)
            let stamp = String(repeating: " ", count: max(0, 6 - text.count)) + text
            lines.append("\(stamp) \(Self.words(scheduled.action))")
        }
        return lines
    }

    private static func name(_ node: Int) -> String {
        String(Character(Unicode.Scalar(UInt8(ascii: "a") + UInt8(node % 26))))
    }

    private static func names(_ nodes: [Int]) -> String {
        nodes.map(name).joined(separator: ", ")
    }

    private static func words(_ action: Action) -> String {
        switch action {
        case .fault(let fault): words(fault)
        case .join(let node, let conversation, let role):
            "\(name(node)) joins conversation \(conversation) as \(role)"
        case .leave(let node, let conversation):
            "\(name(node)) leaves conversation \(conversation)"
        case .seat(let node, let conversation, let guest):
            "\(name(node)) gives \(guest.name) seat \(guest.seat.value) in conversation "
                + "\(conversation)"
        case .unseat(let node, let conversation, let seat):
            "\(name(node)) takes seat \(seat.value) back in conversation \(conversation)"
        case .send(let node, let conversation, let utterances):
            "\(name(node)) sends in conversation \(conversation): "
                + utterances.map(words).joined(separator: "; ")
        case .byzantine(let node, let conversation, let act):
            "\(name(node)) acts Byzantine in conversation \(conversation): \(act)"
        case .intrude(let intrusion):
            "somebody visits \(name(intrusion.node)) who \(intrusion.kind)"
        case .introduce(let node, let other): "\(name(node)) hears of \(name(other))"
        case .play(let node, let game, _, let cheats):
            "\(name(node)) \(cheats ? "cheats" : "plays") in game \(game)"
        case .signal(let node, let seat, let kind, let game, let count):
            "\(name(node))\(seat.map { " at seat \($0.value)" } ?? "") signals \(kind) in game "
                + "\(game), \(count) times"
        case .invite(let node, let uses, let lasts, _):
            "\(name(node)) makes an invite for \(uses) devices, \(lasts ?? 0) s"
        case .knock(let node, let pick): "\(name(node)) knocks (\(pick % 100))"
        case .rotate(let node, let without):
            "\(name(node)) changes the keys without \(names(without))"
        case .revoke(let pick): "an invite is revoked (\(pick % 100))"
        case .holdIdle(let node, let count): "\(count) idle connections to \(name(node))"
        }
    }

    private static func words(_ utterance: Utterance) -> String {
        var words = "\"\(utterance.text.prefix(12))\" in s\(utterance.session)"
        if let seat = utterance.seat { words += " from seat \(seat.value)" }
        if utterance.isTombstone { words += ", its end" }
        if utterance.pictureBytes > 0 { words += ", a picture of \(utterance.pictureBytes) bytes" }
        if !utterance.next.isEmpty { words += ", next \(names(utterance.next))" }
        if !utterance.nextGuests.isEmpty {
            let seats = utterance.nextGuests.map { "\($0.seat.value)" }
            words += ", next seat \(seats.joined(separator: ", "))"
        }
        return words
    }

    private static func words(_ fault: Fault) -> String {
        let length = fault.length.map { " for \($0.milliseconds) ms" } ?? ""
        switch fault {
        case .crash(let node, let power, _):
            return "\(name(node)) \(power ? "loses its power" : "crashes")\(length)"
        case .crashAfter(let node, let steps, let down):
            return "\(name(node)) crashes after \(steps) more effects for \(down.milliseconds) ms"
        case .restart(let node, _): return "\(name(node)) stops\(length)"
        case .pause(let node, let sleep, _):
            return "\(name(node)) \(sleep ? "sleeps" : "stands still")\(length)"
        case .deaf(let node, _): return "\(name(node)) reads nothing\(length)"
        case .cut(let from, let to, let bothWays, _):
            let path = bothWays ? "between \(names(from)) and" : "from \(names(from)) to"
            return "nothing passes \(path) \(names(to))\(length)"
        case .slow(let from, let to, let microseconds, _):
            return "bytes from \(names(from)) to \(names(to)) need \(microseconds) us more\(length)"
        case .reset(let one, let other):
            return "the connections of \(name(one)) and \(name(other)) break"
        case .networkChange(let node): return "the network of \(name(node)) changes"
        default: return diskWords(fault) + length
        }
    }

    private static func diskWords(_ fault: Fault) -> String {
        switch fault {
        case .disk(let node, let failure, let commits, _):
            let what = failure == .full ? "is full" : "fails"
            return "the disk of \(name(node)) \(what) after \(commits) more commits"
        case .diskStall(let node, _): return "the disk of \(name(node)) stands still"
        case .lostRow(let node, let pick):
            return "\(name(node)) loses a session from its disk (\(pick % 100))"
        case .damagedRow(let node, let pick):
            return "\(name(node)) finds a session damaged (\(pick % 100))"
        case .damagedBlob(let node, let pick):
            return "\(name(node)) has a blob damaged (\(pick % 100))"
        case .backup(let node): return "the data directory of \(name(node)) is copied"
        case .restore(let node, let inPlace):
            return "the copy takes the place of \(name(node))'s data directory"
                + (inPlace ? ", unnoticed" : "")
        case .clone(let node, let inPlace):
            return "a copy of \(name(node)) starts on another machine"
                + (inPlace ? ", unnoticed" : "")
        case .wallClock(let node, let milliseconds):
            return "the wall clock of \(name(node)) jumps by \(milliseconds / 86_400_000) days"
        case .clockRate(let node, let rate):
            return "the clock of \(name(node)) runs at \(rate) of 1,000"
        default: return "\(fault.kind.words)"
        }
    }
}
