import CAvahi
import Dispatch
import Glibc
import ParleyLoop

/// Publishing the service of this node.
extension Discovery {
    /// Carries out an action of `PublicationMachine`.
    func apply(_ action: PublicationMachine.Action) {
        switch action {
        case .none: break
        case .withdraw: withdraw()
        case .register(let publication, let name): register(publication, as: name)
        }
    }

    private func withdraw() {
        guard let group = connection?.group else { return }
        connection?.group = nil
        avahi_entry_group_free(group.pointer)
    }

    /// Registers the service in a new entry group.
    ///
    /// Late reports of a freed group are ignored, but late reports of a reset group would look like
    /// new ones.
    private func register(_ publication: Publication, as name: String) {
        withdraw()
        guard let client = connection?.client else { return }
        let interfaces = interfaces(for: publication)
        hasInterface = !interfaces.isEmpty
        if !hasInterface {
            publishing.failed(at: now)
            emit(.warning(.noInterfaceAllowed))
            return
        }
        serial += 1
        let pointer = avahi_entry_group_new(
            client,
            { group, state, userdata in
                let group = Int(bitPattern: group)
                Discovery.enter(userdata) { $0.groupReported(group, state) }
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
        guard let pointer else { return registrationFailed(lastCode) }
        connection?.group = (pointer, serial)
        for interface in interfaces {
            let code = add(publication, as: name, on: interface, to: pointer)
            if code != AVAHI_OK { return registrationFailed(code) }
        }
        let code = avahi_entry_group_commit(pointer)
        if code != AVAHI_OK { registrationFailed(code) }
    }

    private func add(
        _ publication: Publication,
        as name: String,
        on interface: AvahiIfIndex,
        to group: OpaquePointer
    ) -> Int32 {
        var list: UnsafeMutablePointer<AvahiStringList>?
        for string in publication.text.strings {
            list = avahi_string_list_add_arbitrary(list, string, string.count)
        }
        defer { avahi_string_list_free(list) }
        return avahi_entry_group_add_service_strlst(
            group,
            interface,
            AvahiProtocol(AVAHI_PROTO_UNSPEC),
            AvahiPublishFlags(rawValue: 0),
            name,
            Self.serviceType,
            nil,
            nil,
            publication.port,
            list
        )
    }

    /// The indices of the interfaces to publish on, or `AVAHI_IF_UNSPEC` for all.
    ///
    /// The filter must allow the interface, and its port must be reachable; excluded ones are
    /// reported.
    private func interfaces(for publication: Publication) -> [AvahiIfIndex] {
        if filter.usesEverything, publication.interfaces == nil {
            return [AvahiIfIndex(AVAHI_IF_UNSPEC)]
        }
        guard let names = if_nameindex() else { return [] }
        defer { if_freenameindex(names) }
        var numbers: [AvahiIfIndex] = []
        var entry = names
        while let name = entry.pointee.if_name {
            if isUsed(interface: String(cString: name)),
                publication.interfaces?.contains(entry.pointee.if_index) ?? true,
                numbers.count < DiscoveryLimits.publishedInterfaces
            {
                numbers.append(AvahiIfIndex(bitPattern: entry.pointee.if_index))
            }
            entry += 1
        }
        return numbers
    }

    /// Whether the filter allows the interface; reports an excluded one once per name.
    func isUsed(interface name: String) -> Bool {
        let verdict = filter.verdict(on: name)
        guard verdict != .used else { return true }
        if reportedInterfaces.count < DiscoveryLimits.reportedInterfaces,
            reportedInterfaces.insert(name).inserted
        {
            emit(.interfaceSkipped(name: name, reason: verdict))
        }
        return false
    }

    /// Handles a report of the entry group in a later job, because the group may be freed then.
    private func groupReported(_ group: Int, _ state: AvahiEntryGroupState) {
        guard let client = connection?.client, let current = connection?.group,
            Int(bitPattern: current.pointer) == group
        else { return }
        let code = avahi_client_errno(client)
        let serial = current.serial
        executor.queue.async { [weak self] in
            self?.assumeIsolated { $0.handle(state, code: code, serial: serial) }
        }
    }

    private func handle(_ state: AvahiEntryGroupState, code: Int32, serial: UInt64) {
        guard connection?.group?.serial == serial else { return }
        switch state {
        case AVAHI_ENTRY_GROUP_ESTABLISHED: publishing.established()
        case AVAHI_ENTRY_GROUP_COLLISION: registrationFailed(Int32(AVAHI_ERR_COLLISION))
        case AVAHI_ENTRY_GROUP_FAILURE: registrationFailed(code)
        default: break
        }
        settle()
    }

    private func registrationFailed(_ code: Int32) {
        withdraw()
        if code == AVAHI_ERR_COLLISION, let collision = publishing.collided(at: now) {
            emit(.collision(name: collision.name, newName: collision.newName))
            return
        }
        publishing.failed(at: now)
        if isConnectionLost(code) { return }
        emit(.warning(.publishFailed(cause: Self.text(of: code))))
    }
}
