import ParleyProxy

/// Paths and bodies of requests to the control of the fault proxy, and its traces.
struct ProxyTarget: FuzzTarget {
    func run(_ bytes: [UInt8]) {
        ControlBodies.read(bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        do throws(TraceFault) {
            _ = try RecordedRun(text)
        } catch {
            promise(error.line > 0, "a refusal without a line")
        }
    }
}
