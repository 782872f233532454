import Messages
import Testing

/// Controllers contain one another and are told so in UIKit's order.
@MainActor @Suite struct ContainmentTests {
    @Test func aChildOfAVisibleParentAppears() {
        let log = Log()
        let (parent, child) = (Part("parent", log), Part("child", log))
        let screen = ParleyView.Screen(parent)
        screen.appear()
        #expect(log.take() == ["parent loads", "parent willAppear", "parent didAppear"])
        parent.addChild(child)
        child.didMove(toParent: parent)
        #expect(
            log.take() == [
                "child willMove parent", "child loads", "child willAppear", "child didMove parent",
            ]
        )
        _ = screen.tree
        #expect(log.take() == ["child didAppear"])
        child.willMove(toParent: nil)
        child.removeFromParent()
        #expect(
            log.take() == [
                "child willMove nil", "child willDisappear", "child didDisappear",
                "child didMove nil",
            ]
        )
        #expect(parent.children == [] && child.parent == nil)
    }

    @Test func childrenFollowTheirParent() {
        let log = Log()
        let (parent, child) = (Part("parent", log), Part("child", log))
        parent.addChild(child)
        child.didMove(toParent: parent)
        #expect(log.take() == ["child willMove parent", "child didMove parent"])
        #expect(!child.isViewLoaded)
        let screen = ParleyView.Screen(parent)
        screen.appear()
        #expect(
            log.take() == [
                "parent loads", "parent willAppear", "child loads", "child willAppear",
                "parent didAppear", "child didAppear",
            ]
        )
        screen.disappear()
        #expect(
            log.take() == [
                "parent willDisappear", "child willDisappear", "parent didDisappear",
                "child didDisappear",
            ]
        )
        screen.disappear()
        #expect(log.take() == [])
        screen.appear()
        #expect(log.take().first == "parent willAppear", "loaded once only")
    }

    @Test func aChildHasOneParent() {
        let log = Log()
        let (first, second, child) = (Part("first", log), Part("second", log), Part("child", log))
        first.addChild(child)
        first.addChild(child)
        second.addChild(child)
        #expect(first.children == [] && second.children == [child] && child.parent === second)
        #expect(
            log.take() == ["child willMove first", "child didMove nil", "child willMove second"]
        )
        child.removeFromParent()
        child.removeFromParent()
        #expect(log.take() == ["child didMove nil"])
    }

    @Test func noControllerContainsItself() {
        let log = Log()
        let (parent, child) = (Part("parent", log), Part("child", log))
        parent.addChild(child)
        parent.addChild(parent)
        child.addChild(parent)
        #expect(parent.children == [child] && child.children == [] && parent.parent == nil)
    }

    @Test func parentsKeepChildrenAndNotTheOtherWay() {
        weak var parent: UIViewController?
        let child = UIViewController()
        do {
            let outer = UIViewController()
            outer.addChild(child)
            parent = outer
        }
        #expect(parent == nil && child.parent == nil)
    }

    /// A child shows its body in its parent's without more ado.
    @Test func bodiesOfChildrenAreShown() {
        let parent = UIViewController()
        let screen = ParleyView.Screen(parent)
        #expect(screen.tree.description == "layers")
        parent.addChild(Part("a", Log()))
        parent.addChild(Part("b", Log()))
        #expect(screen.tree.description == "layers\n  a\n  b")
    }

    @Test func appsAreMadeWithACoderThatHoldsNothing() throws {
        let app = try #require(FromStoryboard.makeController())
        #expect(app.name == nil && app.count == 0 && !app.isViewLoaded)
        #expect(MSMessagesAppViewController.makeController() != nil)
    }
}

@MainActor private final class Log {
    private var lines: [String] = []

    func add(_ line: String) { lines.append(line) }

    func take() -> [String] {
        defer { lines = [] }
        return lines
    }
}

private final class Part: UIViewController {
    private let name: String
    private let log: Log

    init(_ name: String, _ log: Log) {
        self.name = name
        self.log = log
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override var body: ParleyView {
        children.isEmpty ? .text(name) : super.body
    }

    override func viewDidLoad() { log.add("\(name) loads") }
    override func viewWillAppear(_ animated: Bool) { log.add("\(name) willAppear") }
    override func viewDidAppear(_ animated: Bool) { log.add("\(name) didAppear") }
    override func viewWillDisappear(_ animated: Bool) { log.add("\(name) willDisappear") }
    override func viewDidDisappear(_ animated: Bool) { log.add("\(name) didDisappear") }

    override func willMove(toParent parent: UIViewController?) {
        log.add("\(name) willMove \((parent as? Part)?.name ?? "nil")")
    }

    override func didMove(toParent parent: UIViewController?) {
        log.add("\(name) didMove \((parent as? Part)?.name ?? "nil")")
    }
}

private final class FromStoryboard: MSMessagesAppViewController {
    let name: String?
    let count: Int

    required init?(coder: NSCoder) {
        name = coder.decodeObject(forKey: "name") as? String
        count = coder.containsValue(forKey: "count") ? 1 : coder.decodeInteger(forKey: "count")
        super.init(coder: coder)
    }
}
