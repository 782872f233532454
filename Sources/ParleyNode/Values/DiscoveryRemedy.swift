/// The remedy on a machine without a running avahi-daemon.
package enum DiscoveryRemedy {
    /// The commands to start the daemon and to install it, as the end of a sentence.
    package static let startDaemon =
        "sudo systemctl start avahi-daemon (if it is missing: sudo apt-get install avahi-daemon)"
}
