import ParleyAPI
import ParleyCore
import ParleyDiscovery
import ParleyNode
import ParleyTransport

/// The checks of avahi-daemon and of multicast DNS.
struct DiscoveryChecks {
    let view: NodeView
    let network: NetworkView

    func findings() async -> [Finding] {
        guard view.status?.discovery.state != .off else {
            return [Finding("avahi", .skipped, "the node was started without discovery")]
        }
        let daemon = daemon
        guard daemon.state == .ok else {
            guard view.status == nil else { return [daemon] }
            let evidence = "\(daemon.evidence); no node says whether it uses discovery"
            return [Finding(daemon.check, .skipped, evidence, cure: daemon.cure)]
        }
        let announcement = announcement
        // On a machine that drops its own announcements, silence of others means nothing.
        guard announcement.state == .ok else { return [daemon, announcement] }
        return [daemon, announcement, await others()]
    }

    private var daemon: Finding {
        let check = "avahi"
        // The cause may be the state in the same words, followed by the reason.
        let words = { (state: String) in
            guard let cause = network.trouble else { return state }
            return cause.hasPrefix(state) ? cause : "\(state): \(cause)"
        }
        switch network.daemon {
        case .stopped, .waitingForBus:
            let cure = "sudo systemctl start dbus avahi-daemon"
            return Finding(check, .critical, words("no D-Bus system bus"), cure: cure)
        case .waitingForDaemon where isRefused:
            let cure = "grep -rl org.freedesktop.Avahi /etc/dbus-1 /usr/share/dbus-1   # the policy"
            let words = "the bus does not let this user ask avahi-daemon"
            return Finding(check, .critical, words, cure: cure)
        case .waitingForDaemon:
            let cure = DiscoveryRemedy.startDaemon
            return Finding(check, .critical, words("avahi-daemon does not run"), cure: cure)
        case .waitingForHostName:
            let cure = "sudo systemctl restart avahi-daemon"
            return Finding(check, .warning, "avahi-daemon finds no host name", cure: cure)
        case .running, .noInterface, .published:
            return Finding(check, .ok, "avahi-daemon runs, and this user may ask it")
        }
    }

    /// Whether the bus refuses this user's calls to avahi-daemon.
    ///
    /// libavahi reports a refusal as a daemon that does not run.
    private var isRefused: Bool {
        // A call to a name without an owner would start the daemon.
        let ask = """
            call='timeout 5 dbus-send --system --print-reply'
            $call --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner \
                string:org.freedesktop.Avahi 2>&1 | grep -q true || exit 0
            $call --dest=org.freedesktop.Avahi / org.freedesktop.Avahi.Server.GetState 2>&1 || :
            """
        return SystemProgram.output(of: "sh", ["-c", ask])?.contains("AccessDenied") ?? false
    }

    /// Whether the daemon's announcements can be heard on the announcing interfaces.
    private var announcement: Finding {
        let check = "announcement"
        guard let status = view.status else {
            return Finding(check, .skipped, view.problem.message)
        }
        guard let name = status.discovery.name else {
            let words = "the node is not announced: \(status.discovery.detail)"
            // The bus may admit this user, and not the user of the node.
            let isWaiting = status.discovery.state.rawValue.hasPrefix("waiting")
            let cure = isWaiting ? "parley doctor   # as the user of the node" : nil
            return Finding(check, .critical, words, cure: cure)
        }
        let announced = network.services.filter { $0.instanceName == name }
            .map {
                MulticastProbe.Place(
                    interfaceIndex: UInt32(clamping: $0.interfaceIndex),
                    isIPv6: $0.isIPv6
                )
            }
        let places = Set(announced).sorted { network.text($0) < network.text($1) }
        guard !places.isEmpty else {
            guard status.discovery.state != .publishedHere else {
                return Finding(check, .skipped, "the node listens on the loopback only")
            }
            let cure = "sudo systemctl restart avahi-daemon   # and see allow-interfaces in "
            return Finding(
                check,
                .critical,
                "avahi-daemon announces \(name) on no interface",
                cure: cure + "/etc/avahi/avahi-daemon.conf"
            )
        }
        let silent = places.filter { place in
            !network.heard.answers.contains {
                $0.place == place && network.isOwn($0) && $0.names(name)
            }
        }
        guard silent.isEmpty else {
            let words = silent.map { place in
                network.text(place) + (network.heard.failures[place].map { " (\($0))" } ?? "")
            }
            return Finding(
                check,
                .critical,
                "\(name) is announced and cannot be heard on \(words.joined(separator: ", ")): "
                    + "this machine drops multicast DNS",
                cure: "sudo parley doctor   # which reads the firewall, too"
            )
        }
        let words = places.map(network.text).joined(separator: ", ")
        return Finding(check, .ok, "\(name) is heard on \(words)")
    }

    /// Whether others are heard, unlike on a network that drops multicast.
    private func others() async -> Finding {
        let check = "others"
        let answers = network.heard.answers.filter { !network.isOwn($0) }
        let nodes = Set(answers.filter { $0.names("_parley") }.map(Self.source)).sorted()
        if !nodes.isEmpty {
            return Finding(check, .ok, "nodes answer at \(nodes.joined(separator: ", "))")
        }
        let devices = Set(answers.map(Self.source)).sorted()
        if !devices.isEmpty {
            let words = devices.prefix(4).joined(separator: ", ")
            return Finding(check, .ok, "devices answer, but no node: \(words)")
        }
        let near = view.peers.filter { $0.state == .connected && isNear($0.address) }
        let places = near.compactMap { try? SocketAddress(parsing: $0.address) }
        // A node need not be announced, so only the daemon of the other machine can tell.
        let announced = await NetworkView.announced(at: places)
        if let one = zip(near, announced).first(where: { $0.1 })?.0 {
            return Finding(
                check,
                .warning,
                "nobody answers, although \(one.name ?? one.address) is announced over there: the "
                    + "network or the other machine drops multicast DNS",
                cure: "parley doctor   # there; or turn off the isolation of clients in the network"
            )
        }
        let linked = near.first.map { "\($0.name ?? $0.address) is not announced" }
        return Finding(
            check,
            .skipped,
            "nobody answers: \(linked ?? "no other device is there"), or the network drops "
                + "multicast DNS, which cannot be told apart from here",
            cure: "parley doctor   # on another machine of the network"
        )
    }

    private static func source(_ answer: MulticastProbe.Answer) -> String {
        IPAddress(bytes: answer.source).map { "\($0)" } ?? "?"
    }

    /// Whether an address probably belongs to a network of this machine.
    private func isNear(_ text: String) -> Bool {
        guard let ip = (try? SocketAddress(parsing: text))?.ip, !LocalAddress.isHere(ip) else {
            return false
        }
        return network.local.contains { each in
            switch (each.address?.ip, ip) {
            case (.v4(let one), .v4(let other)): one >> 8 == other >> 8
            case (.v6(let one), .v6(let other)): one.words.0 == other.words.0
            default: false
            }
        }
    }
}
