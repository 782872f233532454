import Glibc
package import ParleyLoop
import Synchronization

/// A trace in a file: a line of JSON for the seed, for each change, and for each fault.
package final class TraceFile: FaultObserver {
    private let file: Descriptor
    private let failed: @Sendable (Int32) -> Void
    private let isBroken = Mutex(false)

    /// Begins the trace; `failed` is called once, with the error of the system, if it cannot be
    /// written.
    package init(
        _ file: Descriptor,
        seed: UInt64,
        failed: @escaping @Sendable (Int32) -> Void
    ) {
        self.file = file
        self.failed = failed
        write(JSONText.object([("trace", "1"), ("seed", "\(seed)")]) + "\n")
    }

    package func happened(_ faults: [RecordedFault], at milliseconds: Int64) {
        write(faults.map { $0.json(at: milliseconds) + "\n" }.joined())
    }

    package func changed(by request: ControlRequest, at milliseconds: Int64) {
        let body = String(decoding: request.body, as: UTF8.self)
        let members = [
            (name: "ms", json: "\(milliseconds)"), ("method", JSONText.string(request.method)),
            ("path", JSONText.string(request.path)), ("body", JSONText.string(body)),
        ]
        write(JSONText.object(members) + "\n")
    }

    /// A trace that cannot be written, as on a full disk, ends there; the proxies go on.
    private func write(_ text: String) {
        guard !isBroken.withLock(\.self) else { return }
        var left = Array(text.utf8)[...]
        while !left.isEmpty {
            let count = left.withUnsafeBytes { Glibc.write(file.number, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else {
                isBroken.withLock { $0 = true }
                return failed(errno)
            }
            left = left.dropFirst(max(0, count))
        }
    }
}
