import ParleyCore

/// The faults around the machine of a process: in keys, random numbers, disk, inputs or effects.
///
/// The faults act between machine and world. The checkers see the inputs before a fault and the
/// effects after it. Everything that a mutant does not change passes unchanged.
package struct FaultyNode {
    /// The cryptography that the machine gets.
    var crypto: (SimulatedCryptography) -> SimulatedCryptography = { $0 }
    /// The random numbers that the machine of a device gets.
    var random: (SeededRandom, DeviceID) -> SeededRandom = { random, _ in random }
    /// Changes a session row that is read at the start; nil drops it.
    var row: (SessionRow) -> SessionRow? = { $0 }
    /// Changes a request to send a message.
    var request: (AuthorRequest) -> AuthorRequest = { $0 }
    /// Whether a received frame reaches the machine; nil: all do.
    var receives: ((RawFrame, Moment) -> Bool)?
    /// Whether a frame of the machine is sent; nil: all are.
    var sends: ((RawFrame) -> Bool)?
    /// Changes a write to the disk; nil drops it.
    var write: (StoreWrite) -> StoreWrite? = { $0 }
    /// Replaces a delivery by any number of deliveries.
    var delivery: (Delivery) -> [Delivery] = { [$0] }
    /// The effects that leave before their commit is done.
    var early: EarlyEffects?

    /// The incomplete frames of each link.
    private var parsers: [LinkID: FrameParser] = [:]

    init() {}

    // MARK: Between world and machine

    /// The inputs as the machine receives them.
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

    /// The effects as the world carries them out; `machine` has the state after the step.
    mutating func passed(_ effects: Effects, of machine: NodeMachine, at now: Moment) -> Effects {
        var passed = early?.advance(effects, of: machine, at: now) ?? effects
        passed.persist = passed.persist.map { persist in
            Persist(ticket: persist.ticket, writes: persist.writes.compactMap(write))
        }
        passed.deliveries = passed.deliveries.flatMap(delivery)
        if let sends { passed.sends = passed.sends.compactMap { $0.keeping(sends) } }
        return passed
    }

    /// The whole received frames that reach the machine.
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
            // The bytes are no frames: the machine receives them unchanged and finds out.
            return bytes
        }
        return Slice(kept)
    }
}

extension LinkSend {
    /// The frames for which `isKept` holds; nil if there are none.
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
