/// Whether an app may send without a person pressing Send.
public enum SendPolicy: Hashable, Sendable, CaseIterable {
    /// Whenever it is open or headless: turn-based games do not ask twice.
    case permissive
    /// As Apple has it: the app is visible, and one touch since its start buys one send.
    case strict
}

/// What an app asks the host to do.
package enum SendKind: Hashable, Sendable, CaseIterable {
    case insertMessage, insertText, insertSticker, insertAttachment
    case sendMessage, sendText, sendSticker, sendAttachment

    package var isDirect: Bool {
        switch self {
        case .insertMessage, .insertText, .insertSticker, .insertAttachment: false
        case .sendMessage, .sendText, .sendSticker, .sendAttachment: true
        }
    }
}

/// Why an app may not do it now.
package enum SendRefusal: Hashable, Sendable {
    case notVisible
    case withoutInteraction
    case unavailableInContext
}

/// Counts touches and decides whether an app may insert or send.
package struct SendGate: Hashable, Sendable {
    package let policy: SendPolicy
    package let context: AppContext
    private var wasTouched = false

    /// A gate of an app that was not touched yet.
    package init(policy: SendPolicy, context: AppContext) {
        self.policy = policy
        self.context = context
    }

    /// The app was opened: earlier touches do not count.
    package mutating func launched() { wasTouched = false }

    /// A person used the app.
    package mutating func touched() { wasTouched = true }

    /// A direct send went to the node: the touch is used up.
    package mutating func sent() { wasTouched = false }

    /// Asks for permission.
    package func ask(_ kind: SendKind, isVisible: Bool) -> SendRefusal? {
        if context == .media {
            switch kind {
            case .insertSticker, .insertAttachment: return nil
            default: return .unavailableInContext
            }
        }
        guard kind.isDirect, policy == .strict else { return nil }
        guard isVisible else { return .notVisible }
        return wasTouched ? nil : .withoutInteraction
    }
}
