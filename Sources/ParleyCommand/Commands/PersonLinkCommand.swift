import ArgumentParser
import ParleyAPI

extension PersonCommand {
    /// `parley person link`.
    struct Link: NodeRequestCommand {
        static let configuration = CommandConfiguration(
            abstract: "Link another device of yours nearby by comparing six digits.",
            discussion: """
                  parley nearby
                  parley person link phone

                Over there, answer on the page, or with:

                  parley person link laptop

                Both devices then have all conversations of the other one, also those of later, \
                whenever they reach each other. Others see one person with several devices, \
                under the name of the older one. Messages and games still belong to the device \
                that wrote them.

                The answer, yes or no, is read from standard input.
                """
        )
        @Argument(help: "The device: its name, the beginning of its ID, or its address.")
        var device: String
        @OptionGroup var common: CommonOptions

        func run(_ client: ControlClient) async throws {
            let request = PairRequest(device: device, own: true)
            try await PairingDialog(request, json: common.json).run(client)
        }
    }

    /// `parley person show`.
    struct Show: NodeRequestCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the devices of the person to whom this one belongs."
        )
        @OptionGroup var common: CommonOptions

        func run(_ client: ControlClient) async throws {
            let person = try await client.get("person", as: PersonDocument.self)
            if common.json { return try Output.standard.document(person) }
            guard let name = person.name else {
                Output.standard.line("This device is linked to no other one. To link one:")
                return Output.standard.line("  " + common.command("person link DEVICE"))
            }
            Output.standard.line("\(TerminalText.safe(name)):")
            var table = TextTable(["NAME", "DEVICE"])
            for device in person.devices {
                let name = TerminalText.safe(device.name ?? "–")
                table.add([
                    name + (device.own ? " (this device)" : ""), String(device.device.prefix(15)),
                ])
            }
            Output.standard.table(table)
        }
    }
}
