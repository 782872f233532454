/// An event that discovery reports to the node.
package enum DiscoveryEvent: Equatable, Sendable {
    /// A node was found; may be repeated for the same node, for example after avahi-daemon
    /// restarted.
    case found(DiscoveredService)
    /// A sighting was withdrawn.
    ///
    /// This is only a hint, because most departures are never announced. `others` is the number of
    /// sightings with the same short ID that remain.
    case lost(Sighting, shortID: String, others: Int)
    case stateChanged(DiscoveryState)
    /// The filter excludes this interface; reported once per name.
    case interfaceSkipped(name: String, reason: InterfaceFilter.Verdict)
    /// Another service has the instance name: a clone of this device, or a record left over from a
    /// crash.
    case collision(name: String, newName: String?)
    /// An announcement was refused; at most a few are reported per minute.
    case refused(name: String, DiscoveryError)
    case warning(DiscoveryWarning)
}

/// The state of discovery.
package enum DiscoveryState: Equatable, Sendable {
    /// Discovery was not started, or was stopped.
    case stopped
    /// There is no D-Bus system bus; discovery tries to connect every second.
    case waitingForBus
    /// There is a bus, but avahi-daemon is not running.
    case waitingForDaemon
    /// avahi-daemon is choosing a host name.
    case waitingForHostName
    /// Discovery browses, if wanted, and announces nothing, or nothing yet.
    case running
    /// Discovery browses, if wanted; no interface is there on which the service may be announced.
    case noInterface
    /// Discovery browses, if wanted, and the service is announced under this name.
    case published(name: String)

    /// Whether the service is announced.
    package var isPublished: Bool {
        if case .published = self { true } else { false }
    }
}

/// A problem that an operator should know; discovery recovers from it by itself.
package enum DiscoveryWarning: Equatable, Sendable {
    /// There is no bus or no avahi-daemon, so the node dials only addresses that a person gave or
    /// peers sent; reported once per outage.
    case unavailable(cause: String)
    /// Browsing failed and will be retried.
    case browseFailed(cause: String)
    /// The service could not be announced; retried after `DiscoveryLimits.publishBackoff`.
    case publishFailed(cause: String)
    /// The filter allows no existing interface, so nothing is announced.
    case noInterfaceAllowed
    /// More services are announced than `DiscoveryLimits.services` allows; `count` were dropped so
    /// far.
    case servicesDropped(count: Int)
    /// Within the last window, `count` more announcements were refused than reported.
    case refusalsCounted(count: Int)
}
