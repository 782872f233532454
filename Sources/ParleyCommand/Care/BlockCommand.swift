import ArgumentParser
import ParleyAPI

/// `parley block`.
struct BlockCommand: NodeRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "block",
        abstract: "Have no links to a device, also on a relay.",
        discussion: """
              parley block GMZZPOK6
              parley block 'Bob'
              parley block --list

            The device is a name or the beginning of an ID from parley peers or parley nearby, or \
            a whole device ID. Its link is closed at once, it is not dialled, and its requests to \
            pair are not shown. It stays so over restarts.

            A blocked device is still in its conversations: messages of it that come by way of \
            others are taken, as everybody would else see something different.
            """
    )
    @Argument(help: "The device.") var device: String?
    @Flag(help: "List the blocked devices.") var list = false
    @OptionGroup var common: CommonOptions

    func validate() throws { try DeviceList.validate(device, lists: list) }

    func run(_ client: ControlClient) async throws {
        try await DeviceList(list: .blocked, common: common).run(client, device)
    }
}

/// `parley unblock`.
struct UnblockCommand: NodeRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "unblock",
        abstract: "Have links to a blocked device again."
    )
    @Argument(help: "The device, as parley block --list names it.") var device: String
    @OptionGroup var common: CommonOptions

    func run(_ client: ControlClient) async throws {
        try await DeviceList(list: .blocked, common: common).run(client, device, removes: true)
    }
}

/// `parley allow`.
struct AllowCommand: NodeRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow",
        abstract: "Have links to no other devices than those that are allowed.",
        discussion: """
              parley allow GMZZPOK6
              parley allow --remove GMZZPOK6
              parley allow --list

            With the first allowed device, the links to all others are closed at once and none \
            are made any more, until the last one is removed. Devices are named as for parley \
            block, and a device is either blocked or allowed.
            """
    )
    @Argument(help: "The device.") var device: String?
    @Flag(help: "Take the device from the list.") var remove = false
    @Flag(help: "List the allowed devices.") var list = false
    @OptionGroup var common: CommonOptions

    func validate() throws { try DeviceList.validate(device, lists: list) }

    func run(_ client: ControlClient) async throws {
        try await DeviceList(list: .allowed, common: common).run(client, device, removes: remove)
    }
}

/// A list of devices of a running node.
private struct DeviceList {
    let list: ListedDevice.List
    let common: CommonOptions

    static func validate(_ device: String?, lists: Bool) throws {
        guard lists != (device != nil) else {
            throw ValidationError("Name a device, or list them with --list.")
        }
    }

    /// Adds or removes the device, or prints the list.
    func run(_ client: ControlClient, _ device: String?, removes: Bool = false) async throws {
        let all: [ListedDevice]
        if let device {
            let request = ListRequest(device: device, list: list.rawValue, remove: removes)
            all = try await client.post("devices", request, as: [ListedDevice].self)
        } else {
            all = try await client.get("devices", as: [ListedDevice].self)
        }
        let name = list.rawValue
        let listed = all.filter { $0.list == list }
        if common.json { return try Output.standard.document(listed) }
        guard !listed.isEmpty else { return Output.standard.line("No device is \(name).") }
        var table = TextTable(["\(name.uppercased())", "NAME"])
        for one in listed {
            table.add([one.device, TerminalText.safe(one.name ?? "–")])
        }
        Output.standard.table(table)
    }
}
