package import ParleyCore
import ParleyKeys

/// The pairings as people see them: those of the machine, and those that have ended.
///
/// The list must be released before the next input, or the machine would be copied.
package struct PairingList {
    private let machine: NodeMachine
    private let devices: NamedDevices
    private let acquaintances: Acquaintances
    private let reported: ReportedPairings
    private let now: Moment

    /// Makes a list of the present moment, `now`.
    package init(
        _ machine: NodeMachine,
        announced: AnnouncedNodes = AnnouncedNodes(),
        acquaintances: Acquaintances = Acquaintances(),
        reported: ReportedPairings = ReportedPairings(),
        at now: Moment
    ) {
        self.machine = machine
        devices = NamedDevices(machine, announced, acquaintances, at: now)
        self.acquaintances = acquaintances
        self.reported = reported
        self.now = now
    }

    /// The pairings under way, and the last pairings that have ended.
    package var all: [PairingState] {
        let present = machine.links.pairings.pairings.map { pairing in
            state(pairing.notice(of: pairing.stage))
        }
        return reported.all(with: present)
    }

    /// The pairing with this ID.
    package func pairing(_ id: String) throws(NodeError) -> PairingState {
        guard let pairing = all.first(where: { $0.id == id }) else { throw .unknownPairing }
        return pairing
    }

    /// Whether the machine is pairing with the device of `state`.
    package func isUnderWay(_ state: PairingState) -> Bool {
        state.hint.map { machine.links.pairings[$0] != nil } ?? false
    }

    /// The first eight bytes of the ID of the device that a person means, if a pairing may begin.
    ///
    /// With `isOwn`, the person here calls both devices the own ones. A request of the other device
    /// must be of the same kind.
    package func partner(_ typed: String, asOwn isOwn: Bool) throws(NodeError) -> UInt64 {
        let hint = try devices.hint(of: typed, except: machine.device)
        guard !machine.links.gate.bars(hint) else { throw .unknownDevice(typed) }
        switch machine.links.pairings.obstacle(to: hint, at: now) {
        case .busy(let other, let device)?:
            let other = state(PairingNotice(hint: other, device: device, stage: .waiting))
            throw .pairingUnderWay(with: other.name ?? other.device)
        case .tooManyTries(let moment)?:
            let seconds = (moment - now).milliseconds / 1_000 + 1
            throw .tooManyTries(device: typed, seconds: Int(seconds))
        case nil: break
        }
        if let pairing = machine.links.pairings[hint], case .asked(let offers) = pairing.stage,
            (offers == .own) != isOwn
        {
            throw .pairedOtherwise(with: devices.name(ofHint: hint) ?? typed, isOwn: !isOwn)
        }
        return hint
    }

    /// The state for people; `ending` overrides the end that the machine reports.
    package func state(
        _ notice: PairingNotice,
        _ ending: PairingState.Ending? = nil
    ) -> PairingState {
        let id = PairingState.id(ofHint: notice.hint)
        let name = notice.device.flatMap { acquaintances.printableName(of: $0, in: machine) }
        return PairingState(
            id: id,
            device: notice.device?.text ?? devices.text(ofHint: notice.hint) ?? id,
            name: name ?? devices.name(ofHint: notice.hint),
            stage: ending.map { .ended($0) } ?? PairingState.Stage(notice.stage),
            isForOwn: notice.isForOwn
        )
    }
}

extension PairingState {
    /// The ID of the pairings with a device, whose ID begins with `hint`.
    package static func id(ofHint hint: UInt64) -> String {
        let digits = String(hint, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The first eight bytes of the ID of the other device.
    var hint: UInt64? { UInt64(id, radix: 16) }
}

extension PairingState.Stage {
    init(_ stage: PairingNotice.Stage) {
        self =
            switch stage {
            case .asked(let offers): .asked(shares: offers != .nothing)
            case .waiting: .waiting
            case .comparing(let digits, let isConfirmed):
                .comparing(digits: digits.description, isConfirmed: isConfirmed)
            case .ended(let end): .ended(PairingState.Ending(end))
            }
    }
}

extension PairingState.Ending {
    init(_ end: PairingEnd) {
        self =
            switch end {
            case .done: .done(joined: nil)
            case .nothingOffered: .nothingShared
            case .ownedByOne: .ownedByOne
            case .cancelled: .cancelled
            case .refused(.declined): .declined
            case .refused(.busy), .refused(.tooManyTries): .refused
            case .refused(.timedOut), .timedOut: .timedOut
            case .refused(.other), .lost: .lost
            case .unsupported: .unsupported
            case .forged: .forged
            }
    }
}
