import ArgumentParser
import Foundation
import NIOCore
import ParleyAPI
import ParleyWeb

/// An app in a terminal: prints every change of the screen, and carries out the typed lines.
actor AppView {
    private let client: ControlClient
    /// The paths of the conversation, and of the app in it.
    private let conversation: String
    private let path: String
    private let asJSON: Bool
    /// The value of `--data`.
    private let data: String?
    private let output = Output.standard
    private let isInteractive = isatty(STDIN_FILENO) == 1
    private var screen: ScreenDocument?
    private var shown: [String] = []

    init(client: ControlClient, conversation: String, app: String, asJSON: Bool, data: String?) {
        self.client = client
        self.conversation = conversation
        path = conversation + "/apps/" + PathText.encoded(app)
        self.asJSON = asJSON
        self.data = data
    }

    /// Runs until the input ends, the person quits, or the node stops.
    ///
    /// In each case, and on a signal, the app is closed before the call returns.
    func run() async throws {
        let signals = await EndSignals()
        do {
            try await FirstToEnd.of({ try await self.play() }, { try await signals.wait() })
            signals.letGo()
            _ = try await post(AppRequest(.close))
        } catch let problem as Problem where problem.exitStatus == .noNode {
            // A node that has answered before was running, so it has stopped.
            throw screen == nil ? problem : Self.nodeStopped
        } catch {
            signals.letGo()
            let end = error as? EndSignals.End
            if screen != nil || end != nil { await closeSoon() }
            end?.raise()
            throw error
        }
    }

    private func play() async throws {
        try show(try await post(AppRequest(.open)))
        try await FirstToEnd.of({ try await self.follow() }, { try await self.obey() })
    }

    /// Tries to close the app, for a short time only, because the node may not answer any more.
    private func closeSoon() async {
        try? await FirstToEnd.of(
            { _ = try await self.post(AppRequest(.close)) },
            { try await Task.sleep(for: .seconds(3)) }
        )
    }

    // MARK: The screen

    private func follow() async throws {
        do {
            try await client.stream(path + "/events") { body in
                var parser = EventParser()
                while let part = try await body.next() {
                    for event in parser.add(part.readableBytesView) where event.name == "screen" {
                        try show(ControlClient.decode(ScreenDocument.self, from: event.data))
                    }
                }
            }
        } catch let problem as Problem where problem.exitStatus != .noNode {
            throw problem
        } catch {
            // The reason is asked for below.
        }
        guard !Task.isCancelled else { return }
        throw await reasonOfEnd()
    }

    /// The reason why the events ended: the problem from the node, or the end of the node.
    private func reasonOfEnd() async -> Problem {
        do {
            try await client.stream(path + "/events") { _ in }
        } catch let problem as Problem where problem.exitStatus != .noNode {
            return problem
        } catch {
            return Self.nodeStopped
        }
        return Self.nodeStopped
    }

    private static var nodeStopped: Problem {
        Problem(
            .noNode,
            "The node has stopped, which closed the app.",
            hint: "start it with: parley node"
        )
    }

    private func show(_ screen: ScreenDocument, again: Bool = false) throws {
        // An event may arrive after the answer to a later line.
        guard screen.serial >= self.screen?.serial ?? 0 else { return }
        let isSame = screen.isSame(as: self.screen)
        self.screen = screen
        guard !isSame || again else { return }
        if asJSON { return try output.object(screen) }
        let lines = AppScreenText(output: output).lines(screen)
        guard lines != shown || again else { return }
        shown = lines
        if isInteractive, output.isTerminal { output.bytes(Data("\u{1B}[H\u{1B}[2J".utf8)) }
        for line in lines { output.line(line) }
        prompt()
    }

    private func prompt() {
        guard isInteractive, !asJSON else { return }
        output.bytes(Data("(? for help) > ".utf8))
    }

    // MARK: Input

    private func obey() async throws {
        let input = LineInput(descriptor: STDIN_FILENO)
        while true {
            do {
                guard let line = try await input.nextText().map(AppLine.init), line != .quit else {
                    return
                }
                try await obey(line)
            } catch let problem as Problem where problem.exitStatus != .noNode {
                // In a pipe, the lines after a failed one may make no sense.
                guard isInteractive else { throw problem }
                FailureReport.report(problem.ofNode(data: data), asJSON: asJSON)
                prompt()
            }
        }
    }

    private func obey(_ line: AppLine) async throws {
        switch line {
        case .use(let number, let text): try await use(number, text)
        case .tap(let number): try await tap(number)
        case .place(let number, let x, let y): try await place(on: number, x: x, y: y)
        case .peelOff(let number): try await peelOff(of: number)
        case .send: try await perform(AppRequest(.send))
        case .removeDraft: try await perform(AppRequest(.removeDraft))
        case .type(let text):
            var request = AppRequest(.type)
            request.text = text
            try await perform(request)
        case .expand: try await perform(AppRequest(.expand))
        case .collapse: try await perform(AppRequest(.collapse))
        case .redraw: if let screen { try show(screen, again: true) }
        case .help:
            let help = ProgramName.filled(into: OpenCommand.configuration.discussion)
            for line in help.split(separator: "\n") { output.line(String(line)) }
            prompt()
        case .unknown(let text):
            throw Problem.badInput(
                "Unknown command: \(text.prefix(40))",
                hint: "Type ? for help."
            )
        case .quit: break
        }
    }

    private func use(_ number: Int, _ text: String?) async throws {
        guard let screen, let action = screen.actions.first(where: { $0.number == number }) else {
            throw Problem.badInput("There is no number \(number) on the screen.")
        }
        var request = AppRequest(.act)
        request.node = action.node
        request.version = screen.version
        request.text = text
        guard !action.kinds.contains("press") || text != nil else {
            request.kind = "press"
            return try await perform(request)
        }
        // The text is set first, and then submitted if the view accepts that.
        let kinds = ["edit", "submit"].filter(action.kinds.contains)
        guard !kinds.isEmpty else {
            throw Problem.badInput("Number \(number) takes no text.", hint: "Type \(number) alone.")
        }
        for kind in kinds {
            request.kind = kind
            try await perform(request)
            request.version = self.screen?.version
        }
    }

    private func tap(_ number: Int?) async throws {
        let own = screen?.bubbles.filter { $0.own == true } ?? []
        let meant = number.map { number in own.first { $0.number == number } } ?? own.last
        guard let meant else {
            throw Problem.badInput("There is no such message of the app.")
        }
        var request = AppRequest(.tap)
        request.message = meant.id
        try await perform(request)
    }

    // MARK: Stickers

    private func message(_ number: Int) throws -> ScreenDocument.Bubble {
        guard let bubble = screen?.bubbles.first(where: { $0.number == number }) else {
            throw Problem.badInput("There is no message m\(number) on the screen.")
        }
        return bubble
    }

    private func place(on number: Int, x: Double, y: Double) async throws {
        let message = try message(number)
        guard let screen, let sticker = screen.stickers?.last else {
            throw Problem.badInput(
                "There is no sticker in the input field.",
                hint: "The app puts it there."
            )
        }
        let request = PlaceDocument(
            app: screen.app.id,
            sticker: sticker.id,
            message: message.id,
            x: x / 100,
            y: y / 100
        )
        _ = try await client.post(conversation + "/stickers", request, as: SentMessage.self)
        try show(try await client.get(path, as: ScreenDocument.self), again: isInteractive)
    }

    private func peelOff(of number: Int) async throws {
        guard let sticker = try message(number).stickers?.last(where: { $0.mine == true }) else {
            throw Problem.badInput("There is no sticker of yours on message m\(number).")
        }
        try await client.delete(conversation + "/stickers/" + sticker.id)
        try show(try await client.get(path, as: ScreenDocument.self), again: isInteractive)
    }

    private func perform(_ request: AppRequest) async throws {
        try show(try await post(request), again: isInteractive)
    }

    private func post(_ request: AppRequest) async throws -> ScreenDocument {
        try await client.post(path, request, as: ScreenDocument.self)
    }
}
