import ParleyCore

/// What is at fault around the machine of one process: its keys, its random numbers, its disk, the
/// inputs that reach it or the effects that leave it.
///
/// It stands between machine and world. The world's checkers see the inputs as the world gave them
/// and the effects as this passes them on. Whatever a mutant does not change passes as it is.
package struct FaultyNode {
    /// The cryptography that the machine gets.
    var crypto: (SimulatedCryptography) -> SimulatedCryptography = { $0 }
    /// The random numbers that the machine of a device gets.
    var random: (SeededRandom, DeviceID) -> SeededRandom = { random, _ in random }
    /// A session row that is read at the start; nil: it is passed over.
    var row: (SessionRow) -> SessionRow? = { $0 }
    /// A message that somebody wants to send.
    var request: (AuthorRequest) -> AuthorRequest = { $0 }
    /// Whether a frame that arrived reaches the machine; nil: all do.
    var receives: ((RawFrame, Moment) -> Bool)?
    /// Whether a frame that the machine hands over is sent; nil: all are.
    var sends: ((RawFrame) -> Bool)?
    /// A write as it reaches the disk; nil: it does not.
    var write: (StoreWrite) -> StoreWrite? = { $0 }
    /// A delivery as it is told, any number of times.
    var delivery: (Delivery) -> [Delivery] = { [$0] }
    /// What leaves before the commit that it has to wait for.
    var early: EarlyEffects?

    /// The beginnings of frames that arrived, of each link.
    private var parsers: [LinkID: FrameParser] = [:]

    init() {}

    // MARK: Between world and machine

    /// What happened, as the machine hears of it.
    mutating func passed(_ inputs: [NodeInput], at now: Moment) -> [NodeInput] {
        inputs.compactMap { input in
            switch input {
            case .received(let link, let bytes):
                let left = received(bytes, on: link, at: now)
                return left.isEmpty ? nil : .received(link, left)
            case .linkClosed(let link, _):
                parsers[link] = nil
                return input
            case .authored(let requests): return .authored(requests.map(request))
            default: return input
            }
        }
    }

    /// What the machine wants, as the world carries it out; `machine` is as it is after that.
    mutating func passed(_ effects: Effects, of machine: World.Machine, at now: Moment) -> Effects {
        var passed = early?.advance(effects, of: machine, at: now) ?? effects
        passed.persist = passed.persist.map { persist in
            Persist(ticket: persist.ticket, writes: persist.writes.compactMap(write))
        }
        passed.deliveries = passed.deliveries.flatMap(delivery)
        if let sends { passed.sends = passed.sends.compactMap { $0.keeping(sends) } }
        return passed
    }

    /// The whole frames among what arrived that are not kept from the machine.
    private mutating func received(
        _ bytes: Slice,
        on link: LinkID,
        at now: Moment
    ) -> Slice {
        guard let receives else { return bytes }
        var kept: [UInt8] = []
        parsers[link, default: FrameParser()].append(bytes)
        do throws(CodecError) {
            while let frame = try parsers[link]?.next(frameBytesMax: Limits.frameBytes) {
                if receives(frame, now) { frame.append(to: &kept) }
            }
        } catch {
            // These are no frames: the machine finds out by itself.
            return bytes
        }
        return Slice(kept)
    }
}

extension LinkSend {
    /// Only the frames that are wanted; nil if there is none.
    func keeping(_ isKept: (RawFrame) -> Bool) -> LinkSend? {
        var kept: [UInt8] = []
        for frame in SentFrames(Slice(bytes)) where isKept(frame) { frame.append(to: &kept) }
        return kept.isEmpty ? nil : LinkSend(link: link, bytes: kept)
    }
}

extension RawFrame {
    fileprivate func append(to buffer: inout [UInt8]) {
        FrameHeader(length: body.count, type: type).append(to: &buffer)
        body.append(to: &buffer)
    }
}
