/// A message as an app machine knows it; whoever drives the machine gives the numbers.
package struct MessageKey: Hashable, Sendable {
    package let value: UInt64

    package init(_ value: UInt64) {
        self.value = value
    }
}

/// How much of the screen an app has.
public enum AppStyle: Hashable, Sendable, CaseIterable {
    /// In place of the keyboard.
    case compact
    /// Most of the screen.
    case expanded
}

/// Where an app was opened.
public enum AppContext: Hashable, Sendable, CaseIterable {
    /// In a conversation.
    case messages
    /// Among stickers and pictures, where it has no messages.
    case media
}

/// What happens to an app.
package enum AppEvent: Hashable, Sendable {
    /// A person opened it from the drawer, or one of its bubbles asked for it in that style.
    case opened(AppStyle, selecting: MessageKey? = nil)
    /// A person tapped one of its bubbles, or its draft.
    case tapped(MessageKey)
    /// A message of the app arrived.
    case received(MessageKey)
    /// A person or the app wants the other style.
    case styleWanted(AppStyle)
    /// A person closed it, left the conversation, or it dismissed itself.
    case closed
    /// The app put a message into the input field.
    case staged(MessageKey)
    /// A person pressed Send.
    case sendTapped
    /// The node stored the message.
    case sent(MessageKey)
    /// The node did not take the message that was in the input field.
    case refused(MessageKey)
    /// A person deleted the draft.
    case draftDeleted
    /// The app took its draft back.
    case unstaged
}

/// What follows from an event, in order: calls of the app, and what changes between them.
package enum AppStep: Hashable, Sendable {
    // Changes
    case setStyle(AppStyle)
    case select(MessageKey?)
    /// The app has an active conversation.
    case activate
    /// The app has none any more, and is let go.
    case deactivate
    case stage(MessageKey)
    case unstage
    /// Hand the message to the node; `sent` or `refused` answers.
    case send(MessageKey)
    /// The message is no draft any more, and this device is its sender.
    case settle(MessageKey)

    // Calls
    case didLoad, willBecomeActive, didBecomeActive, willAppear, didAppear
    case willDisappear, willResignActive, didResignActive
    case willSelect(MessageKey)
    case didSelect(MessageKey)
    case didReceive(MessageKey)
    case didStartSending(MessageKey)
    case didCancelSending(MessageKey)
    case willTransition(AppStyle)
    case didTransition(AppStyle)
}
