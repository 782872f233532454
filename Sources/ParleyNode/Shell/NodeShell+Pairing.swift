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
        let hint = try hint(of: device)
        guard !machine.links.gate.bars(hint) else { throw .unknownDevice(device) }
        let offer = try conversation.map { (name) throws(NodeError) in
            Slice(Array(try invite(to: name, role: role).link.utf8))
        }
        switch machine.links.pairings.obstacle(to: hint, at: Self.now) {
        case .busy(let other, let device)?:
            throw .pairingUnderWay(with: name(ofHint: other, device) ?? text(ofHint: other, device))
        case .tooManyTries(let moment)?:
            let seconds = (moment - Self.now).milliseconds / 1_000 + 1
            throw .tooManyTries(device: device, seconds: Int(seconds))
        case nil:
            break
        }
        feed(.pairing(.start(hint: hint, offer: offer)))
        return try pairing(Self.id(hint))
    }

    /// The person here says that both screens show the same digits.
    func confirmPairing(_ id: String) throws(NodeError) -> PairingState {
        guard case .comparing = try pairing(id).stage, let hint = UInt64(id, radix: 16) else {
            throw .nothingToCompare
        }
        feed(.pairing(.confirm(hint: hint)))
        return try pairing(id)
    }

    /// Ends a pairing, or forgets one that has ended.
    func cancelPairing(_ id: String) throws(NodeError) {
        _ = try pairing(id)
        if let hint = UInt64(id, radix: 16), isUnderWay(id) {
            feed(.pairing(.cancel(hint: hint)))
        } else {
            endedPairings.removeAll { $0.id == id }
        }
    }

    private func isUnderWay(_ id: String) -> Bool {
        UInt64(id, radix: 16).map { machine.links.pairings[$0] != nil } ?? false
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
        // A pairing that has brought an invite is over for the machine, but is reported as ended
        // only when the conversation is on disk.
        let joining = openPairings.values.filter { open in !present.contains { $0.id == open.id } }
            .sorted { $0.id < $1.id }
        let known = present + joining
        return known + endedPairings.filter { ended in !known.contains { $0.id == ended.id } }
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
        // Joining takes a while, and the next pairing with the device may have begun meanwhile.
        if state.hasEnded, isUnderWay(state.id) { return }
        openPairings[state.id] = state.hasEnded ? nil : state
        endedPairings.removeAll { $0.id == state.id }
        if state.hasEnded {
            endedPairings.append(state)
            if endedPairings.count > Self.endedPairingsMax { endedPairings.removeFirst() }
        }
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
            name = Self.adapted(given).cut(toBytes: 60) + " \(number)"
        }
        do throws(NodeError) {
            return try beginJoin(link, as: name)
        } catch .nameTaken where number < Self.sameNamesMax {
            return try join(link, numbered: number + 1)
        } catch {
            throw error
        }
    }

    // MARK: Devices

    /// The start of the ID, eight bytes, of the only device nearby that a text means.
    ///
    /// The text is the name, the beginning of the ID, or the address of the device.
    private func hint(of typed: String) throws(NodeError) -> UInt64 {
        let text = GivenName.normal(typed)
        let known = candidates().filter { $0.hint != key.id.hint }
        let exact = (try? DeviceID(parsing: text))?.hint ?? DeviceID.hint(announced: text)
        if let exact, known.contains(where: { $0.hint == exact }) { return exact }
        let plain = Self.plain(text)
        let meant = known.filter { device in
            device.name?.lowercased() == text.lowercased() || device.address == text
                || plain.utf8.count >= 4 && Self.plain(device.text).hasPrefix(plain)
        }
        let devices = Dictionary(meant.map { ($0.hint, $0.text) }, uniquingKeysWith: { a, _ in a })
        guard let first = devices.first else { throw .unknownDevice(text) }
        guard devices.count == 1 else {
            throw .ambiguousDevice(text, devices: devices.values.sorted())
        }
        return first.key
    }

    private struct Candidate {
        let hint: UInt64
        let text: String
        let name: String?
        let address: String
    }

    private func candidates() -> [Candidate] {
        let linked = machine.links.map { link in
            Candidate(
                hint: link.device.hint,
                text: link.device.text,
                name: printableName(of: link.device),
                address: link.address
            )
        }
        let announced = announced.all.compactMap { node in
            node.hint.map {
                Candidate(
                    hint: $0,
                    text: node.shortID,
                    name: node.name.printable,
                    address: node.address
                )
            }
        }
        let book = machine.dialer.book.entries.compactMap { entry in
            entry.device.map {
                Candidate(
                    hint: $0.hint,
                    text: $0.text,
                    name: printableName(of: $0) ?? entry.deviceName?.printable,
                    address: entry.address
                )
            }
        }
        let recent = recent.all(at: Self.now).map {
            Candidate(hint: $0.id.hint, text: $0.id.text, name: $0.name, address: $0.address)
        }
        return linked + book + announced + recent
    }

    /// The characters of a device ID without separators.
    static func plain(_ text: String) -> String {
        text.filter { $0 != "-" && $0 != " " }.uppercased()
    }

    private static func id(_ hint: UInt64) -> String {
        let digits = String(hint, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private func text(ofHint hint: UInt64, _ device: DeviceID?) -> String {
        device?.text ?? candidates().first { $0.hint == hint }?.text ?? Self.id(hint)
    }

    private func name(ofHint hint: UInt64, _ device: DeviceID?) -> String? {
        device.flatMap { printableName(of: $0) }
            ?? candidates().first { $0.hint == hint && $0.name?.isEmpty == false }?.name
    }

    /// The state for people; `ending` overrides the end that the machine reports.
    private func state(_ notice: PairingNotice, _ ending: PairingState.Ending? = nil)
        -> PairingState
    {
        PairingState(
            id: Self.id(notice.hint),
            device: text(ofHint: notice.hint, notice.device),
            name: name(ofHint: notice.hint, notice.device),
            stage: ending.map { .ended($0) } ?? PairingState.Stage(notice.stage)
        )
    }

    /// Pairings that have ended and are still listed.
    private static var endedPairingsMax: Int { 8 }
    /// Conversations of one name, told apart by numbers.
    private static var sameNamesMax: Int { 99 }
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
