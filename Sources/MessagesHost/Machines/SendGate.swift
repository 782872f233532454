/// Whether an app may send without a person pressing Send.
public enum SendPolicy: Hashable, Sendable, CaseIterable {
    /// An app that is open or headless may always send.
    case permissive
    /// Apple's rule: the app must be visible, and each send needs a touch since the app was opened
    /// or last sent.
    case strict
}

/// The kind of a request of an app.
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

/// Why the gate refuses a request.
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

    /// A gate for an app that nobody has touched yet.
    package init(policy: SendPolicy, context: AppContext) {
        self.policy = policy
        self.context = context
    }

    /// Forgets earlier touches, as the app was opened.
    package mutating func launched() { wasTouched = false }

    /// Notes that a person used the app.
    package mutating func touched() { wasTouched = true }

    /// Uses up the touch, as a direct send went to the node.
    package mutating func sent() { wasTouched = false }

    /// Returns why a request is refused now, or nil if it is allowed.
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
