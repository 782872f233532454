import ParleyCore

/// A peer that is no node and has links without wires.
protocol Outsider: AnyObject {
    var device: DeviceID { get }

    /// Receives the bytes that a node sends on a link without a wire.
    func heard(_ send: LinkSend, from node: Int, in world: World)
}
