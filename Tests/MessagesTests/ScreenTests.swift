import Messages
import Testing

/// A controller shows a tree with stable identities, and an action on a view that has changed since
/// is refused.
@MainActor @Suite struct ScreenTests {
    @Test func everyKindOfViewIsText() throws {
        let sticker = try Self.sticker()
        let screen = Self.screen {
            ParleyView.column {
                ParleyView.text("Title", style: .title)
                ParleyView.text("Headline", style: .headline)
                ParleyView.text("Caption", style: .caption)
                ParleyView.image(UIImage(data: Pictures.png(width: 3, height: 4)) ?? UIImage())
                    .accessibilityLabel("A cherry")
                ParleyView.button("Go") {}.disabled()
                ParleyView.textField("Name", text: "Ada", edited: { _ in })
                ParleyView.canvas(ParleyView.Drawing(size: CGSize(width: 9, height: 9))) { _ in }
                ParleyView.sticker(sticker) {}
                ParleyView.spacer
                ParleyView.row {
                    ParleyView.grid(columns: 0) { ParleyView.text("cell") }
                    ParleyView.list { for row in 1...2 { ParleyView.text("row \(row)") } }
                }
                ParleyView.layers { if true { ParleyView.empty } else { ParleyView.spacer } }
                ParleyView.button("Picture") {
                } label: {
                    ParleyView.text("inside")
                }
            }
        }
        #expect(
            screen.tree.text(numbered: true) == """
                column
                  # Title
                  ## Headline
                  · Caption
                  (picture 3×4) — A cherry
                  [Go] (disabled)
                  1 <Name: Ada>
                  2 (drawing of 0 strokes)
                  3 (sticker) — A cherry
                  …
                  row
                    grid of 1
                      cell
                    list
                      row 1
                      row 2
                  layers
                  4 [Picture]
                    inside
                """
        )
    }

    @Test func identitiesStay() throws {
        let model = Model()
        let screen = Self.screen(model) {
            ParleyView.list { for name in model.names { ParleyView.button(name) {}.id(name) } }
        }
        let before = screen.tree
        let pear = try #require(before.usable.last)
        #expect(pear.id == ParleyView.Identity("root/#pear"))
        model.names = ["fig", "apple", "pear"]
        let after = screen.tree
        #expect(after[pear.id] == pear)
        #expect(after.version == before.version + 1)
        #expect(screen.tree.version == after.version, "nothing changed")
    }

    @Test func namesOfSiblingsAreMadeUnique() {
        let screen = Self.screen {
            ParleyView.list {
                for name in ["a", "a", "a/b", "a~1b", ""] { ParleyView.button(name) {}.id(name) }
            }
        }
        let ids = screen.tree.usable.map(\.id)
        #expect(Set(ids).count == 5, "\(ids)")
    }

    @Test func pressesReachTheirButton() throws {
        let model = Model()
        let screen = Self.screen(model) {
            ParleyView.list {
                for name in model.names { ParleyView.button(name) { model.pressed.append(name) } }
            }
        }
        for node in screen.tree.usable { try screen.perform(.press, on: node.id) }
        #expect(model.pressed == ["apple", "pear"])
    }

    /// A question that changes while somebody answers the one before.
    @Test func aPressOnAnotherQuestionIsStale() throws {
        let model = Model()
        let screen = Self.screen(model) {
            ParleyView.column {
                ParleyView.text("Eat \(model.names[0])?")
                ParleyView.row { ParleyView.button("Yes") { model.pressed.append(model.names[0]) } }
            }
        }
        let tree = screen.tree
        let yes = try #require(tree.usable.first)
        model.names = ["nettle"]
        #expect(throws: ParleyView.ActionError.stale) {
            try screen.perform(.press, on: yes.id, seenIn: tree.version)
        }
        #expect(model.pressed == [])
        try screen.perform(.press, on: yes.id, seenIn: screen.tree.version)
        #expect(model.pressed == ["nettle"])
    }

    /// A view with a name of its own does not mind what happens beside it.
    @Test func aNamedViewIsNotStaleWhenOthersChange() throws {
        let model = Model()
        let screen = Self.screen(model) {
            ParleyView.column {
                ParleyView.text(model.names.joined())
                ParleyView.button("Add") { model.pressed.append("add") }.id("add")
            }
        }
        let tree = screen.tree
        let add = try #require(tree.usable.first)
        model.names = ["other"]
        try screen.perform(.press, on: add.id, seenIn: tree.version)
        #expect(model.pressed == ["add"])
    }

    @Test func typingGoesOnWhileOthersChange() throws {
        let model = Model()
        let screen = Self.screen(model) {
            ParleyView.column {
                ParleyView.text(model.names.joined())
                ParleyView.textField(
                    "Guess",
                    text: model.text,
                    edited: { model.text = $0 },
                    submitted: { model.pressed.append($0) }
                )
            }
        }
        let tree = screen.tree
        let field = try #require(tree.usable.first)
        try screen.perform(.edit("a"), on: field.id, seenIn: tree.version)
        model.names = []
        try screen.perform(.edit("ap"), on: field.id, seenIn: tree.version)
        try screen.perform(.submit("apple"), on: field.id, seenIn: tree.version)
        #expect(model.text == "ap" && model.pressed == ["apple"])
        #expect(screen.tree[field.id]?.content == .textField(placeholder: "Guess", text: "ap"))
    }

    @Test func drawingAddsStrokes() throws {
        let model = Model()
        let screen = Self.screen(model) {
            ParleyView.canvas(model.drawing) { model.drawing.strokes.append($0) }
        }
        let canvas = try #require(screen.tree.usable.first)
        let version = screen.tree.version
        let stroke = ParleyView.Stroke(points: [.zero, CGPoint(x: 3, y: 4)])
        try screen.perform(.draw(stroke), on: canvas.id, seenIn: version)
        try screen.perform(.draw(stroke), on: canvas.id, seenIn: version)
        #expect(model.drawing.strokes == [stroke, stroke])
        #expect(stroke.length == 5)
        #expect(model.drawing.image?.size == CGSize(width: 80, height: 60))
        for wrong in [
            ParleyView.Stroke(points: [CGPoint(x: CGFloat.nan, y: 0)]),
            ParleyView.Stroke(points: [], width: 0),
            ParleyView.Stroke(
                points: [CGPoint](repeating: .zero, count: ParleyView.Limits.strokePointsMax + 1)
            ),
        ] {
            #expect(throws: ParleyView.ActionError.improperValue) {
                try screen.perform(.draw(wrong), on: canvas.id)
            }
        }
    }

    @Test func refusalsSayWhy() throws {
        let model = Model()
        let screen = Self.screen(model) {
            ParleyView.column {
                ParleyView.text("text")
                ParleyView.row { ParleyView.button("Off") {} }.disabled()
                ParleyView.textField("Name", text: "", edited: { _ in })
            }
        }
        let tree = screen.tree
        func refusal(_ action: ParleyView.Action, _ id: String) -> ParleyView.ActionError? {
            do throws(ParleyView.ActionError) {
                try screen.perform(action, on: ParleyView.Identity(id))
            } catch { return error }
            return nil
        }
        #expect(refusal(.press, "root/7") == .notFound)
        #expect(refusal(.press, "") == .notFound)
        #expect(refusal(.press, "root/0") == .unsupported)
        #expect(refusal(.press, "root/1/0") == .disabled)
        #expect(refusal(.submit("x"), "root/2") == .unsupported)
        let long = String(repeating: "x", count: ParleyView.Limits.textCharactersMax + 1)
        #expect(refusal(.edit(long), "root/2") == .improperValue)
        #expect(throws: ParleyView.ActionError.stale) {
            try screen.perform(
                .edit("x"),
                on: ParleyView.Identity("root/2"),
                seenIn: tree.version + 9
            )
        }
    }

    @Test func treesAreBounded() {
        let wide = Self.screen {
            ParleyView.list { for row in 0..<20_000 { ParleyView.text("\(row)") } }
        }
        #expect(wide.tree.nodes.count == ParleyView.Limits.nodesMax)
        let endless = UIViewController()
        let mirror = Mirror(endless)
        endless.addChild(mirror)
        #expect(ParleyView.Screen(endless).tree.nodes.count < 200)
    }

    @Test func controllersInsideControllersAreShown() {
        let outermost = UIViewController()
        var innermost = outermost
        for _ in 0..<20 {
            let child = UIViewController()
            innermost.addChild(child)
            innermost = child
        }
        innermost.addChild(Shower(Model()) { ParleyView.text("deep") })
        #expect(ParleyView.Screen(outermost).tree.description.hasSuffix("deep"))
    }

    @Test func saysWhenABodyChanged() {
        let parent = UIViewController()
        let screen = ParleyView.Screen(parent)
        var count = 0
        screen.invalidation = { count += 1 }
        let child = UIViewController()
        parent.addChild(child)
        child.setNeedsBodyUpdate()
        #expect(count == 2)
    }

    private static func screen(
        _ model: Model = Model(),
        @ParleyView.Builder _ body: @escaping () -> [ParleyView]
    ) -> ParleyView.Screen {
        ParleyView.Screen(Shower(model) { body().first ?? .empty })
    }

    private static func sticker() throws -> MSSticker {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).gif")
        try Pictures.gif(width: 1, height: 1).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try MSSticker(contentsOfFileURL: file, localizedDescription: "A cherry")
    }
}

@MainActor private final class Model {
    var names = ["apple", "pear"]
    var pressed: [String] = []
    var text = ""
    var drawing = ParleyView.Drawing(size: CGSize(width: 80, height: 60))
}

private final class Shower: UIViewController {
    private let make: () -> ParleyView

    init(_ model: Model, _ make: @escaping () -> ParleyView) {
        self.make = make
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override var body: ParleyView { make() }
}

/// Shows the controller that it is in: without an end, but for the limit.
private final class Mirror: UIViewController {
    private weak var other: UIViewController?

    init(_ other: UIViewController) {
        self.other = other
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override var body: ParleyView { other.map { ParleyView.controller($0) } ?? .empty }
}
