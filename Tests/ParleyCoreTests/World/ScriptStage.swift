import ParleyCore
import ParleyFaults

/// Carries out the commands of a script, on one world with one conversation.
struct ScriptStage {
    let world: World
    let table = SimulatedConversation(1)

    init() {
        var settings = WorldSettings()
        // So that a change of one frame changes nothing else in a trace.
        settings.cutsBytes = false
        world = World(settings)
    }

    /// The trace of one command.
    mutating func perform(_ command: String) throws(ScriptError) -> [String] {
        world.trace.isWriting = true
        world.trace.clearLines()
        var words = Self.words(of: command)
        let verb = words.removeFirst()
        var isKnown = try performTime(verb, words)
        if !isKnown { isKnown = try performNodes(verb, words) }
        if !isKnown { isKnown = try performNetwork(verb, words) }
        if !isKnown { isKnown = try performDisk(verb, words) }
        guard isKnown else { throw ScriptError(command: command) }
        return world.trace.lines + world.faults().map { "PROBLEM: \($0)" }
    }

    /// Words at spaces; what stands in quotation marks is one.
    private static func words(of command: String) -> [String] {
        var words: [String] = []
        for (index, part) in command.split(separator: "\"").enumerated() {
            if index.isMultiple(of: 2) {
                words += part.split(separator: " ").map(String.init)
            } else {
                words.append(String(part))
            }
        }
        return words
    }

    func node(_ name: String) throws(ScriptError) -> Int {
        guard let node = world.nodes.firstIndex(where: { $0.name == name }) else {
            throw ScriptError(command: "node \(name)")
        }
        return node
    }

    private func nodes(_ names: [String]) throws(ScriptError) -> [Int] {
        var result: [Int] = []
        for name in names { result.append(try node(name)) }
        return result
    }

    // MARK: Commands

    private mutating func performTime(_ verb: String, _ words: [String]) throws(ScriptError) -> Bool
    {
        switch verb {
        case "run":
            guard let count = words.first.flatMap(Int64.init) else { return false }
            world.run(.milliseconds(count))
        case "settle": world.settle()
        case "show":
            for session in words {
                for (node, text) in zip(world.nodes, world.texts(session, in: table)) {
                    world.trace.write("\(node.name) shows \(session): \(text ?? "nothing")")
                }
            }
        case "history":
            for name in words { writeTranscript(try node(name)) }
        default: return false
        }
        return true
    }

    private mutating func performNodes(
        _ verb: String,
        _ words: [String]
    ) throws(ScriptError) -> Bool {
        switch verb {
        case "nodes":
            guard let count = words.first.flatMap(Int.init) else { return false }
            let before = world.nodes.count
            for _ in 0..<count { world.addNode() }
            // One side dials, so that there is one link; "mutual" lets both do it.
            for one in before..<world.nodes.count {
                for other in world.nodes.indices where other != one {
                    if other < one || words.last == "mutual" { world.introduce(one, to: other) }
                }
            }
            for node in before..<world.nodes.count { world.start(node) }
        case "join":
            let roles: [String: Capability.Role] = ["reader": .reader, "relay": .relay]
            let role = words.last.flatMap { roles[$0] }
            let names = role == nil ? words : Array(words.dropLast(2))
            world.join(table, try nodes(names), as: role ?? .writer)
        case "leave": for name in words { world.leave(table, try node(name)) }
        case "crash": for name in words { world.crash(try node(name)) }
        case "stop": for name in words { world.stop(try node(name)) }
        case "start": for name in words { world.start(try node(name)) }
        case "send": try send(words)
        default: return false
        }
        return true
    }

    private mutating func performNetwork(
        _ verb: String,
        _ words: [String]
    ) throws(ScriptError) -> Bool {
        switch verb {
        case "partition": world.isolate(try nodes(words))
        case "cut", "mend", "reset":
            let pair = try nodes(words)
            guard pair.count == 2 else { return false }
            switch verb {
            case "cut": world.cut(pair[0], pair[1])
            case "mend": world.mend(pair[0], pair[1])
            default: world.resetWires(pair[0], pair[1])
            }
        case "heal": world.heal(keepsBytes: words.first != "reset")
        case "slow":
            // `slow a b 50`: what a sends to b needs 50 ms longer, for the rest of the script.
            guard words.count == 3, let delay = Int64(words[2]) else { return false }
            let pair = try nodes(Array(words.prefix(2)))
            let slowness = Fault.slow(
                from: [pair[0]],
                to: [pair[1]],
                microseconds: delay * 1_000,
                for: .seconds(86_400)
            )
            world.strike(slowness)
        case "pause": for name in words { world.pause(try node(name)) }
        case "resume": for name in words { world.resume(try node(name)) }
        default: return false
        }
        return true
    }

    /// Sends a message: `send a s "text" [next b]… [picture BYTES] [summary TEXT]
    /// [replacing nothing]`.
    private mutating func send(_ words: [String]) throws(ScriptError) {
        guard words.count >= 3 else { throw ScriptError(command: "send") }
        var draft = World.Draft(session: words[1], text: words[2])
        for index in stride(from: 3, to: words.count - 1, by: 2) {
            let value = words[index + 1]
            switch words[index] {
            case "next": draft.next.append(world.participant(try node(value), in: table))
            case "picture":
                let bytes = [UInt8](repeating: 1, count: Int(value) ?? 0)
                draft.picture = InlinePicture(type: "image/png", bytes: Slice(bytes))
            case "summary": draft.summary = value
            case "replacing": draft.replacing = []
            default: throw ScriptError(command: "send … \(words[index])")
            }
        }
        world.send([draft], by: try node(words[0]), in: table)
    }

    private mutating func writeTranscript(_ node: Int) {
        guard let machine = world.nodes[node].machine,
            let number = world.number(of: table, at: node)
        else { return }
        for entry in (machine.conversation(number)?.transcript() ?? []) {
            switch entry {
            case .message(let session, _, let dot):
                let tag = machine.conversation(number)?.view(session)?.tag
                let name = tag.map(world.word) ?? "?"
                let text = world.text(name, in: table, at: node) ?? "unreadable"
                world.trace.write("\(world.word(dot)) of \(name): \(text)")
            case .summary(_, let line):
                world.trace.write(
                    "\(world.word(line.dot)) said: \(line.summaryText ?? "something")"
                )
            }
        }
    }
}
