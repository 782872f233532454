import Foundation
import Glibc
import Logging
import Messages
import MessagesHost
import ParleyAPI
import ParleyCore
import ParleyNode
import ParleyWeb
import ServiceLifecycle

/// A node and its control API as one service, which start and stop together.
struct NodeService: Service {
    let node: Node
    let dataDirectory: URL
    let logger: Logger
    let limits: Limits
    /// Where the page is served.
    let page: PageChoice
    let asJSON: Bool
    /// The command that prints another link to the page.
    let pageCommand: String
    /// Whether the link to the page is shown as a QR code too.
    let showsQRCode: Bool
    /// Whether the end of standard input, such as the end of the parent process, stops the node.
    let endsWithInput: Bool
    let apps: [HostedApp]
    /// The apps to run without a person.
    let headless: [String]

    func run() async throws {
        if endsWithInput { InputLeash.endProcessWithInput() }
        do {
            try await runToEnd()
        } catch let error as NodeError {
            throw Problem(error)
        }
    }

    private func runToEnd() async throws {
        let ready = try await start()
        logger.notice(
            """
            started: \(ProgramVersion.text), device \(ready.device) named \(ready.name), \
            data in \(dataDirectory.path), listening on \
            \(ready.addresses.joined(separator: ", ")), for at most \(limits.conversations) \
            conversations, \(limits.links) links and \
            \(ByteSize.text(limits.allConversations.bytes)) of messages, leaving \
            \(ByteSize.text(limits.freeSpace)) free
            """
        )
        OffMainCalls.log { [logger] line in logger.warning("\(line)") }
        let host = await AppHost.start(apps, on: node)
        do {
            for app in headless { try await host.startHeadless(app) }
            try await serve(ready, host)
        } catch {
            await stop(host)
            throw error
        }
        await stop(host)
    }

    /// Starts the node, and meanwhile extends the start timeout of a service manager.
    private func start() async throws -> ReadyNode {
        try await withThrowingTaskGroup(of: ReadyNode?.self) { group in
            group.addTask { try await node.start() }
            group.addTask {
                while !Task.isCancelled {
                    ServiceNotice.send("EXTEND_TIMEOUT_USEC=60000000\nSTATUS=reading the store")
                    do { try await Task.sleep(for: .seconds(10)) } catch { break }
                }
                return nil
            }
            defer { group.cancelAll() }
            while let ready = try await group.next() {
                if let ready { return ready }
            }
            throw NodeError.stopped
        }
    }

    private func stop(_ host: AppHost) async {
        await host.stop()
        await node.stop()
    }

    private func serve(_ ready: ReadyNode, _ host: AppHost) async throws {
        var quiet = logger
        quiet.logLevel = .notice
        let door = try page.isServed ? pageDoor(ready) : nil
        let guests = door.map { _ in guestHost(ready, host) }
        let routes = ControlRoutes(node: node, apps: host, door: door, guests: guests)
        for file in routes.damagedFiles {
            logger.warning(
                "the file \(file) in the data directory is damaged, and what it kept is lost"
            )
        }
        let server = ControlServer(routes: routes, dataDirectory: dataDirectory, logger: quiet)
        let opening = door.map {
            PageOpening(
                server: PageServer(routes: routes, door: $0, address: page.address, logger: quiet),
                isWanted: page.address != nil,
                logger: logger
            )
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await stopOnShutdown(host) }
            if let opening {
                group.addTask { try await opening.run() }
                await opening.waitUntilDecided()
            }
            if let problem = opening?.problem { throw problem }
            if let guests {
                let server = GuestServer(guests: guests, logger: quiet)
                group.addTask { await server.run() }
            }
            let link = door?.link()
            try await server.run { announce(ready, link) }
            group.cancelAll()
        }
    }

    private func guestHost(_ ready: ReadyNode, _ host: AppHost) -> GuestHost {
        let door = GuestDoor(
            device: ready.device,
            keepingIn: node.keptFile(named: "guests.json")
        )
        return GuestHost(node: node, apps: host, door: door)
    }

    private func pageDoor(_ ready: ReadyNode) throws -> PageDoor {
        do {
            return try PageDoor(device: ready.device, keepingIn: node.keptFile(named: "page.key"))
        } catch {
            // Another error is the disk's, and another file would not help.
            let isInTheWay = [EISDIR, ELOOP, EACCES, EPERM, EFBIG].contains(error.code)
            throw Problem(
                .storeFailed,
                "The key of the page cannot be kept: \(error).",
                hint: isInTheWay ? "Move it away: browsers then sign in again." : ""
            )
        }
    }

    private func stopOnShutdown(_ host: AppHost) async {
        do {
            try await gracefulShutdown()
        } catch {
            return
        }
        // A second signal ends the process at once.
        signal(SIGINT, SIG_DFL)
        signal(SIGTERM, SIG_DFL)
        ServiceNotice.send("STOPPING=1")
        // Stopping the host ends the streams of transcripts and apps, so that the server can stop.
        await stop(host)
    }

    private func announce(_ ready: ReadyNode, _ page: String?) {
        var document = ready
        document.page = page
        if asJSON {
            // Encoding text never fails, and a parent process waits for this line for a limited
            // time only.
            try? Output.standard.object(document)
        } else {
            Output.standard.line(
                "\(document.name) is ready: device \(document.device), listening on "
                    + document.addresses.joined(separator: ", ")
            )
            if let page {
                let text = PageLinkText(page)
                for line in text.announcement(command: pageCommand) { Output.standard.line(line) }
                if showsQRCode { showQRCode(text) }
            }
        }
        ServiceNotice.send("READY=1")
    }

    private func showQRCode(_ text: PageLinkText) {
        do {
            for line in try text.codeLines() { Output.standard.line(line) }
        } catch {
            logger.warning("no QR code: \(FailureReport.problem(error).message)")
        }
    }
}
