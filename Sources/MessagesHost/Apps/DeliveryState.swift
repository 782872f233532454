/// How far a message of this device has been delivered.
public enum DeliveryState: Hashable, Sendable {
    /// In the input field, or not on this node's disk yet.
    case pending
    /// On this node's disk, and on the disks of `nodes` others.
    case stored(nodes: Int)
    /// The node refused the message.
    case failed(HostError)
}
