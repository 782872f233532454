package import ParleyCore

/// The settings of a world.
///
/// By default the network and the disks have constant delays and never fail; tests rely on it.
/// `Swarm` draws other settings.
package struct WorldSettings: Sendable, Equatable {
    /// The seed of all randomness of the world.
    package var seed: UInt64 = 1
    /// The delay of bytes, dials and handshakes, in microseconds.
    package var wireDelay: ClosedRange<Int64> = 1_000...1_000
    /// If not 0, delays of bytes are exponentially distributed with this mean above the lower end
    /// of `wireDelay`, in microseconds.
    package var wireDelayMean: Int64 = 0
    /// The duration of a commit, in microseconds.
    package var commitDelay: ClosedRange<Int64> = 2_000...2_000
    /// If not 0, commits take exponentially distributed times with this mean above the lower end of
    /// `commitDelay`, in microseconds.
    package var commitDelayMean: Int64 = 0
    /// Whether waiting writes are committed together, as in a node's commit queue, or one by one.
    package var groupsCommits = false
    /// The limits of nodes that have none of their own.
    package var limits = Limits()
    /// Whether bytes arrive cut anywhere.
    package var cutsBytes = true
    /// The size of the kernel's send buffer of a connection; 0: bytes count as taken when they have
    /// arrived.
    package var kernelBytes = 0
    /// The duration of an iteration of a node's event loop, in microseconds: inputs from
    /// connections in one iteration reach the node together, as in a shell; 0: each input by
    /// itself.
    package var iterationDelay: Int64 = 0
    /// Bytes per second from one node to another; 0: no limit.
    package var bandwidth = 0
    /// The number of arrivals of 10,000 that break the connection in the middle of the bytes.
    package var breaksPer10000 = 0
    /// The percentage of dials that fail.
    package var dialFailuresPer100 = 0
    /// The percentage of dials that open on the accepting side only.
    package var halfDialsPer100 = 0
    /// The number of conversations that Byzantine writers are in, numbered from 1.
    package var conversations = 2
    /// The number of conversations that everybody may join, numbered from 1.
    package var openConversations = 0
    /// The number of nodes, from the first, that are devices of one person.
    package var ownedNodes = 0
    /// Whether deliveries and sent envelopes are recorded for tests; long runs record none.
    package var remembers = true

    package init() {}
}
