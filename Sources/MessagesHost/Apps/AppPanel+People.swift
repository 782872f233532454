public import Messages
public import ParleyNode

/// Actions of a person on an app.
extension AppPanel {
    /// Whether the app runs.
    public var isOpen: Bool { machine.isOpen }

    /// The style of the app; nil while it is closed.
    public var style: AppStyle? {
        if case .open(let style) = machine.life { style } else { nil }
    }

    /// The app's controller, while it runs.
    public var runningController: MSMessagesAppViewController? { running?.controller }

    /// The app's conversation, while it runs.
    public var activeConversation: MSConversation? { running?.conversation }

    /// Opens the app as from the drawer; does nothing if it is open.
    ///
    /// - Throws: `appDidNotStart` if its class returns no controller.
    public func open(_ style: AppStyle = .compact) throws(HostError) {
        guard !isOpen else { return }
        handle(.opened(style))
        try started()
        replayMissed(except: nil)
        if !isHeadless, let session = model.ownMatch(of: app.speaks) { matchChanged(session) }
    }

    /// Closes the app; the draft stays in the input field.
    public func close() {
        handle(.closed)
    }

    /// Expands or collapses the app, as a person does.
    public func setStyle(_ style: AppStyle) {
        handle(.styleWanted(style))
    }

    /// Taps one of the app's bubbles; opens the app if it is closed.
    ///
    /// - Parameters:
    ///   - id: A message that is shown, or another head of a conflict.
    ///   - done: Called when the app has the message, or with the reason why it cannot have it.
    public func tap(
        _ id: MessageID,
        _ done: (@MainActor (Result<Void, HostError>) -> Void)? = nil
    ) {
        tap(id, opening: .expanded, done)
    }

    /// Taps a bubble, as above; if the app is closed, it is opened in that style.
    func tap(
        _ id: MessageID,
        opening style: AppStyle,
        _ done: (@MainActor (Result<Void, HostError>) -> Void)? = nil
    ) {
        host.head(id, of: model) { [weak self] message in
            guard let self, var message, message.content?.app == app.speaks else {
                done?(.failure(.unknownMessage(id.description)))
                return
            }
            // The game stands where it stood before a message against its rules.
            if message.fault != nil, let legal = model.sessions[message.session]?.shown {
                message = legal
            }
            tap(message, opening: style, done)
        }
    }

    private func tap(
        _ message: Message,
        opening style: AppStyle,
        _ done: (@MainActor (Result<Void, HostError>) -> Void)?
    ) {
        known(message) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(let known):
                self.gate.touched()
                let wasOpen = self.isOpen
                self.handle(
                    wasOpen || style == .expanded
                        ? .tapped(known.key) : .opened(style, selecting: known.key)
                )
                if !wasOpen { self.replayMissed(except: message.session) }
                do throws(HostError) {
                    try self.started()
                    done?(.success(()))
                } catch {
                    done?(.failure(error))
                }
            case .failure(let fault): done?(.failure(.faulty(fault)))
            }
        }
    }

    /// Taps the draft in the input field.
    public func tapDraft() throws(HostError) {
        guard case .staged(let key) = machine.field else { throw .nothingThere }
        known[key]?.renew()
        handle(.tapped(key))
        try started()
    }

    /// Carries out an action that a person chose in a tree of `version`, unless it is stale.
    public func perform(
        _ action: ParleyView.Action,
        on id: ParleyView.Identity,
        seenIn version: UInt64
    ) throws(ParleyView.ActionError) {
        guard let screen else { throw .notFound }
        gate.touched()
        defer {
            takeRequests()
            changed()
        }
        try screen.perform(action, on: id, seenIn: version)
    }

    // MARK: The input field

    /// The app's message in the input field.
    public var draft: MSMessage? {
        guard case .staged(let key) = machine.field else { return nil }
        return known[key]?.message
    }

    /// The views of the app, with names in place of participants; nil while the app is closed.
    public var tree: ParleyView.Tree? {
        guard let tree = screen?.tree else { return nil }
        let names = model.names
        return tree.reworded(names.resolved)
    }

    /// A text as people see it: each `$` with the UUID of a participant is replaced by the name.
    public func resolved(_ text: String) -> String {
        model.names.resolved(text)
    }

    /// The text in the input field.
    public var text: String {
        get { field.text }
        set {
            field.text = newValue
            changed()
        }
    }

    /// How many stickers and attachments are in the input field.
    public var itemCount: Int { field.items.count }

    /// Presses Send, which sends everything in the input field.
    ///
    /// Items that the node refuses go back into the field; a message has the reason in its `error`.
    ///
    /// - Parameter done: Called once all items are stored, or with the last failure.
    /// - Throws: `nothingThere` if the field is empty; `tooLarge` if the text is too long.
    public func sendField(
        _ done: (@MainActor (Result<Void, HostError>) -> Void)? = nil
    ) throws(HostError) {
        guard !field.isEmpty || draft != nil else { throw .nothingThere }
        let (items, text) = (field.items, field.text)
        let typed = text.isEmpty ? nil : try OutgoingMessage.draft(text: text)
        field = InputField()
        gate.touched()
        let count = items.count + (typed == nil ? 0 : 1) + (draft == nil ? 0 : 1)
        let parts = SentParts(count: count, done)
        for item in items { send(item, parts) { $0.items.append(item) } }
        if let typed {
            send(typed, parts) { $0.text = $0.text.isEmpty ? text : text + "\n" + $0.text }
        }
        if case .staged(let key) = machine.field { follow(key) { parts.took($0) } }
        handle(.sendTapped)
    }

    /// Sends one item of the field, and puts the item back if the node refuses it.
    private func send(
        _ draft: Draft,
        _ parts: SentParts,
        puttingBack putBack: @escaping @MainActor (inout InputField) -> Void
    ) {
        host.send(draft, to: conversation) { [weak self] result in
            if case .failure = result, let self {
                putBack(&field)
                changed()
            }
            parts.took(result.map { _ in }.mapError { HostError($0) })
        }
    }

    /// The same, awaited.
    public func sendField() async throws(HostError) {
        try await HostError.awaited { (done) throws(HostError) in try sendField(done) }
    }

    /// Deletes everything that the app put into the input field.
    package func clearField() {
        field = InputField()
        deleteDraft()
    }

    /// Deletes the app's message from the input field.
    public func deleteDraft() {
        handle(.draftDeleted)
    }

    private func started() throws(HostError) {
        guard isOpen, running == nil else { return }
        handle(.closed)
        throw .appDidNotStart(app.name)
    }
}

/// Waits for all items that were sent together, and then calls the handler once.
@MainActor
private final class SentParts {
    private var rest: Int
    private var failure: HostError?
    private var done: (@MainActor (Result<Void, HostError>) -> Void)?

    init(count: Int, _ done: (@MainActor (Result<Void, HostError>) -> Void)?) {
        rest = count
        self.done = done
    }

    func took(_ result: Result<Void, HostError>) {
        rest -= 1
        if case .failure(let error) = result { failure = error }
        guard rest == 0 else { return }
        done?(failure.map { .failure($0) } ?? .success(()))
        done = nil
    }
}
