/// The state of an app in a conversation, as Messages.app keeps it on a phone.
///
/// The inputs are events of people, the app and the node. The machine answers with steps in Apple's
/// order: calls of the app, and changes of its surroundings. The panel carries them out.
///
/// Legal transitions:
/// - `closed -> open`, by the drawer or by tapping one of the app's bubbles
/// - `open(compact) <-> open(expanded)`, by a person or at the app's request
/// - `open -> closed`, by a person or by `dismiss()`
///
/// A draft stays in the input field when the app is closed, until it is sent or deleted.
package struct AppMachine: Hashable, Sendable {
    /// Whether the app runs, and how much of the screen it has.
    package enum Life: Hashable, Sendable {
        case closed
        case open(AppStyle)
    }

    /// The app's message in the input field.
    package enum Field: Hashable, Sendable {
        case empty
        case staged(MessageKey)
    }

    package let context: AppContext
    package private(set) var life = Life.closed
    package private(set) var field = Field.empty
    /// The selected message; always nil while the app is closed.
    package private(set) var selection: MessageKey?

    /// A closed app with an empty input field.
    package init(context: AppContext = .messages) {
        self.context = context
    }

    package var isOpen: Bool { life != .closed }

    /// Whether the app is told of messages: it is open, and not in the media context.
    private var listens: Bool { isOpen && context == .messages }

    /// Handles an event; the caller carries out the steps before it calls again.
    package mutating func handle(_ event: AppEvent) -> [AppStep] {
        switch event {
        case .opened(let style, let key): opened(style, selecting: key)
        case .tapped(let key): tapped(key)
        case .received(let key): listens ? [.didReceive(key)] : []
        case .styleWanted(let style): transition(to: style)
        case .closed: closed()
        case .staged(let key): staged(key)
        case .sendTapped: sendTapped()
        case .sent(let key): sent(key)
        case .refused(let key): refused(key)
        case .draftDeleted: draftDeleted(byPerson: true)
        case .unstaged: draftDeleted(byPerson: false)
        }
    }

    // MARK: Life

    private mutating func opened(_ style: AppStyle, selecting key: MessageKey?) -> [AppStep] {
        guard !isOpen else { return [] }
        let key = context == .messages ? key : nil
        life = .open(style)
        selection = key
        return [
            .setStyle(style), .select(key), .activate, .didLoad, .willBecomeActive,
            .didBecomeActive, .willAppear, .didAppear,
        ]
    }

    private mutating func closed() -> [AppStep] {
        guard isOpen else { return [] }
        life = .closed
        selection = nil
        return [.willDisappear, .willResignActive, .didResignActive, .deactivate]
    }

    private mutating func transition(to style: AppStyle) -> [AppStep] {
        guard case .open(let old) = life, old != style else { return [] }
        life = .open(style)
        return [.willTransition(style), .setStyle(style), .didTransition(style)]
    }

    // MARK: Messages

    private mutating func tapped(_ key: MessageKey) -> [AppStep] {
        guard context == .messages else { return [] }
        guard isOpen else { return opened(.expanded, selecting: key) }
        selection = key
        return [.willSelect(key), .select(key), .didSelect(key)] + transition(to: .expanded)
    }

    private mutating func staged(_ key: MessageKey) -> [AppStep] {
        guard context == .messages else { return [] }
        field = .staged(key)
        guard isOpen else { return [.stage(key)] }
        selection = key
        return [.stage(key), .select(key)]
    }

    private mutating func sendTapped() -> [AppStep] {
        guard case .staged(let key) = field else { return [] }
        field = .empty
        return [.unstage, .send(key)]
    }

    private mutating func sent(_ key: MessageKey) -> [AppStep] {
        var steps: [AppStep] = []
        // The app itself may send the message that is staged.
        if field == .staged(key) {
            field = .empty
            steps.append(.unstage)
        }
        steps.append(.settle(key))
        if listens { steps.append(.didStartSending(key)) }
        return steps
    }

    /// The node refused the message, which goes back into the input field if that is still empty.
    private mutating func refused(_ key: MessageKey) -> [AppStep] {
        guard field == .empty, context == .messages else { return [] }
        field = .staged(key)
        return [.stage(key)]
    }

    private mutating func draftDeleted(byPerson: Bool) -> [AppStep] {
        guard case .staged(let key) = field else { return [] }
        field = .empty
        var steps = [AppStep.unstage]
        if selection == key {
            selection = nil
            steps.append(.select(nil))
        }
        if byPerson, listens { steps.append(.didCancelSending(key)) }
        return steps
    }
}
