import ParleyCore

/// A writer that fills the quotas of others with valid messages.
extension Intruder {
    /// Writes in one epoch after the other or as one guest after the other, differently for each of
    /// the two nodes.
    ///
    /// The messages begin new sessions, replace earlier ones, and compete in existing sessions.
    func flood(_ table: SimulatedConversation, in world: World) {
        var random = SeededRandom(seed: intrusion.pick ^ device.hint)
        for node in [intrusion.node, intrusion.other] {
            var author = SimulatedAuthor(crypto: crypto, table: table)
            var frames: [Frame] = []
            for _ in 0..<intrusion.epochs {
                if intrusion.kind == .inventsGuests { author = guest(in: table, &random) }
                author.epoch = Epoch(random.next())
                frames.append(author.originFrame)
                for sequence in 1...UInt64(intrusion.written) {
                    let envelope = flood(author, sequence, &random)
                    world.emit(.wrote(envelope, table.id))
                    frames.append(author.frame(envelope))
                }
            }
            let half = frames.count / 2
            let end = visit(node, table, saying: Array(frames[..<half]), in: world)
            say(Array(frames[half...]), on: end, after: 300, in: world)
        }
    }

    /// A guest at a seat of this device, with a key that nobody had before.
    private func guest(
        in table: SimulatedConversation,
        _ random: inout SeededRandom
    ) -> SimulatedAuthor {
        let key = SimulatedCryptography(seed: random.next())
        var guest = SimulatedAuthor(crypto: key, table: table)
        let seat = SeatNumber(UInt8.random(in: SeatNumber.all, using: &random))
        guest.host = seat.map { (crypto, $0) }
        return guest
    }

    private func flood(
        _ author: SimulatedAuthor,
        _ sequence: UInt64,
        _ random: inout SeededRandom
    ) -> Slice {
        let name =
            switch random.next() % 8 {
            case 0: "s\(random.next() % 3)"
            case 1: "flood"
            default: "flood \(author.epoch.value) \(sequence / 2)"
            }
        let header = author.header(name, sequence, revision: sequence)
        let length = Int(random.next() % 4) << 9
        let text = "\(author.epoch.value) \(sequence) " + String(repeating: "x", count: length)
        return author.envelope(header, session: name, text: text)
    }
}
