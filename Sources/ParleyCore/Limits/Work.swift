/// The work that the bytes of a peer cause beyond their number, in units of about a microsecond.
///
/// Bytes alone do not bound the work of a turn: a record of TLS, a signature or an announcement
/// costs much more than its bytes. So each link may cause only so much work in one turn. The rest
/// waits in the line of the links that have used up their turns. The whole line gets one turn in
/// each iteration of the loop, so strangers cannot slow others down by being many.
///
/// The turns are those of deficit round robin (M. Shreedhar, G. Varghese: "Efficient Fair Queueing
/// Using Deficit Round-Robin", SIGCOMM 1995), with `perTurn` as the quantum. There a turn never
/// exceeds its quantum, and the remainder counts in the next turn. Here the work of a frame is
/// known only afterwards, so the last piece of a turn may exceed the quantum, and nothing is
/// carried over.
package enum Work {
    /// The work of one turn of a connection; the last piece may exceed it.
    package static let perTurn = 256
    /// The work of the frames of a member in one turn.
    ///
    /// A member may have much to say, as when others catch up on messages with a signature each,
    /// and every further turn is a further step of the machine.
    package static let perMemberTurn = 1_024
    /// A read, with its part in a step of the machine, however few bytes it brings.
    package static let read = 16
    /// A TLS record.
    package static let record = 1
    /// The check of a signature.
    static let signature = 64
    /// The opening of a receipt.
    static let receipt = 4
    /// The check of a chunk of a blob.
    static let chunk = 64
    /// The search for an address among the known ones.
    static let address = 16
    /// Any frame that is no envelope.
    static let frame = 1
}
