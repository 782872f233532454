package import ParleyCore

/// What holds for a whole world.
///
/// The defaults are a network and disks that are steady and never fail: tests are written against
/// them. A swarm draws others.
package struct WorldSettings: Sendable, Equatable {
    /// What all randomness of the world follows from.
    package var seed: UInt64 = 1
    /// How long bytes, dials and handshakes are on their way, in microseconds.
    package var wireDelay: ClosedRange<Int64> = 1_000...1_000
    /// If not 0: delays of bytes are exponential with this mean above the lower end of `wireDelay`,
    /// in microseconds.
    package var wireDelayMean: Int64 = 0
    /// How long a commit takes, in microseconds.
    package var commitDelay: ClosedRange<Int64> = 2_000...2_000
    /// If not 0: commits take exponentially distributed times with this mean above the lower end of
    /// `commitDelay`, in microseconds.
    package var commitDelayMean: Int64 = 0
    /// Whether what waits is committed together, as a node's commit queue does; else one by one.
    package var groupsCommits = false
    /// The limits of nodes that have none of their own.
    package var limits = Limits()
    /// Whether bytes arrive cut anywhere.
    package var cutsBytes = true
    /// Bytes that the kernel takes for a connection before it makes the sender wait; 0: what was
    /// sent counts as taken when it has arrived.
    package var kernelBytes = 0
    /// How long a node's loop takes to come round, in microseconds: what its connections say
    /// meanwhile reaches it together, as a shell gathers it; 0: each by itself.
    package var turnDelay: Int64 = 0
    /// Bytes per second from one node to another; 0: no limit.
    package var bandwidth = 0
    /// Of 10,000 arrivals of bytes, so many break the connection in the middle of them.
    package var breaksPer10000 = 0
    /// Of 100 dials, so many fail.
    package var dialFailuresPer100 = 0
    /// Of 100 dials, so many come up on the accepting side only.
    package var halfDialsPer100 = 0
    /// How many conversations liars are in: those numbered from 1.
    package var conversations = 2
    /// Whether nodes remember what they told and the trace every envelope; a long run does not.
    package var remembers = true

    package init() {}
}
