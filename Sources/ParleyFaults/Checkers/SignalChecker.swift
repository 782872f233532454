import ParleyCore

/// A signal is heard once, is from who sent it, and nobody is heard too often.
package struct SignalChecker: Checker {
    package static let promise = Promise("signals are few and their authors'")
    package static let watches: WorldEvent.Kinds = [.otherInputs, .delivered, .processes]

    private struct Sent: Hashable {
        let device: DeviceID
        let kind: Signal.Kind
        let session: SessionUUID
    }

    /// What one process heard.
    private struct Heard {
        var dots: Set<Dot> = []
        /// The moments of the last signals of each device.
        var moments: [DeviceID: [Moment]] = [:]
    }

    private var sent: Set<Sent> = []
    private var heard: [Int: Heard] = [:]

    package init() {}

    package mutating func observe(_ event: WorldEvent, in world: World) {
        switch event {
        case .started(let node), .ended(let node, _): heard[node] = nil
        case .input(let node, .signalled(let request)):
            let device = world.nodes[node].device
            let (kind, session) = (request.signal.kind, request.signal.session)
            sent.insert(Sent(device: device, kind: kind, session: session))
        case .delivered(let node, .signal(let notice)): hear(notice, at: node, world)
        default: break
        }
    }

    private mutating func hear(_ notice: SignalNotice, at node: Int, _ world: World) {
        let device = notice.device
        if heard[node, default: Heard()].dots.insert(notice.dot).inserted == false {
            fail("hears a signal twice", at: node, world)
        }
        let now = world.nodes[node].clock.moment(at: world.now)
        var moments = heard[node]?.moments[device] ?? []
        if moments.count == Limits.signalsAtOnce,
            now - moments.removeFirst() < Limits.signalInterval
        {
            fail("hears too many signals of one device", at: node, world)
        }
        heard[node]?.moments[device] = moments + [now]
        let (kind, session) = (notice.signal.kind, notice.signal.session)
        guard world.nodes.contains(where: { $0.device == device && !$0.isByzantine }),
            !sent.contains(Sent(device: device, kind: kind, session: session))
        else { return }
        fail("hears a signal that nobody sent", at: node, world)
    }

    private func fail(_ what: String, at node: Int, _ world: World) {
        world.fail(Self.promise, by: [node], "\(world.nodes[node].name) \(what)")
    }
}
