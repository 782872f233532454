/// Every limit of discovery, in one place: whatever a network announces, this is all it gets.
package enum DiscoveryLimits {
    /// Resolvers at work at a time; avahi-daemon allows a client 1,024 objects.
    package static let resolvers = 64
    /// Services that wait for a resolver, and services known; beyond it the newest are dropped.
    package static let services = 4_096
    /// How often a service that cannot be resolved is tried, the first time included.
    package static let resolveAttempts = 4
    /// Names that are resolved before all others.
    package static let preferredNames = 4_096
    /// A DNS-SD instance name, in bytes of UTF-8 (RFC 6763, section 4.1.1).
    package static let instanceNameBytes = 63
    /// The human name of a device as it is announced, in bytes of UTF-8.
    package static let deviceNameBytes = 128
    /// All strings of our TXT record with their length bytes (RFC 6763, section 6.2).
    package static let announcedTextBytes = 400
    /// The same of a record that is read; larger ones are refused.
    package static let receivedTextBytes = 1_400
    /// Strings of a TXT record that is read.
    package static let receivedTextStrings = 64
    /// The shortest and the longest short ID, in ASCII letters and digits.
    package static let shortIDCharacters = 8...64
    /// Interfaces that one publication names when globs choose them; avahi-daemon allows a group
    /// 32 entries.
    package static let publishedInterfaces = 16
    /// Globs of one interface filter.
    package static let globs = 64
    /// One glob, in bytes; an interface name has at most 15.
    package static let globBytes = 64
    /// Interface names that are remembered as reported.
    package static let reportedInterfaces = 256
    /// Other names that are tried after a collision.
    package static let alternativeNames = 3
    /// Refusals reported within one `refusalWindow`; the others are counted.
    package static let refusalsPerWindow = 8
    /// How long refusals are counted together.
    package static let refusalWindow: Duration = .seconds(60)
    /// The least time between two commits of the own service.
    package static let commitSpacing: Duration = .seconds(3)
    /// How long a service stays withdrawn before it is announced with another port or text.
    ///
    /// Others drop it 1 s after they hear of it; what comes back sooner they never look at again.
    package static let withdrawal: Duration = .seconds(2)
    /// How long a publication that cannot be made rests before the next try.
    package static let publishRest: Duration = .seconds(600)
}
