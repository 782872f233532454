/// Hears of every fault and of every change of the proxies, in their order.
package protocol FaultObserver: Sendable {
    /// Takes faults that happened so many milliseconds after the start.
    func happened(_ faults: [RecordedFault], at milliseconds: Int64)

    /// Takes a request that has changed the proxies.
    func changed(by request: ControlRequest, at milliseconds: Int64)
}
