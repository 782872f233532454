import Foundation
import Messages
import ModeFive
import Synchronization
import Testing
import UIKit

/// Calls off the main queue are done on it and reported; none ends the process.
///
/// A call without the hop traps in `dispatch_assert_queue`.
@MainActor @Suite(.timeLimit(.minutes(20)), .serialized) struct OffMainTests {
    @Test func containmentIsDoneOnTheMainQueue() async {
        let log = Log()
        let (parent, child) = (LoudParent(), LoudChild())
        let screen = ParleyView.Screen(parent)
        screen.appear()
        await OffMain.contain(child, in: parent)
        await Self.mainQueue()
        #expect(parent.children == [child] && child.parent === parent)
        #expect(child.calls == ["willMove true", "viewDidLoad true", "viewWillAppear true"])
        #expect(parent.view.subviews == [child.view])
        await OffMain.remove(child)
        await Self.mainQueue()
        #expect(parent.children == [] && parent.view.subviews == [])
        let name = "MessagesTests.LoudParent.addChild(_:)"
        #expect(log.lines(name) == ["\(name) was called off the main queue; \(Self.outcome)"])
        #expect(log.lines("MessagesTests.LoudChild.removeFromParent()").count == 1)
    }

    private static let outcome = "it is done on the main queue instead"

    @Test func loadingAndAppearingAreDoneOnTheMainQueue() async {
        let child = LoudChild()
        await OffMain.load(child)
        await Self.mainQueue()
        #expect(child.calls == ["viewDidLoad true", "viewWillAppear true"])
    }

    @Test func oneLineForEachFunctionOfAClass() async {
        let log = Log()
        for _ in 0..<3 { await OffMain.dismiss(ChattyApp()) }
        #expect(log.lines("MessagesTests.ChattyApp").count == 1)
        await OffMain.request(.expanded, of: ChattyApp())
        #expect(log.lines("MessagesTests.ChattyApp").count == 2)
    }

    @Test func callsOnTheMainQueueAreDoneAtOnce() {
        let log = Log()
        let (parent, child) = (QuietParent(), LoudChild())
        parent.addChild(child)
        #expect(parent.children == [child])
        parent.setNeedsBodyUpdate()
        child.removeFromParent()
        #expect(parent.children == [])
        #expect(log.lines("MessagesTests.QuietParent").isEmpty)
    }

    /// The thread does not tell: Dispatch runs the main queue on any thread.
    @Test func theMainQueueIsKnown() async {
        #expect(MainQueue.isCurrent)
        let elsewhere = await Task.detached { MainQueue.isCurrent }.value
        #expect(!elsewhere)
    }

    /// Lets the main queue do what was put on it before.
    private static func mainQueue() async {
        await withCheckedContinuation { done in
            DispatchQueue.main.async { done.resume() }
        }
    }
}

/// The lines about calls, of this process and from now on.
private final class Log: Sendable {
    private let all = Mutex<[String]>([])

    init() {
        OffMainCalls.log { line in self.all.withLock { $0.append(line) } }
    }

    /// The lines that begin so.
    func lines(_ start: String) -> [String] {
        all.withLock { $0.filter { $0.hasPrefix(start) } }
    }
}

final class LoudParent: UIViewController {}

final class QuietParent: UIViewController {}

final class ChattyApp: MSMessagesAppViewController {}

/// Notes what is called, and whether that is on the main queue.
final class LoudChild: UIViewController {
    private(set) var calls: [String] = []

    override func viewDidLoad() { calls.append("viewDidLoad \(MainQueue.isCurrent)") }
    override func viewWillAppear(_ animated: Bool) {
        calls.append("viewWillAppear \(MainQueue.isCurrent)")
    }
    override func willMove(toParent parent: UIViewController?) {
        if parent != nil { calls.append("willMove \(MainQueue.isCurrent)") }
    }
}
