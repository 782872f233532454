/// The number of a message in an app machine, given by the panel that drives the machine.
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

/// The context in which an app was opened.
public enum AppContext: Hashable, Sendable, CaseIterable {
    /// In a conversation.
    case messages
    /// Among stickers and pictures, where an app gets no messages.
    case media
}

/// An event that concerns an app.
package enum AppEvent: Hashable, Sendable {
    /// A person opened the app from the drawer, or a live bubble of the app asked for the style.
    case opened(AppStyle, selecting: MessageKey? = nil)
    /// A person tapped one of the app's bubbles, or its draft.
    case tapped(MessageKey)
    /// A message of the app arrived.
    case received(MessageKey)
    /// A person or the app asked for the other style.
    case styleWanted(AppStyle)
    /// A person closed the app or left the conversation, or the app dismissed itself.
    case closed
    /// The app put a message into the input field.
    case staged(MessageKey)
    /// A person pressed Send.
    case sendTapped
    /// The node stored the message.
    case sent(MessageKey)
    /// The node refused the message that was in the input field.
    case refused(MessageKey)
    /// A person deleted the draft.
    case draftDeleted
    /// The app took its draft back.
    case unstaged
}

/// A step that follows from an event: a call of the app, or a change of its surroundings.
package enum AppStep: Hashable, Sendable {
    // Changes
    case setStyle(AppStyle)
    case select(MessageKey?)
    /// The app has an active conversation.
    case activate
    /// The app loses its active conversation and is released.
    case deactivate
    case stage(MessageKey)
    case unstage
    /// Hand the message to the node, which leads to the event `sent` or `refused`.
    case send(MessageKey)
    /// The message is sent: this device becomes its sender.
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
