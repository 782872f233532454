import Dispatch
import Glibc

/// An address as people write it: `HOST:PORT`, where the host may be a name or missing.
package struct AddressText: Hashable, Sendable {
    package let host: String
    package let port: String

    /// - Throws: `AddressFault` with the words of Go.
    package init(_ text: String) throws(AddressFault) {
        // Go takes no address at all as any address with any port.
        guard !text.isEmpty else {
            (host, port) = ("", "0")
            return
        }
        guard let colon = text.lastIndex(of: ":") else {
            throw AddressFault("address \(text): missing port in address")
        }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        } else if host.contains(":") {
            throw AddressFault("address \(text): too many colons in address")
        }
        self.host = host
        let port = String(text[text.index(after: colon)...])
        self.port = port.isEmpty ? "0" : port
        guard let number = Int(self.port) else {
            throw AddressFault("lookup tcp/\(port): unknown port")
        }
        guard (0...65_535).contains(number) else {
            throw AddressFault("address \(port): invalid port")
        }
    }

    /// The addresses, those of IPv4 first; this waits for name servers.
    package func resolved() throws(AddressFault) -> [ProxyAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV | (host.isEmpty ? AI_PASSIVE : 0)
        if host.isEmpty { hints.ai_family = AF_INET6 }
        var first: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host.isEmpty ? "::" : host, port, &hints, &first)
        guard code == 0 else { throw AddressFault("lookup \(host): no such host") }
        defer { freeaddrinfo(first) }
        var found: [ProxyAddress] = []
        var next = first
        while let entry = next {
            next = entry.pointee.ai_next
            guard let pointer = entry.pointee.ai_addr else { continue }
            var storage = sockaddr_storage()
            let count = min(Int(entry.pointee.ai_addrlen), MemoryLayout<sockaddr_storage>.size)
            withUnsafeMutableBytes(of: &storage) {
                $0.copyMemory(from: UnsafeRawBufferPointer(start: pointer, count: count))
            }
            found.append(ProxyAddress(storage))
        }
        return found.filter { $0.family == AF_INET } + found.filter { $0.family != AF_INET }
    }

    /// The addresses; a name is looked up on a queue, so that nobody waits.
    func resolved(on queue: DispatchQueue) async throws(AddressFault) -> [ProxyAddress] {
        if isNumeric { return try resolved() }
        let result = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(
                    returning: Result { () throws(AddressFault) in try resolved() }
                )
            }
        }
        return try result.get()
    }

    /// Whether `resolved` answers at once.
    package var isNumeric: Bool {
        var four = in_addr()
        var six = in6_addr()
        return host.isEmpty || inet_pton(AF_INET, host, &four) == 1
            || inet_pton(AF_INET6, host, &six) == 1
    }
}

/// Why an address cannot be used, in the words of Go.
package struct AddressFault: Error, Hashable, Sendable {
    package let words: String

    package init(_ words: String) {
        self.words = words
    }

    /// The fault of a system call.
    init(_ call: String, _ code: Int32) {
        let text = String(cString: strerror(code))
        words = "\(call): \(text.prefix(1).lowercased())\(text.dropFirst())"
    }
}
