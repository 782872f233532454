import CAvahi
import CLinux
import Glibc
import ParleyLoop

/// Asks the local network for nodes as avahi-daemon does, beside the daemon, and collects the
/// answers.
///
/// The probe hears everything that other machines would hear: answers of this machine's daemon pass
/// the firewall and the interface too.
package enum MulticastProbe {
    /// An interface with one version of IP.
    package struct Place: Hashable, Sendable {
        package let interfaceIndex: UInt32
        package let isIPv6: Bool

        package init(interfaceIndex: UInt32, isIPv6: Bool) {
            self.interfaceIndex = interfaceIndex
            self.isIPv6 = isIPv6
        }
    }

    /// An answer that came in at a place.
    package struct Answer: Sendable {
        package let place: Place
        /// The IP address of the sender, 4 or 16 bytes in network order.
        package let source: [UInt8]
        private let message: [UInt8]

        init(place: Place, source: [UInt8], message: [UInt8]) {
            self.place = place
            self.source = source
            self.message = message
        }

        /// Whether a name in the answer contains `part`, of at most 63 bytes.
        ///
        /// Every name is written out at least once in a message.
        package func names(_ part: String) -> Bool {
            let wanted = [UInt8(part.utf8.count)] + part.utf8.map(Self.lower)
            let bytes = message.map(Self.lower)
            guard bytes.count >= wanted.count else { return false }
            return (0...(bytes.count - wanted.count))
                .contains { bytes[$0...].starts(with: wanted) }
        }

        /// Whether the answer has records, and does not merely repeat the question.
        var hasRecords: Bool { message[6] != 0 || message[7] != 0 }

        private static func lower(_ byte: UInt8) -> UInt8 {
            (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
        }
    }

    /// The result at all places.
    package struct Result: Sendable {
        package internal(set) var answers: [Answer] = []
        /// Why nothing could be asked or heard at a place, in words.
        package internal(set) var failures: [Place: String] = [:]
    }

    /// The most places that are asked.
    private static let placesMax = 64
    /// The most answers that are kept.
    private static let answersMax = 4_096

    /// Asks at the places, and blocks for `time` to listen.
    ///
    /// The question is sent twice, as a daemon repeats no answer within a second.
    package static func ask(at places: [Place], for time: Duration) -> Result {
        var result = Result()
        var sockets: [(place: Place, descriptor: Descriptor)] = []
        for place in places.prefix(placesMax) {
            let number = parley_mdns_open(place.interfaceIndex, place.isIPv6)
            if number >= 0 {
                sockets.append((place, Descriptor(adopting: number)))
            } else {
                result.failures[place] = String(cString: strerror(errno))
            }
        }
        let question = question(for: nodes, services)
        let start = ContinuousClock.now
        for (begin, end) in [(Duration.zero, time / 2), (time / 2, time)] {
            for (place, descriptor) in sockets {
                let code = question.withUnsafeBytes { bytes in
                    parley_mdns_ask(
                        descriptor.number,
                        place.interfaceIndex,
                        place.isIPv6,
                        bytes.baseAddress,
                        Int32(bytes.count)
                    )
                }
                if code != 0, begin == .zero {
                    result.failures[place] = String(cString: strerror(errno))
                }
            }
            listen(sockets, until: start + end, into: &result)
        }
        return result
    }

    /// Asks the daemons of single machines for nodes, without multicast, and blocks for `time` to
    /// listen.
    ///
    /// A daemon answers its own network only (RFC 6762, section 5.5).
    ///
    /// - Parameters:
    ///   - hosts: Numeric addresses; a link-local address needs its interface.
    ///   - time: The time for which to listen.
    /// - Returns: the addresses, of 4 or 16 bytes, at which nodes are announced.
    package static func announcers(
        among hosts: [(address: String, interface: UInt32)],
        within time: Duration
    ) -> Set<[UInt8]> {
        let question = question(for: nodes)
        var sockets: [(place: Place, descriptor: Descriptor)] = []
        for host in hosts.prefix(placesMax) {
            let number = parley_mdns_open_to(host.address, host.interface)
            guard number >= 0 else { continue }
            let place = Place(
                interfaceIndex: host.interface,
                isIPv6: host.address.contains(":")
            )
            sockets.append((place, Descriptor(adopting: number)))
            // The error is ignored: the missing answer tells the same.
            _ = send(number, question, question.count, 0)
        }
        var result = Result()
        listen(sockets, until: .now + time, into: &result)
        return Set(result.answers.filter(\.hasRecords).map(\.source))
    }

    private static func listen(
        _ sockets: [(place: Place, descriptor: Descriptor)],
        until end: ContinuousClock.Instant,
        into result: inout Result
    ) {
        var polled = sockets.map {
            pollfd(fd: $0.descriptor.number, events: Int16(POLLIN), revents: 0)
        }
        var message = [UInt8](repeating: 0, count: 9_000)
        var source = [UInt8](repeating: 0, count: 16)
        var sourceCount: Int32 = 0
        while case let rest = end - .now, rest > .zero {
            let wait = Int32((rest / .milliseconds(1)).rounded(.up))
            guard poll(&polled, nfds_t(polled.count), wait) > 0 else { continue }
            for (index, (place, descriptor)) in sockets.enumerated()
            where polled[index].revents != 0 {
                let size = Int32(message.count)
                let count = parley_mdns_read(
                    descriptor.number,
                    &message,
                    size,
                    &source,
                    &sourceCount
                )
                // The first bit of the flags tells an answer from a question.
                guard count > 12, message[2] & 0x80 != 0, result.answers.count < answersMax else {
                    continue
                }
                result.answers.append(
                    Answer(
                        place: place,
                        source: Array(source.prefix(Int(sourceCount))),
                        message: Array(message.prefix(Int(count)))
                    )
                )
            }
        }
    }

    private static let nodes = ["_parley", "_tcp", "local"]
    /// The services of any kind (RFC 6763, section 9), of which most devices have some.
    private static let services = ["_services", "_dns-sd", "_udp", "local"]

    private static func question(for names: [String]...) -> [UInt8] {
        var bytes: [UInt8] = [0, 0, 0, 0, 0, UInt8(names.count), 0, 0, 0, 0, 0, 0]
        for name in names {
            for part in name { bytes += [UInt8(part.utf8.count)] + Array(part.utf8) }
            bytes += [0, 0, 12, 0, 1]  // The end of the name, PTR, IN.
        }
        return bytes
    }
}
