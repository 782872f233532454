import Foundation
import ParleyCore
import ParleyKeys
import ParleyLoop
import struct ParleyValues.Conversation

/// Pairing, for the programs above the node.
extension NodeShell {
    /// Starts to pair with a device, or agrees to its request.
    func pair(
        with device: String,
        sharing conversation: String?,
        role: Role
    ) throws(NodeError) -> PairingState {
        let hint = try namedDevices.hint(of: device, except: key.id)
        guard !machine.links.gate.bars(hint) else { throw .unknownDevice(device) }
        let offer = try conversation.map { (name) throws(NodeError) in
            Slice(Array(try invite(to: name, role: role).link.utf8))
        }
        switch machine.links.pairings.obstacle(to: hint, at: Self.now) {
        case .busy(let other, let device)?:
            let other = state(PairingNotice(hint: other, device: device, stage: .waiting))
            throw .pairingUnderWay(with: other.name ?? other.device)
        case .tooManyTries(let moment)?:
            let seconds = (moment - Self.now).milliseconds / 1_000 + 1
            throw .tooManyTries(device: device, seconds: Int(seconds))
        case nil:
            break
        }
        feed(.pairing(.start(hint: hint, offer: offer)))
        return try pairing(PairingState.id(ofHint: hint))
    }

    /// The person here says that both screens show the same digits.
    func confirmPairing(_ id: String) throws(NodeError) -> PairingState {
        let pairing = try pairing(id)
        guard case .comparing = pairing.stage, let hint = pairing.hint else {
            throw .nothingToCompare
        }
        feed(.pairing(.confirm(hint: hint)))
        return try self.pairing(id)
    }

    /// Ends a pairing, or forgets one that has ended.
    func cancelPairing(_ id: String) throws(NodeError) {
        let pairing = try pairing(id)
        if let hint = pairing.hint, isUnderWay(pairing) {
            feed(.pairing(.cancel(hint: hint)))
        } else {
            reportedPairings.forget(id)
        }
    }

    private func isUnderWay(_ pairing: PairingState) -> Bool {
        pairing.hint.map { machine.links.pairings[$0] != nil } ?? false
    }

    /// The pairings under way, and the last pairings that have ended.
    func pairings() -> [PairingState] {
        let present = machine.links.pairings.pairings.map { pairing in
            let notice = PairingNotice(
                hint: pairing.hint,
                device: pairing.device,
                stage: pairing.stage
            )
            return state(notice)
        }
        return reportedPairings.all(with: present)
    }

    private func pairing(_ id: String) throws(NodeError) -> PairingState {
        guard let pairing = pairings().first(where: { $0.id == id }) else { throw .unknownPairing }
        return pairing
    }

    // MARK: News

    func emitPairing(_ notice: PairingNotice) {
        guard case .ended(.done(let invite?)) = notice.stage else { return emit(state(notice)) }
        // A conversation is joined by a step of its own.
        executor.queue.async { [weak self] in
            self?.assumeIsolated { shell in
                shell.join(pairedBy: invite) { shell.emit(shell.state(notice, $0)) }
            }
        }
    }

    private func emit(_ state: PairingState) {
        log.pairing(state)
        guard reportedPairings.changed(state, isUnderWay: isUnderWay(state)) else { return }
        followers.emit(.pairing(state))
    }

    /// Joins the conversation of an invite from a pairing; if its name is taken, a number is added.
    ///
    /// `done` is called when the conversation is on disk, or joining has failed.
    private func join(
        pairedBy invite: Slice,
        _ done: @escaping (PairingState.Ending) -> Void
    ) {
        do throws(NodeError) {
            guard let link = String(validating: invite.bytes, as: UTF8.self) else {
                let error = InviteError.notText
                throw .badInvite(reason: error.message, hint: error.hint)
            }
            let name = try join(link, numbered: 1).name
            whenStored { done($0.map { .notJoined($0) } ?? .done(joined: name)) }
        } catch .alreadyJoined(let name, _) {
            done(.done(joined: name))
        } catch {
            done(.notJoined(error))
        }
    }

    private func join(_ link: String, numbered number: Int) throws(NodeError) -> Conversation {
        let name: String?
        if number == 1 {
            name = nil
        } else {
            // An invite without a legal name is refused by `join`.
            let given = (try? InviteLink(parsing: link))?.name.text ?? ""
            name = NewConversation.adapted(given).cut(toBytes: 60) + " \(number)"
        }
        do throws(NodeError) {
            return try beginJoin(link, as: name)
        } catch .nameTaken where number < Self.sameNamesMax {
            return try join(link, numbered: number + 1)
        } catch {
            throw error
        }
    }

    // MARK: States

    private var namedDevices: NamedDevices {
        NamedDevices(machine, discovery.announced, acquaintances, at: Self.now)
    }

    /// The state for people; `ending` overrides the end that the machine reports.
    private func state(_ notice: PairingNotice, _ ending: PairingState.Ending? = nil)
        -> PairingState
    {
        let devices = namedDevices
        let id = PairingState.id(ofHint: notice.hint)
        return PairingState(
            id: id,
            device: notice.device?.text ?? devices.text(ofHint: notice.hint) ?? id,
            name: notice.device.flatMap { printableName(of: $0) }
                ?? devices.name(ofHint: notice.hint),
            stage: ending.map { .ended($0) } ?? PairingState.Stage(notice.stage)
        )
    }

    /// Conversations of one name, told apart by numbers.
    private static var sameNamesMax: Int { 99 }
}

extension PairingState {
    /// The ID of the pairings with a device, whose ID begins with `hint`.
    static func id(ofHint hint: UInt64) -> String {
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
            case .asked(let offers): .asked(shares: offers)
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
