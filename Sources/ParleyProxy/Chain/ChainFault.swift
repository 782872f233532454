/// Something that a toxic did to a stream, for counters and traces.
package struct ChainFault: Hashable, Sendable {
    package let toxic: String
    /// The first byte that it was done to.
    package let offset: UInt64
    package let act: Act

    package enum Act: Hashable, Sendable {
        /// The bytes from there on wait for so many nanoseconds.
        case delayed(Int64)
        case dropped(Int)
        /// The byte became another one.
        case changed(from: UInt8, to: UInt8)
        /// The stream was cut there in two writes.
        case cut
        case closed
        case reset
    }
}
