import Hummingbird
import ParleyAPI
import ParleyNode

/// The routes of `/v1` for blocked and allowed devices and for repairs, which only the control
/// socket has.
struct DeviceRoutes: Sendable {
    let node: Node

    /// The limit of a request body, in bytes.
    private static let bodyBytesMax = 4 << 10
    /// The same of what a pass over a database found, which reports a limited number of parts.
    private static let repairBytesMax = 16 << 10

    func add(to group: RouterGroup<BasicRequestContext>) {
        group.get("devices") { _, _ in try JSON.response(try await node.listedDevices()) }
        group.post("devices") { request, _ in
            let wanted = try await request.document(ListRequest.self, atMost: Self.bodyBytesMax)
            guard let list = ListedDevice.List(rawValue: wanted.list) else {
                throw Problem.badInput(
                    "\(wanted.list.quoted) is no list of devices.",
                    hint: "blocked or allowed"
                )
            }
            let devices = try await node.list(
                wanted.device,
                list,
                removing: wanted.remove ?? false
            )
            return try JSON.response(devices)
        }
        group.post("repairs") { request, _ in
            let found = try await request.document(
                RepairRequest.self,
                atMost: Self.repairBytesMax
            )
            try await node.repair(sessions: found.sessions, pictures: found.pictures)
            return Response(status: .noContent)
        }
    }
}
