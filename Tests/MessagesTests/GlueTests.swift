import Foundation
import Messages
import Testing
import UIKit

/// The product `UIKit`: what code that contains controllers needs, and nothing that pretends.
@MainActor @Suite struct GlueTests {
    @Test func readingTheViewLoadsTheController() {
        let controller = Loading()
        #expect(controller.viewIfLoaded == nil)
        let view = controller.view
        #expect(controller.calls == ["loadView", "viewDidLoad in a view of 7.0"])
        #expect(controller.view === view && controller.viewIfLoaded === view)
    }

    @Test func framesAndBoundsShareTheirSize() {
        let view = UIView(frame: CGRect(x: 10, y: 20, width: 30, height: 40))
        #expect(view.bounds == CGRect(x: 0, y: 0, width: 30, height: 40))
        view.bounds = CGRect(x: 5, y: 5, width: 50, height: 20)
        #expect(view.frame == CGRect(x: 0, y: 30, width: 50, height: 20), "around the centre")
        #expect(view.bounds.origin == CGPoint(x: 5, y: 5))
        view.frame = CGRect(x: 1, y: 2, width: 3, height: 4)
        #expect(view.bounds == CGRect(x: 5, y: 5, width: 3, height: 4))
        #expect(UIView().frame == .zero)
    }

    @Test func aViewHasOneSuperview() {
        let (first, second, view) = (UIView(), UIView(), UIView())
        first.addSubview(view)
        second.addSubview(view)
        #expect(first.subviews == [] && second.subviews == [view] && view.superview === second)
        view.addSubview(second)
        #expect(view.subviews == [], "a view cannot contain itself")
        view.removeFromSuperview()
        #expect(second.subviews == [] && view.superview == nil)
    }

    @Test func constraintsAreKeptAndDoNothing() {
        let (view, other) = (UIView(), UIView())
        let top = view.topAnchor.constraint(equalTo: other.safeAreaLayoutGuide.topAnchor)
        let side = view.leadingAnchor.constraint(
            lessThanOrEqualTo: other.trailingAnchor,
            constant: -8
        )
        let size = view.widthAnchor.constraint(equalTo: other.heightAnchor, multiplier: 2)
        NSLayoutConstraint.activate([top, side, size])
        NSLayoutConstraint.deactivate([size])
        #expect(top.isActive && side.isActive && !size.isActive)
        #expect(side.constant == -8 && side.priority == .required)
        #expect(view.frame == .zero)
    }

    @Test func aControllerFindsTheStoryboardThatStartsWithIt() {
        UIStoryboard.register(
            "GlueTests",
            startingWith: Loading.self,
            ["Detail": { Detail() }]
        )
        UIStoryboard.register("GlueTests", startingWith: Other.self, ["Side": { Detail() }])
        let detail = Loading().storyboard?.instantiateViewController(withIdentifier: "Detail")
        #expect(detail is Detail && detail?.storyboard != nil)
        #expect(Detail().storyboard == nil)
        let unknown = Loading().storyboard?.instantiateViewController(withIdentifier: "Side")
        #expect(unknown.map { type(of: $0) } == UIViewController.self, "of another app")
        let named = UIStoryboard(name: "GlueTests", bundle: nil)
        #expect(named.instantiateViewController(withIdentifier: "Side") is Detail)
        #expect(named.instantiateInitialViewController() is Loading)
        #expect(UIStoryboard(name: "x", bundle: nil).instantiateInitialViewController() == nil)
    }

    @Test func coloursAreValues() {
        let orange = UIColor(red: 1, green: 0.5, blue: 0, alpha: 1)
        #expect(orange == .orange && orange.hash == UIColor.orange.hash)
        #expect(orange.withAlphaComponent(0.5) != .orange)
        #expect(UIColor(red: 7, green: -1, blue: .nan, alpha: 1) == .red)
        #expect(UIColor(hue: 0, saturation: 1, brightness: 1, alpha: 1) == .red)
        #expect(UIColor(hue: 0.5, saturation: 1, brightness: 1, alpha: 1) == .cyan)
        #expect(UIColor(hue: 0.9, saturation: 0, brightness: 0.5, alpha: 1) == .gray)
        let dark = UIColor(hue: 1, saturation: 0.5, brightness: 0.5, alpha: 1)
        #expect(dark == UIColor(red: 0.5, green: 0.25, blue: 0.25, alpha: 1))
        var (green, alpha) = (CGFloat(9), CGFloat(9))
        #expect(UIColor.clear.getRed(nil, green: &green, blue: nil, alpha: &alpha))
        #expect(green == 0 && alpha == 0)
    }

    @Test func systemColoursAreThoseOfTheLightLook() {
        #expect(UIColor.systemBackground == .white && UIColor.label == .black)
        #expect(UIColor.tintColor == .systemBlue && UIColor.systemBlue != .blue)
    }

    @Test func theMachineIsAValue() {
        let device = UIDevice.current
        #expect(device.userInterfaceIdiom == .phone && device.systemVersion.contains("."))
        #expect(device.orientation.isPortrait && !device.orientation.isLandscape)
        let screen = UIScreen.main
        #expect(screen.nativeBounds.width == screen.bounds.width * screen.scale)
        #expect(UIEdgeInsets(top: 1, left: 2, bottom: 3, right: 4) != .zero)
    }

    @Test func viewsAreOptionalAsInUIKit() {
        let controller = Other()
        controller.view?.frame = CGRect(x: 0, y: 0, width: 1, height: 1)
        #expect(controller.view?.frame.width == 1)
        let own: UIView = controller.view
        #expect(own === controller.view)
    }

    /// Stickers in the view of a controller are shown, but those of a child only once.
    @Test func stickersAmongTheViewsAreShown() throws {
        let (root, child, browser) = (Other(), Other(), Browser(stickerSize: .large))
        child.view.addSubview(MSStickerView(frame: .zero, sticker: browser.sticker))
        for controller in [child, browser] {
            root.addChild(controller)
            root.view.addSubview(controller.view)
        }
        let grid = MSStickerBrowserView(frame: .zero, stickerSize: .small)
        grid.dataSource = browser
        let plain = UIView()
        plain.addSubview(grid)
        root.view.addSubview(plain)
        let tree = ParleyView.Screen(root).tree
        let kinds = tree.nodes.map(\.content).filter { $0 != .layers && $0 != .controller }
        let sticker = ParleyView.Content.sticker(
            fileURL: browser.sticker.imageFileURL,
            description: ""
        )
        #expect(
            kinds == [
                .column, .grid(columns: 4), sticker, sticker, .column, sticker, .column,
                .grid(columns: 2), sticker, sticker,
            ]
        )
        plain.removeFromSuperview()
        browser.count = -1
        browser.stickerBrowserView.reloadData()
        #expect(ParleyView.Screen(root).tree.nodes.filter { $0.content == sticker }.count == 1)
    }

    @Test func onlyWebPagesAreOpened() async throws {
        let controller = Other()
        for address in ["game://x", "file:///etc/passwd", "?a", "https:x"] {
            let url = try #require(URL(string: address))
            let isOpen = await withCheckedContinuation { done in
                controller.extensionContext?.open(url) { done.resume(returning: $0) }
            }
            #expect(!isOpen && controller.presentedViewController == nil, "\(address)")
        }
        let url = try #require(URL(string: "https://example.org/a"))
        let isOpen = await withCheckedContinuation { done in
            controller.extensionContext?.open(url) { done.resume(returning: $0) }
        }
        #expect(isOpen)
        let link = try #require(controller.presentedViewController as? UIAlertController)
        #expect(link.message == "https://example.org/a")
        // A second one lies over the first.
        controller.extensionContext?.open(url)
        #expect(link.presentedViewController != nil)
    }

    /// `import UIKit` brings the classes of the module for requests, as on Apple's systems.
    @Test func requestsAreFoundationsThere() throws {
        let request = URLRequest(url: try #require(URL(string: "https://example.org")))
        #expect(request.httpMethod == "GET")
    }

    @Test func placesHaveRows() {
        var path = IndexPath(row: 2, section: 1)
        #expect(path == IndexPath(item: 2, section: 1) && path == IndexPath(indexes: [1, 2]))
        path.row += 1
        path.section = 0
        #expect(path.item == 3 && path.section == 0)
    }

    @Test func symbolsOfApplesSystemsAreNotHere() {
        #expect(UIImage(systemName: "star") == nil)
    }

    @Test func subviewsAreLaidOutBeforeTheControllerHasAppeared() {
        let controller = Loading()
        ParleyView.Screen(controller).appear()
        let appearing = ["viewWillAppear", "viewDidLayoutSubviews", "viewDidAppear"]
        #expect(controller.calls.suffix(3) == appearing)
        controller.sizeChanged()
        #expect(controller.calls.last == "viewDidLayoutSubviews")
    }
}

private final class Loading: UIViewController {
    private(set) var calls: [String] = []

    override func loadView() {
        calls.append("loadView")
        view = UIView(frame: CGRect(x: 0, y: 0, width: 7, height: 7))
    }
    override func viewDidLoad() { calls.append("viewDidLoad in a view of \(view.frame.width)") }
    override func viewWillAppear(_ animated: Bool) { calls.append("viewWillAppear") }
    override func viewDidLayoutSubviews() { calls.append("viewDidLayoutSubviews") }
    override func viewDidAppear(_ animated: Bool) { calls.append("viewDidAppear") }
}

private final class Detail: UIViewController {}

private final class Other: UIViewController {}

private final class Browser: MSStickerBrowserViewController {
    let sticker = MSSticker()
    var count = 2

    override func numberOfStickers(in stickerBrowserView: MSStickerBrowserView) -> Int { count }
    override func stickerBrowserView(
        _ stickerBrowserView: MSStickerBrowserView,
        stickerAt index: Int
    ) -> MSSticker { sticker }
}
