/// The limits of discovery, which bound the cost of whatever a network announces.
package enum DiscoveryLimits {
    /// Resolvers that run at a time; avahi-daemon allows a client 1,024 objects.
    package static let resolvers = 64
    /// Known services, resolved or waiting for a resolver; beyond the limit the newest are dropped.
    package static let services = 4_096
    /// Attempts to resolve a service, including the first.
    package static let resolveAttempts = 4
    /// A DNS-SD instance name, in bytes of UTF-8 (RFC 6763, section 4.1.1).
    package static let instanceNameBytes = 63
    /// The human-readable name of a device as it is announced, in bytes of UTF-8.
    package static let deviceNameBytes = 128
    /// The size of the announced TXT record in bytes: all strings with their length bytes (RFC
    /// 6763, section 6.2).
    package static let announcedTextBytes = 400
    /// The size of a received TXT record in bytes; larger ones are refused.
    package static let receivedTextBytes = 1_400
    /// Strings of a received TXT record.
    package static let receivedTextStrings = 64
    /// The shortest and the longest short ID, in ASCII letters and digits.
    package static let shortIDCharacters = 8...64
    /// Interfaces on which a service is published when globs select them; avahi-daemon allows 32
    /// entries in a group.
    package static let publishedInterfaces = 16
    /// Globs of one interface filter.
    package static let globs = 64
    /// The length of a glob, in bytes; an interface name has at most 15.
    package static let globBytes = 64
    /// Names of excluded interfaces that are remembered, so that each is reported once.
    package static let reportedInterfaces = 256
    /// Alternative instance names that are tried after collisions.
    package static let alternativeNames = 3
    /// Refusals that are reported singly within one `refusalWindow`; the others are only counted.
    package static let refusalsPerWindow = 8
    /// The length of the window in which refusals are counted together.
    package static let refusalWindow: Duration = .seconds(60)
    /// The least time between two announcements of the own service.
    package static let commitSpacing: Duration = .seconds(3)
    /// How long a new browser has to report the services that the former browser had found.
    ///
    /// A browser asks at once, and services answer within 120 ms (RFC 6762, section 6); the
    /// question is repeated after 1 s and after another 2 s (section 5.2).
    package static let confirmation: Duration = .seconds(5)
    /// How long a service stays withdrawn before it is announced with another port or text.
    ///
    /// Other nodes drop a withdrawn service after 1 s. A service that came back sooner would not be
    /// reported by browsers, nor resolved again.
    package static let withdrawal: Duration = .seconds(2)
    /// The delay before a failed publication is retried.
    package static let publishBackoff: Duration = .seconds(600)
}
