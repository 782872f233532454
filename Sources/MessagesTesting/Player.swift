public import Foundation
public import Messages
public import MessagesHost
import ParleyCore
import ParleyFaults
public import ParleyNode

/// A participant of a harness: the actions of a person, and everything that the person sees.
///
/// When an action returns, everything that follows from it has happened on all nodes.
@MainActor
public final class Player {
    /// The name of the person.
    public let name: String
    let node: Int
    private(set) var host: AppHost
    weak var table: Harness?

    private let apps: [HostedApp]
    private let settings: HostSettings
    private let world: World
    private let names: [DeviceID: String]
    private let folders: AppFolders
    private(set) var access: HarnessNode
    private(set) var panel: AppPanel?
    /// The names of those who asked the person to move, in order.
    public private(set) var nudges: [String] = []
    /// Whether the person's machine is off.
    public private(set) var isAway = false

    init(
        _ name: String,
        apps: [HostedApp],
        settings: HostSettings,
        world: World,
        node: Int,
        names: [DeviceID: String],
        folders: AppFolders
    ) {
        self.name = name
        self.apps = apps
        self.settings = settings
        self.world = world
        self.node = node
        self.names = names
        access = HarnessNode(world, node: node, names: names)
        self.folders = folders
        host = AppHost(apps: apps, settings: settings, node: access, folders: folders)
    }

    isolated deinit { host.releaseApps() }

    // MARK: The app

    /// Opens an app as from the drawer; nil means the first app that is not headless.
    public func open(_ app: String? = nil, _ style: AppStyle = .compact) throws(HarnessError) {
        let panel = try found(app)
        self.panel = panel
        let result = act { Result { () throws(HostError) in try panel.open(style) } }
        if case .failure(let error) = result { throw .host(error) }
        table?.settle()
    }

    /// Closes the app; messages still arrive.
    public func closeApp() {
        act { panel?.close() }
        table?.settle()
    }

    /// Expands the app by hand.
    public func expand() { setStyle(.expanded) }

    /// Collapses the app by hand.
    public func collapse() { setStyle(.compact) }

    private func setStyle(_ style: AppStyle) {
        act { panel?.setStyle(style) }
        table?.settle()
    }

    func act<Value>(_ body: @MainActor () -> Value) -> Value {
        table?.act(body) ?? body()
    }

    func found(_ word: String?) throws(HarnessError) -> AppPanel {
        guard !isAway else { throw .isAway }
        var result: Result<AppPanel, HostError>?
        do throws(HostError) {
            let first = apps.first { !$0.startsHeadless } ?? apps.first
            guard let app = try word.map(host.app(called:)) ?? first else {
                throw .unknownApp(word ?? "")
            }
            host.panel(app, in: Harness.conversation) { result = $0 }
            guard let result else { throw .nothingThere }
            return try result.get()
        } catch {
            throw .host(error)
        }
    }

    // MARK: On its screen

    /// Presses the view with that title, accessibility label or ID.
    public func tap(_ title: String) throws(HarnessError) {
        try perform(.press, on: title)
    }

    /// Types into the field with that placeholder, accessibility label or ID.
    public func type(_ text: String, into field: String) throws(HarnessError) {
        try perform(.edit(text), on: field)
    }

    /// Types into the field and ends the line.
    public func submit(_ text: String, into field: String) throws(HarnessError) {
        try perform(.submit(text), on: field)
    }

    /// Draws on the canvas with that accessibility label or ID.
    public func draw(_ stroke: ParleyView.Stroke, on canvas: String) throws(HarnessError) {
        try perform(.draw(stroke), on: canvas)
    }

    private func perform(_ action: ParleyView.Action, on name: String) throws(HarnessError) {
        guard let panel, let tree else { throw .appIsClosed }
        let nodes = tree.nodes.filter { $0.takes.contains(action.kind) && $0.isCalled(name) }
        guard let node = nodes.first else {
            throw .noSuchView(name, screen: screen)
        }
        guard nodes.count == 1 else { throw .ambiguous(name, screen: screen) }
        try perform(action, on: node.id, seenIn: tree.version, panel)
    }

    /// Presses a view that the person saw in an earlier tree.
    public func choose(_ view: ParleyView.Identity, in tree: ParleyView.Tree) throws(HarnessError) {
        guard let panel, panel.isOpen else { throw .appIsClosed }
        try perform(.press, on: view, seenIn: tree.version, panel)
    }

    private func perform(
        _ action: ParleyView.Action,
        on view: ParleyView.Identity,
        seenIn version: UInt64,
        _ panel: AppPanel
    ) throws(HarnessError) {
        let result = act {
            Result { () throws(ParleyView.ActionError) in
                try panel.perform(action, on: view, seenIn: version)
            }
        }
        if case .failure(let error) = result { throw .action(error) }
        table?.settle()
    }

    // MARK: The input field and the transcript

    /// Presses Send.
    public func send() throws(HarnessError) {
        guard let panel else { throw .appIsClosed }
        let result = act { Result { () throws(HostError) in try panel.sendField() } }
        if case .failure(let error) = result { throw .host(error) }
        table?.settle()
    }

    /// Deletes the app's message from the input field.
    public func deleteDraft() {
        act { panel?.deleteDraft() }
        table?.settle()
    }

    /// The app's message in the input field.
    public var draft: MSMessage? { panel?.draft }

    /// The text in the input field.
    public var text: String { panel?.text ?? "" }

    /// Taps the latest bubble of an app, with `text` in its line if given; opens a closed app.
    public func tapBubble(_ text: String? = nil, app: String? = nil) throws(HarnessError) {
        let panel = try found(app)
        let bubble = bubbles.last { bubble in
            bubble.kind == .message && bubble.app == panel.app.speaks
                && (text.map { bubble.line.contains($0) } ?? true)
        }
        guard let bubble else { throw .noSuchMessage(text ?? "", transcript: transcript) }
        self.panel = panel
        var result: Result<Void, HostError>?
        act { panel.tap(bubble.id) { result = $0 } }
        if case .failure(let error)? = result { throw .host(error) }
        table?.settle()
    }

    /// Sends a message with any content, as another program on the person's machine could.
    ///
    /// - Throws: the refusal of the person's own node.
    public func post(_ draft: ParleyNode.Draft) throws(HarnessError) {
        guard !isAway else { throw .isAway }
        var answer: Result<SentMessage, NodeError>?
        access.send(draft, to: Harness.conversation) { answer = $0 }
        table?.settle()
        if case .failure(let error)? = answer { throw .host(.node(error)) }
    }

    // MARK: The screen

    /// The screen of the app as text; empty while the app is closed.
    public var screen: String { tree?.text() ?? "" }

    /// The tree of the app's views; nil while the app is closed.
    public var tree: ParleyView.Tree? { panel?.tree }

    /// The style of the app; nil while it is closed.
    public var style: AppStyle? { panel?.style }

    /// The app's controller, while it runs.
    public func controller<App: MSMessagesAppViewController>(_ type: App.Type = App.self) -> App? {
        panel?.runningController as? App
    }

    /// The app's conversation, while it runs.
    public var conversation: MSConversation? { panel?.activeConversation }

    /// The participant of this person, which is the same UUID for everybody.
    public var participant: UUID? {
        var me: UUID?
        access.conversations { me = (try? $0.get())?.first?.me.id }
        return me
    }

    /// The transcript, oldest entries first; empty while the machine is off.
    public var bubbles: [Bubble] {
        var found: [Bubble] = []
        host.bubbles(of: Harness.conversation) { found = (try? $0.get()) ?? [] }
        return found
    }

    /// The transcript with one line for each entry: the sender's name and the text.
    public var transcript: [String] {
        bubbles.map { bubble in
            let mark = bubble.kind == .summary ? "(\(bubble.line))" : bubble.line
            return "\(bubble.sender.name ?? NameTokens.nobody): \(mark)"
        }
    }

    /// The latest bubble with a live layout, as the app draws it in at most that size.
    public func liveBubble(_ offered: CGSize) -> LiveBubble? {
        var found: LiveBubble?
        guard let bubble = bubbles.last(where: { $0.layout?.isLive == true }) else { return nil }
        host.live(bubble, in: Harness.conversation, offered: offered) { found = $0 }
        return found
    }

    // MARK: Coming and going

    /// Switches the machine off; acknowledged messages stay on its disk.
    public func goAway() {
        guard !isAway else { return }
        isAway = true
        host.stop()
        world.stop(node)
        access.ended()
        panel = nil
        table?.settle()
    }

    /// Switches the machine on again; all apps are closed.
    public func comeBack() {
        guard isAway else { return }
        isAway = false
        world.start(node)
        access = HarnessNode(world, node: node, names: names)
        host = AppHost(apps: apps, settings: settings, node: access, folders: folders)
        startHost()
        table?.pass(seconds: 2)
        table?.settle()
    }

    func startHost() {
        access.asked = { [weak table] in table?.asked() }
        host.nudgeObserver = { [weak self] in self?.nudges.append($0.name) }
        host.start()
    }

    func take(_ delivery: Delivery) { access.take(delivery) }

    var isQuiet: Bool { access.isIdle && host.isComplete }

    /// Calls the waiting completion handlers of the app, and carries out its requests.
    func finishCompletions() {
        access.callWhatIsDue()
        host.completionQueue.callWaiting()
        host.takeRequests()
    }
}

extension ParleyView.Node {
    /// Whether a person would call the view `name`.
    fileprivate func isCalled(_ name: String) -> Bool {
        if accessibilityLabel == name { return true }
        if id.description.hasSuffix("/#" + name) { return true }
        switch content {
        case .button(let title), .choice(let title, _, _): return title == name
        case .textField(let placeholder, _): return placeholder == name
        case .sticker(_, let description): return description == name
        default: return false
        }
    }
}
