/// How far a message of this device has come.
public enum DeliveryState: Hashable, Sendable {
    /// In the input field, or on its way to the disk.
    case pending
    /// On this node's disk, and on those of so many others.
    case stored(nodes: Int)
    /// The node did not take it.
    case failed(HostError)
}
