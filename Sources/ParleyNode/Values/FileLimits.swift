/// The limits on offered files, each beyond `MessageLimits.pictureBytes`.
package struct FileLimits: Sendable {
    /// Bytes that the disk keeps free, beside what accepted files still need: far more than the
    /// store needs, which must go on when files have used up the rest.
    package var reserve = 512 << 20
    /// The files that the node keeps, offers and has accepted.
    package var files = 4_096
    /// The files that are sent at a time, and those of them to one device.
    package var sent = 4
    package var sentToDevice = 2
    /// The files that arrive at a time, in all and from one device; further ones wait.
    package var received = 4
    package var receivedFromDevice = 2
    /// The files that programs and pages hand over at a time.
    package var uploads = 8
    /// The length of a file that a guest sends or has the host fetch, in bytes, and the files that
    /// a guest offers and hands over at a time.
    package var guestFileBytes = 1 << 30
    package var guestFiles = 16
    /// Bytes that the disk keeps free of the files of guests, so that the host can send some, too.
    package var guestReserve = 2 << 30
    /// How long a connection may bring nothing.
    package var silence = Duration.seconds(30)
    /// How long the first bytes of a connection may take.
    package var opening = Duration.seconds(5)

    /// The bytes that one read of the disk brings, a multiple of a record of TLS.
    static let chunkBytes = 512 << 10
    /// The reads that are ahead of the network.
    static let chunksAhead = 3
    /// The bytes that wait for the disk: beyond the first nothing more is read from the network,
    /// and below the second again.
    static let waitingBytes = (most: 4 << 20, few: 1 << 20)
    /// How often listeners hear of a file that arrives.
    static let progressNanoseconds: UInt64 = 250_000_000

    package init() {}

    /// Whether a guest may send or get a file of that length.
    ///
    /// - Throws: `badDraft`.
    func checkLength(ofGuests bytes: Int) throws(NodeError) {
        guard bytes <= guestFileBytes else {
            throw .badDraft(
                "guests send and get files of at most \(guestFileBytes >> 20) MB; the host sends "
                    + "and gets longer ones"
            )
        }
    }
}
