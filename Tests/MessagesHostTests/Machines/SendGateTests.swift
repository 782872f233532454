import MessagesHost
import Testing

/// The table of requests that an app may make, by policy, context and touches.
@Suite struct SendGateTests {
    struct Row: Sendable {
        let policy: SendPolicy
        let context: AppContext
        let isVisible: Bool
        let isTouched: Bool
    }

    static let rows: [Row] = SendPolicy.allCases.flatMap { policy in
        AppContext.allCases.flatMap { context in
            [true, false].flatMap { isVisible in
                [true, false].map { isTouched in
                    Row(
                        policy: policy,
                        context: context,
                        isVisible: isVisible,
                        isTouched: isTouched
                    )
                }
            }
        }
    }

    @Test(arguments: rows, SendKind.allCases)
    func answersAsTheReferenceSays(_ row: Row, _ kind: SendKind) {
        var gate = SendGate(policy: row.policy, context: row.context)
        gate.launched()
        if row.isTouched { gate.touched() }
        let expected: SendRefusal? =
            switch (row.context, kind) {
            case (.media, .insertSticker), (.media, .insertAttachment): nil
            case (.media, _): .unavailableInContext
            case (.messages, .insertMessage), (.messages, .insertText),
                (.messages, .insertSticker), (.messages, .insertAttachment):
                nil
            case (.messages, _):
                row.policy == .permissive
                    ? nil
                    : !row.isVisible ? .notVisible : !row.isTouched ? .withoutInteraction : nil
            }
        #expect(gate.ask(kind, isVisible: row.isVisible) == expected)
    }

    @Test func oneTouchBuysOneSend() {
        var gate = SendGate(policy: .strict, context: .messages)
        gate.touched()
        #expect(gate.ask(.sendMessage, isVisible: true) == nil)
        gate.sent()
        #expect(gate.ask(.sendText, isVisible: true) == .withoutInteraction)
        gate.touched()
        gate.touched()
        #expect(gate.ask(.sendText, isVisible: true) == nil)
        gate.sent()
        #expect(gate.ask(.sendText, isVisible: true) == .withoutInteraction)
    }

    @Test func stagingDoesNotUseTheTouchUp() {
        var gate = SendGate(policy: .strict, context: .messages)
        gate.touched()
        #expect(gate.ask(.insertMessage, isVisible: true) == nil)
        #expect(gate.ask(.sendMessage, isVisible: true) == nil)
    }

    @Test func aTouchBeforeTheStartDoesNotCount() {
        var gate = SendGate(policy: .strict, context: .messages)
        gate.touched()
        gate.launched()
        #expect(gate.ask(.sendMessage, isVisible: true) == .withoutInteraction)
    }

    /// An attempt that is refused, here or later on, leaves the touch for the next one.
    @Test func refusalKeepsTheTouch() {
        var gate = SendGate(policy: .strict, context: .messages)
        gate.touched()
        #expect(gate.ask(.sendMessage, isVisible: false) == .notVisible)
        #expect(gate.ask(.sendMessage, isVisible: true) == nil)
        #expect(gate.ask(.sendMessage, isVisible: true) == nil)
    }
}
