import Glibc
import ParleyLoop

/// What the kernel knows about one connection.
package struct ConnectionHealth: Sendable, Equatable {
    /// The smoothed round trip, in microseconds; 0 before it was measured.
    package let roundTripMicroseconds: Int
    /// Segments sent and not acknowledged.
    package let unacknowledgedSegments: Int
    /// Since bytes last arrived, in milliseconds.
    package let sinceReceived: Int
    /// Since an acknowledgement last arrived, in milliseconds.
    package let sinceAcknowledged: Int
    /// Segments sent again on this connection so far.
    package let retransmissions: Int

    init?(_ descriptor: Descriptor) {
        var info = tcp_info()
        var size = socklen_t(MemoryLayout<tcp_info>.size)
        let level = Int32(IPPROTO_TCP)
        guard getsockopt(descriptor.number, level, TCP_INFO, &info, &size) == 0 else { return nil }
        roundTripMicroseconds = Int(info.tcpi_rtt)
        unacknowledgedSegments = Int(info.tcpi_unacked)
        sinceReceived = Int(info.tcpi_last_data_recv)
        sinceAcknowledged = Int(info.tcpi_last_ack_recv)
        retransmissions = Int(info.tcpi_total_retrans)
    }
}
