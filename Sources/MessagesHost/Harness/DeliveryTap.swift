import ParleyCore
import ParleyFaults

/// Catches what the nodes of a world tell, for their hosts to hear once the world stands still.
final class DeliveryTap: Checker {
    private(set) var caught: [(node: Int, delivery: Delivery)] = []

    func observe(_ event: WorldEvent, in world: World) {
        guard case .delivered(let node, let delivery) = event else { return }
        caught.append((node, delivery))
    }

    /// Everything caught so far, in order.
    func take() -> [(node: Int, delivery: Delivery)] {
        defer { caught = [] }
        return caught
    }
}
