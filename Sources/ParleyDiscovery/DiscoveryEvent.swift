/// What discovery tells the node.
package enum DiscoveryEvent: Equatable, Sendable {
    /// A node was seen; may repeat for the same one, for example after avahi-daemon restarted.
    case found(DiscoveredService)
    /// A sighting was withdrawn: a hint, since most departures are never announced.
    ///
    /// `others` is how many sightings of the same short ID remain.
    case lost(Sighting, shortID: String, others: Int)
    case stateChanged(DiscoveryState)
    /// The globs exclude this interface; said once per name.
    case interfaceSkipped(name: String, reason: InterfaceFilter.Verdict)
    /// Somebody else has our name: a clone of this device, or a record left over from a crash.
    case collision(name: String, newName: String?)
    /// The network announced something that cannot be used; at most a few are said per minute.
    case refused(name: String, DiscoveryError)
    case warning(DiscoveryWarning)
}

/// How far discovery has come.
package enum DiscoveryState: Equatable, Sendable {
    /// Not started, or stopped.
    case stopped
    /// There is no D-Bus system bus; it is asked for again every second.
    case waitingForBus
    /// There is a bus and no avahi-daemon on it.
    case waitingForDaemon
    /// avahi-daemon is choosing a host name.
    case waitingForHostName
    /// Browsing, if wanted; not announced, or not yet.
    case running
    /// Browsing, if wanted, and announced under this name.
    case published(name: String)
}

/// Something that an operator should know; discovery goes on by itself.
package enum DiscoveryWarning: Equatable, Sendable {
    /// No bus or no avahi-daemon: only addresses given by hand, and those told by peers, are
    /// dialled. Said once per outage.
    case unavailable(cause: String)
    /// Browsing failed and will be tried again.
    case browseFailed(cause: String)
    /// The service could not be announced; tried again in `DiscoveryLimits.publishRest`.
    case publishFailed(cause: String)
    /// No present interface is allowed by the globs, so nothing is announced.
    case noInterfaceAllowed
    /// More services are announced than `DiscoveryLimits.services`: this many were dropped so far.
    case servicesDropped(count: Int)
    /// This many more announcements were refused within the last window.
    case refusalsCounted(count: Int)
}
