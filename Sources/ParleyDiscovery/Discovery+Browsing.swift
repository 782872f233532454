import CAvahi
import Glibc
import ParleyLoop

/// Browsing for the services of other nodes and resolving them.
extension Discovery {
    /// Makes the browser, if the daemon is running and there is no browser yet.
    func startBrowsing() {
        browseAgainAt = nil
        guard client.state == .running, isBrowsingWanted, let pointer = connection?.client,
            connection?.browser == nil
        else { return }
        let browser = avahi_service_browser_new(
            pointer,
            AvahiIfIndex(AVAHI_IF_UNSPEC),
            AvahiProtocol(AVAHI_PROTO_UNSPEC),
            Self.serviceType,
            nil,
            AvahiLookupFlags(rawValue: 0),
            { _, interface, family, event, name, _, domain, flags, userdata in
                let sighting = Announcement(
                    interface: interface,
                    family: family,
                    name: AvahiText.bytes(of: name),
                    domain: AvahiText.bytes(of: domain),
                    isOwn: flags.rawValue & AVAHI_LOOKUP_RESULT_OUR_OWN.rawValue != 0,
                    isLocal: flags.rawValue & AVAHI_LOOKUP_RESULT_LOCAL.rawValue != 0
                )
                Discovery.enter(userdata) { $0.browsed(event, sighting) }
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
        connection?.browser = browser
        if browser == nil { return browsingFailed() }
        found.browserBegan(at: now)
    }

    /// Frees the browser and the resolvers and forgets all services.
    func stopBrowsing() {
        if let resolvers = connection?.resolvers {
            for pointer in resolvers.values { avahi_service_resolver_free(pointer) }
        }
        connection?.resolvers = [:]
        connection?.sought = [:]
        connection?.local = []
        if let browser = connection?.browser { avahi_service_browser_free(browser) }
        connection?.browser = nil
        browseAgainAt = nil
        resolving.removeAll()
        found.removeAll()
    }

    private func browsed(_ event: AvahiBrowserEvent, _ announcement: Announcement) {
        switch event {
        case AVAHI_BROWSER_NEW:
            // `isOwn` is true only for the service of this connection, not for other nodes on this
            // machine.
            guard !announcement.isOwn, let key = key(of: announcement) else { return }
            found.confirmed(key)
            if resolving.appeared(key), announcement.isLocal { connection?.local.insert(key) }
            startResolvers()
        case AVAHI_BROWSER_REMOVE:
            guard let key = key(of: announcement) else { return }
            connection?.local.remove(key)
            freeResolver(of: key)
            resolving.vanished(key)
            emit(found.lost(key))
            startResolvers()
        case AVAHI_BROWSER_FAILURE:
            browsingFailed()
        default:
            break
        }
        settle()
    }

    private func browsingFailed() {
        let code = lastCode
        if let browser = connection?.browser { avahi_service_browser_free(browser) }
        connection?.browser = nil
        found.browserEnded()
        browseAgainAt = now + .seconds(10)
        if isConnectionLost(code) { return }
        emit(.warning(.browseFailed(cause: Self.text(of: code))))
    }

    /// The key of a valid announcement; nil if it is refused, not in the domain `local`, or on an
    /// interface that the filter excludes.
    private func key(of announcement: Announcement) -> ResolveQueue.Key? {
        let family = announcement.family
        guard announcement.interface > 0, announcement.isLinkLocal,
            family == AVAHI_PROTO_INET || family == AVAHI_PROTO_INET6
        else { return nil }
        let bytes = announcement.name
        guard let name = String(validating: bytes, as: UTF8.self), !name.isEmpty,
            bytes.count <= DiscoveryLimits.instanceNameBytes, NameText.isPrintable(name)
        else {
            refuse(String(decoding: bytes, as: UTF8.self), .instanceNameMalformed)
            return nil
        }
        guard isUsed(interface: announcement.interface.interfaceName) else { return nil }
        return ResolveQueue.Key(
            name: name,
            interfaceIndex: announcement.interface,
            isIPv6: family == AVAHI_PROTO_INET6
        )
    }

    // MARK: Resolving

    /// Starts resolvers for waiting sightings, as far as the limit allows.
    func startResolvers() {
        guard let client = connection?.client else { return }
        while let key = resolving.next() {
            let family = AvahiProtocol(key.isIPv6 ? AVAHI_PROTO_INET6 : AVAHI_PROTO_INET)
            let resolver = avahi_service_resolver_new(
                client,
                key.interfaceIndex,
                family,
                key.name,
                Self.serviceType,
                "local",
                // The address must be of the same family, otherwise the answer for an IPv4 sighting
                // may be a link-local IPv6 address.
                family,
                AvahiLookupFlags(rawValue: 0),
                { resolver, _, _, event, _, _, _, _, address, port, text, _, userdata in
                    let answer = Answer(
                        resolver: Int(bitPattern: resolver),
                        isFound: event == AVAHI_RESOLVER_FOUND,
                        address: AvahiText.bytes(of: address),
                        port: port,
                        strings: AvahiText.strings(of: text)
                    )
                    Discovery.enter(userdata) { $0.resolved(answer) }
                },
                Unmanaged.passUnretained(self).toOpaque()
            )
            guard let resolver else {
                let code = lastCode
                resolvingFailed(key, code: code)
                // If the daemon hangs, each further attempt would block for 25 s.
                if isConnectionLost(code) { return }
                continue
            }
            connection?.resolvers[key] = resolver
            connection?.sought[Int(bitPattern: resolver)] = key
        }
    }

    private func resolved(_ answer: Answer) {
        guard let key = connection?.sought[answer.resolver] else { return }
        let code = lastCode
        freeResolver(of: key)
        if answer.isFound {
            resolving.resolved(key)
            do throws(DiscoveryError) {
                let service = try answer.service(at: key)
                emit(isOwn(service, at: key) ? found.lost(key) : found.found(service, at: key))
            } catch {
                emit(found.lost(key))
                resolving.vanished(key)
                refuse(key.name, error)
            }
        } else {
            resolvingFailed(key, code: code)
        }
        startResolvers()
        settle()
    }

    private func resolvingFailed(_ key: ResolveQueue.Key, code: Int32) {
        if !resolving.failed(key, at: now) {
            emit(found.lost(key))
            refuse(key.name, .unresolvable(code: code))
        }
    }

    private func freeResolver(of key: ResolveQueue.Key) {
        guard let pointer = connection?.resolvers.removeValue(forKey: key) else { return }
        connection?.sought[Int(bitPattern: pointer)] = nil
        avahi_service_resolver_free(pointer)
    }

    /// Whether `service` is the service of this node, left in the daemon by an earlier connection.
    ///
    /// A copy of this device on another machine or port does not count; the link detects the copy.
    private func isOwn(_ service: DiscoveredService, at key: ResolveQueue.Key) -> Bool {
        guard let own = publishing.wanted, connection?.local.contains(key) ?? false else {
            return false
        }
        return service.shortID == own.shortID && service.port == own.port
    }

    private func refuse(_ name: String, _ error: DiscoveryError) {
        guard refusals.admit(at: now) else { return }
        let shown = NameText.cleaned(name, bytesMax: DiscoveryLimits.instanceNameBytes)
        emit(.refused(name: shown, error))
    }
}

/// An event of a browser, copied out of its callback.
private struct Announcement: Sendable {
    let interface: AvahiIfIndex
    let family: AvahiProtocol
    let name: [UInt8]
    let domain: [UInt8]
    /// Whether this connection to the daemon announces the service.
    let isOwn: Bool
    /// Whether the avahi-daemon of this machine announces the service.
    let isLocal: Bool

    /// Whether the domain is `local`, the domain of mDNS; case is ignored.
    var isLinkLocal: Bool {
        let local = "local".utf8
        return domain.count == local.count && zip(domain, local).allSatisfy { $0 | 0x20 == $1 }
    }
}

/// The answer of a resolver, copied out of its callback.
private struct Answer: Sendable {
    /// The pointer to the resolver as a number, which is the key in `sought`.
    let resolver: Int
    let isFound: Bool
    let address: [UInt8]
    let port: UInt16
    let strings: [[UInt8]]

    /// The service that the answer describes.
    func service(at key: ResolveQueue.Key) throws(DiscoveryError) -> DiscoveredService {
        let text = try ServiceText(decoding: strings)
        guard port > 0 else { throw .portZero }
        guard HostAddress.isUsable(address), (address.count == 16) == key.isIPv6 else {
            throw .addressUnusable
        }
        return DiscoveredService(
            sighting: Sighting(
                instanceName: key.name,
                interfaceIndex: key.interfaceIndex,
                interfaceName: key.interfaceIndex.interfaceName,
                isIPv6: key.isIPv6
            ),
            shortID: text.shortID,
            deviceName: text.deviceName,
            version: text.version,
            address: address,
            port: port
        )
    }
}

extension AvahiIfIndex {
    /// The name of the interface with this index, empty if there is none.
    fileprivate var interfaceName: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(IF_NAMESIZE)) { buffer in
            guard let start = buffer.baseAddress,
                let name = if_indextoname(UInt32(bitPattern: self), start)
            else { return "" }
            return String(cString: name)
        }
    }
}
