import CAvahi
import Glibc

/// Copies the values that libavahi passes to a callback and frees afterwards.
enum AvahiText {
    /// The strings of a TXT record, at most one more than allowed, to recognise a long record.
    static func strings(of list: UnsafeMutablePointer<AvahiStringList>?) -> [[UInt8]] {
        var strings: [[UInt8]] = []
        var item = list
        while let here = item, strings.count <= DiscoveryLimits.receivedTextStrings {
            let bytes = UnsafeBufferPointer(
                start: avahi_string_list_get_text(here),
                count: avahi_string_list_get_size(here)
            )
            strings.append(Array(bytes))
            item = avahi_string_list_get_next(here)
        }
        return strings
    }

    /// The bytes of a C string without the terminating zero; empty if `string` is nil.
    static func bytes(of string: UnsafePointer<CChar>?) -> [UInt8] {
        guard let string else { return [] }
        return UnsafeBufferPointer(start: string, count: strlen(string)).map(
            UInt8.init(bitPattern:)
        )
    }

    /// The 4 or 16 bytes of an address in network order; empty if `address` is nil.
    static func bytes(of address: UnsafePointer<AvahiAddress>?) -> [UInt8] {
        guard let address = address?.pointee else { return [] }
        switch address.proto {
        case AvahiProtocol(AVAHI_PROTO_INET):
            return withUnsafeBytes(of: address.data.ipv4.address) { Array($0) }
        case AvahiProtocol(AVAHI_PROTO_INET6):
            return withUnsafeBytes(of: address.data.ipv6.address) { Array($0) }
        default:
            return []
        }
    }
}
