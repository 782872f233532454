import ParleyCore

/// A relay, which certifies nobody, or somebody with a guest's key, which certifies nobody either.
extension Intruder {
    /// Writes as a guest whose certificates are not those of a host.
    ///
    /// - Returns: whether it was possible.
    func poseAsGuest(in world: World) -> Bool {
        let table = SimulatedConversation(1)
        guard world.number(of: table, at: intrusion.node) != nil else { return false }
        world.emit(.intruded(device, [table.id]))
        var random = SeededRandom(seed: intrusion.pick)
        let key = SimulatedCryptography(seed: random.next())
        for seat in 1...2 {
            guard let author = impostor(key, at: seat, in: table, &random) else { continue }
            let session = "s\(intrusion.pick % 3)"
            let header = author.author.header(session, 1, revision: 3)
            let envelope = author.author.envelope(header, session: session, text: "posed")
            visit(
                intrusion.node,
                table,
                saying: [
                    .origin(OriginFrame(conversation: 0, record: author.record)),
                    author.author.frame(envelope),
                ],
                in: world
            )
        }
        return true
    }

    /// A guest and its false record.
    private func impostor(
        _ key: SimulatedCryptography,
        at seat: Int,
        in table: SimulatedConversation,
        _ random: inout SeededRandom
    ) -> (author: SimulatedAuthor, record: OriginRecord)? {
        var author = SimulatedAuthor(crypto: key, table: table)
        guard let seat = SeatNumber(seat), let other = SeatNumber(9) else { return nil }
        author.host = (crypto, seat)
        guard let host = author.record.host else { return nil }
        var certificate = author.record.certificate
        var hostCertificate = host.certificate
        switch random.next() % 3 {
        case 0: hostCertificate = crypto.sign(device.certifiedBytes.span.bytes)
        case 1:
            let signed = author.device.certifiedBytes(asGuestAt: other, in: table.id)
            certificate = crypto.sign(signed.span.bytes)
        default:
            // A guest, of whoever, signs for its host.
            let signed = device.certifiedBytes(asGuestAt: seat, in: table.id)
            hostCertificate = SimulatedCryptography(seed: random.next()).sign(signed.span.bytes)
        }
        let record = OriginRecord(
            deviceKey: key.devicePublicKey,
            epoch: author.epoch,
            certificate: certificate,
            host: OriginHost(
                deviceKey: host.deviceKey,
                certificate: hostCertificate,
                seat: seat
            )
        )
        return (author, record)
    }
}
