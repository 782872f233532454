extension MatchState {
    /// What is against the rules whatever came before, if `author` wrote it.
    ///
    /// Who offered the game may begin it without a seat, if `mayBegin` says so.
    package func problem(by author: ParticipantID, mayBegin: Bool) -> MatchFault? {
        if Set(seats).count < seats.count { return .seatTwice }
        if seats.count > size.upperBound { return .seatCount }
        if phase != .running, !turn.isEmpty { return .wrongPhase }
        guard outcomes.count == (phase == .over ? seats.count : 0) else { return .outcomes }
        guard phase != .offered else {
            let isPlain =
                claim == nil && undone == nil && chance == MatchChance() && parts.isEmpty
                && settled.isEmpty
            return isPlain ? nil : .wrongPhase
        }
        if seats.count < size.lowerBound { return .seatCount }
        if !seats.contains(author), !mayBegin { return .notSeated }
        if let roll = chance.roll, !turn.allSatisfy(roll.seats.contains) { return .rollSeats }
        if let claim {
            if undone != nil || (claim.action == .ends) != (phase == .over) { return .wrongPhase }
        }
        return undone != nil && phase == .over ? .wrongPhase : nil
    }

    /// The hash of the state with its URL, by which an undo is compared.
    ///
    /// What is said of other messages is left out, as that of an undo differs.
    package func hash(with url: String?, using crypto: some Cryptography) -> Bytes32 {
        var compared = self
        compared.base = nil
        compared.undone = nil
        compared.overruled = []
        compared.chance.roll?.answers = []
        var writer = CBORWriter()
        compared.write(to: &writer)
        writer.text(url ?? "")
        return crypto.sha256(Slice(writer.finish()))
    }
}
