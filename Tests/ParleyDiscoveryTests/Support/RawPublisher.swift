import CAvahi
import Dispatch
import ParleyDiscovery
import Testing

/// Announces arbitrary services, valid or not, over its own connection to the daemon.
///
/// All state is used on `queue` only, which callers enter with `sync`; that makes it `Sendable`.
final class RawPublisher: @unchecked Sendable {
    // The C handles are used on `queue` only.
    private let queue = DispatchQueue(label: "raw publisher")
    private let adapter: AvahiPollAdapter
    private var client: OpaquePointer?
    private var group: OpaquePointer?
    private var entries = 0

    /// The entries of one group; avahi-daemon allows 32.
    private static let groupMax = 30

    init() throws {
        adapter = AvahiPollAdapter(queue: queue)
        var code: Int32 = 0
        client = queue.sync {
            avahi_client_new(
                adapter.api,
                AvahiClientFlags(rawValue: 0),
                { _, _, _ in },
                nil,
                &code
            )
        }
        try #require(client != nil, "Avahi's code \(code)")
    }

    deinit { end() }

    /// Adds a service; `commit` announces it.
    func add(_ name: String, port: UInt16 = 9, strings: [[UInt8]]) throws {
        let code = queue.sync {
            if entries == Self.groupMax { commitGroup() }
            if group == nil {
                group = avahi_entry_group_new(client, { _, _, _ in }, nil)
                entries = 0
            }
            entries += 1
            var list: UnsafeMutablePointer<AvahiStringList>?
            for string in strings.reversed() {
                list = avahi_string_list_add_arbitrary(list, string, string.count)
            }
            defer { avahi_string_list_free(list) }
            return avahi_entry_group_add_service_strlst(
                group,
                AvahiIfIndex(AVAHI_IF_UNSPEC),
                AvahiProtocol(AVAHI_PROTO_UNSPEC),
                AvahiPublishFlags(rawValue: 0),
                name,
                Discovery.serviceType,
                nil,
                nil,
                port,
                list
            )
        }
        try #require(code == AVAHI_OK, "\(name): Avahi's code \(code)")
    }

    func commit() { queue.sync { commitGroup() } }

    /// Withdraws everything.
    func end() {
        queue.sync {
            if let client { avahi_client_free(client) }
            client = nil
            group = nil
        }
    }

    private func commitGroup() {
        if let group { avahi_entry_group_commit(group) }
        group = nil
    }
}
