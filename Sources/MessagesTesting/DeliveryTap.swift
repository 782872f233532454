import ParleyCore
import ParleyFaults

/// Records the deliveries of all nodes of a world, so that the harness can give them to the hosts
/// between steps of the world.
final class DeliveryTap: Checker {
    private(set) var caught: [(node: Int, delivery: Delivery)] = []

    func observe(_ event: WorldEvent, in world: World) {
        guard case .delivered(let node, let delivery) = event else { return }
        caught.append((node, delivery))
    }

    /// Removes and returns all recorded deliveries, in order.
    func take() -> [(node: Int, delivery: Delivery)] {
        defer { caught = [] }
        return caught
    }
}
