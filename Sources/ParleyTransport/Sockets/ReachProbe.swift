import Glibc
import ParleyLoop

/// Tests whether addresses accept TCP connections, without sending anything.
package enum ReachProbe {
    /// Connects to all addresses at the same time, and blocks for at most `time`.
    ///
    /// - Returns: for each address in the order given: nil if it accepts, else the reason.
    package static func failures(
        at addresses: [SocketAddress],
        within time: Duration
    ) -> [TransportError?] {
        var failures = [TransportError?](repeating: .connectTimeout, count: addresses.count)
        var waiting: [(index: Int, descriptor: Descriptor)] = []
        for (index, address) in addresses.enumerated() {
            do throws(TransportError) {
                let descriptor = try Socket.make(for: address, leaving: 0)
                if try Socket.connect(descriptor, to: address) {
                    failures[index] = nil
                } else {
                    waiting.append((index, descriptor))
                }
            } catch {
                failures[index] = error
            }
        }
        let end = ContinuousClock.now + time
        while !waiting.isEmpty, case let rest = end - .now, rest > .zero {
            var polled = waiting.map {
                pollfd(fd: $0.descriptor.number, events: Int16(POLLOUT), revents: 0)
            }
            let wait = Int32((rest / .milliseconds(1)).rounded(.up))
            guard poll(&polled, nfds_t(polled.count), wait) > 0 else { continue }
            for (ready, (index, descriptor)) in zip(polled, waiting) where ready.revents != 0 {
                do throws(TransportError) {
                    try Socket.checkConnected(descriptor)
                    failures[index] = nil
                } catch {
                    failures[index] = error
                }
            }
            waiting = zip(polled, waiting).filter { $0.0.revents == 0 }.map(\.1)
        }
        return failures
    }
}
