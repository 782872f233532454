package import ParleyCore

/// The history of a world, as lines for people and as counts for tests.
package struct WorldTrace {
    /// An envelope that crossed a wire.
    package struct Crossing: Equatable {
        package let from: Int
        package let to: Int
        package let tag: SessionTag
        package let dot: Dot
        /// The digest of its bytes as they crossed.
        package let digest: Bytes32
        package let position: UInt64
        package let time: Moment
    }

    /// Frames of one kind from one node to another.
    package struct Lane: Hashable {
        package let from: Int
        package let to: Int
        package let type: FrameType
    }

    package private(set) var crossings: [Crossing] = []
    private var counts: [Lane: Int] = [:]
    /// The names of sessions, by their tags.
    package private(set) var sessions: [SessionTag: String] = [:]
    /// The lines, written while `isWriting`.
    package private(set) var lines: [String] = []
    package var isWriting = false

    /// Notes the name of a session in a conversation of a node.
    mutating func name(_ session: String, in number: UInt32, of node: SimulatedNode) {
        let conversation = node.machine?.conversation(number)
        guard let tag = conversation?.tag(of: SessionUUID(session: session), using: node.crypto)
        else { return }
        sessions[tag] = session
    }

    /// Counts and writes the frames of a send.
    ///
    /// - Returns: why they cannot be read, if so.
    mutating func sent(
        _ send: LinkSend,
        on wire: Wire,
        lane: Int,
        of nodes: [SimulatedNode],
        at time: Moment
    ) -> CodecError? {
        let (from, to) = (wire.ends[lane].node, wire.ends[1 - lane].node)
        wire.lanes[lane].frames.append(Slice(send.bytes))
        do throws(CodecError) {
            while let raw = try wire.lanes[lane].frames.next(frameBytesMax: Limits.frameBytes) {
                guard let frame = try Frame(decoding: raw) else { continue }
                sent(frame, from: from, to: to, at: time)
                let words = WorldWords(nodes: nodes, sessions: sessions)
                guard isWriting, let text = words.words(frame) else { continue }
                write("\(nodes[from].name) to \(nodes[to].name): \(text)", at: time)
            }
            return nil
        } catch {
            return error
        }
    }

    private mutating func sent(_ frame: Frame, from: Int, to: Int, at time: Moment) {
        counts[Lane(from: from, to: to, type: frame.type), default: 0] += 1
        guard case .envelope(let body) = frame,
            let envelope = try? Envelope(decoding: body.envelope)
        else { return }
        crossings.append(
            Crossing(
                from: from,
                to: to,
                tag: envelope.header.tag,
                dot: envelope.header.dot,
                digest: SimulatedCryptography(seed: 0).sha256(body.envelope),
                position: body.position,
                time: time
            )
        )
    }

    package mutating func write(_ line: String) {
        if isWriting { lines.append(line) }
    }

    /// Writes a line that begins with its time.
    mutating func write(_ line: String, at time: Moment) {
        let stamp = String(time.milliseconds)
        write(String(repeating: " ", count: max(0, 6 - stamp.count)) + "\(stamp) \(line)")
    }

    /// Drops the lines so far; the counts stay.
    package mutating func clearLines() {
        lines = []
    }

    /// The number of frames of a kind, between two nodes or all nodes.
    package func count(_ type: FrameType, from: Int? = nil, to: Int? = nil) -> Int {
        counts.reduce(0) { sum, entry in
            let fits =
                entry.key.type == type && (from ?? entry.key.from) == entry.key.from
                && (to ?? entry.key.to) == entry.key.to
            return fits ? sum + entry.value : sum
        }
    }

    /// The number of frames of all kinds.
    package var frameCount: Int { counts.values.reduce(0, +) }

    /// The envelopes that crossed between two nodes, in either direction.
    package func crossings(between one: Int, _ other: Int) -> [Crossing] {
        crossings.filter { Set([$0.from, $0.to]) == [one, other] }
    }
}

extension World {
    /// Frames, deliveries and dots in words.
    var inWords: WorldWords { WorldWords(nodes: nodes, sessions: trace.sessions) }

    package func word(_ dot: Dot) -> String { inWords.word(dot) }

    package func word(_ tag: SessionTag) -> String { inWords.word(tag) }

    package func words(_ dots: [Dot]) -> String { inWords.words(dots) }

    /// Adds a line about one node.
    package func note(_ node: Int, _ line: String) {
        if trace.isWriting { trace.write("\(nodes[node].name) \(line)", at: now) }
    }
}
