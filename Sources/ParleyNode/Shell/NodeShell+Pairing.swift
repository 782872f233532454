import ParleyCore
import ParleyKeys
import ParleyLoop

/// Pairing, for the programs above the node.
extension NodeShell {
    /// The list of pairings as it is now.
    var pairingList: PairingList {
        PairingList(
            machine,
            announced: discovery.announced,
            acquaintances: news.acquaintances,
            reported: news.pairings,
            at: Self.now
        )
    }

    /// Starts to pair with a device, or agrees to its request.
    func pair(
        with device: String,
        sharing conversation: String?,
        role: Role
    ) throws(NodeError) -> PairingState {
        let hint = try pairingList.partner(device, asOwn: false)
        let offer = try conversation.map { (name) throws(NodeError) in
            let invite = try reader.invite(to: name, role: role, isRelay: settings.isRelay)
            return PairingOffer.invite(Slice(Array(invite.link.utf8)))
        }
        feed(.pairing(.start(hint: hint, offer: offer ?? .nothing)))
        return try pairingList.pairing(PairingState.id(ofHint: hint))
    }

    /// The person here says that both screens show the same digits.
    func confirmPairing(_ id: String) throws(NodeError) -> PairingState {
        let pairing = try pairingList.pairing(id)
        guard case .comparing = pairing.stage, let hint = pairing.hint else {
            throw .nothingToCompare
        }
        feed(.pairing(.confirm(hint: hint)))
        return try pairingList.pairing(id)
    }

    /// Ends a pairing, or forgets one that has ended.
    func cancelPairing(_ id: String) throws(NodeError) {
        let pairing = try pairingList.pairing(id)
        if let hint = pairing.hint, pairingList.isUnderWay(pairing) {
            feed(.pairing(.cancel(hint: hint)))
        } else {
            news.forgetPairing(id)
        }
    }

    /// Tells of a change of a pairing, which may bring a conversation.
    func paired(_ notice: PairingNotice) {
        guard case .ended(.done(let given)) = notice.stage else { return tell(notice, nil) }
        // A conversation is joined by a step of its own.
        atEndOfIteration { shell in
            switch given {
            case .nothing: shell.tell(notice, nil)
            case .invite(let invite): shell.join(pairedBy: invite) { shell.tell(notice, $0) }
            case .own(let person):
                shell.person.linked(to: notice.device, person, on: shell) { $0.tell(notice, $1) }
            }
        }
    }

    private func tell(_ notice: PairingNotice, _ ending: PairingState.Ending?) {
        let list = pairingList
        let state = list.state(notice, ending)
        news.paired(state, isUnderWay: list.isUnderWay(state))
    }

    /// Joins the conversation of an invite from a pairing.
    ///
    /// `done` is called when the conversation is on disk, or joining has failed.
    private func join(
        pairedBy invite: Slice,
        _ done: @escaping (PairingState.Ending) -> Void
    ) {
        do throws(NodeError) {
            let name = try adopt(try NewConversation(pairedBy: invite, on: self)).name
            whenStored { done($0.map { .notJoined($0) } ?? .done(joined: name)) }
        } catch .alreadyJoined(let name, _) {
            done(.done(joined: name))
        } catch {
            done(.notJoined(error))
        }
    }
}

extension NewConversation {
    /// A conversation of an invite from a pairing, with a name that is free on a node.
    init(pairedBy invite: Slice, on shell: isolated NodeShell) throws(NodeError) {
        try self.init(pairedBy: invite, relaysOnly: shell.settings.isRelay) { name in
            shell.machine.conversations.first(withRecord: { $0.name == name }) != nil
        }
    }
}
