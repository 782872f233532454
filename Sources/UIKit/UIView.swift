public import Foundation
import Messages

/// An invisible rectangle, for code that puts controllers into other controllers.
///
/// People see the `body` of a controller and the bodies of its children. The frame, the background
/// colour and the subviews of a view are kept as the app sets them: nothing is drawn, laid out or
/// touched. All lengths are in points.
///
/// Apple's documentation of the class: <https://developer.apple.com/documentation/uikit/uiview>.
@preconcurrency @MainActor
open class UIView: NSObject {
    /// The edges and sizes that follow the superview; kept and not applied.
    public struct AutoresizingMask: OptionSet, Sendable {
        /// The bits, as UIKit counts them.
        public let rawValue: UInt

        /// A mask of these bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The space on the left may change.
        public static let flexibleLeftMargin = AutoresizingMask(rawValue: 1 << 0)
        /// The width may change.
        public static let flexibleWidth = AutoresizingMask(rawValue: 1 << 1)
        /// The space on the right may change.
        public static let flexibleRightMargin = AutoresizingMask(rawValue: 1 << 2)
        /// The space above may change.
        public static let flexibleTopMargin = AutoresizingMask(rawValue: 1 << 3)
        /// The height may change.
        public static let flexibleHeight = AutoresizingMask(rawValue: 1 << 4)
        /// The space below may change.
        public static let flexibleBottomMargin = AutoresizingMask(rawValue: 1 << 5)
    }

    /// The place in the superview; a new size is also that of `bounds`.
    open var frame: CGRect {
        didSet { boundsSize = frame.size }
    }

    /// The place in coordinates of its own; a new size resizes `frame` too, around its centre.
    open var bounds: CGRect {
        get { CGRect(origin: boundsOrigin, size: boundsSize) }
        set {
            boundsOrigin = newValue.origin
            let (dx, dy) = (
                (newValue.width - frame.width) / 2, (newValue.height - frame.height) / 2
            )
            let corner = CGPoint(x: frame.origin.x - dx, y: frame.origin.y - dy)
            frame = CGRect(origin: corner, size: newValue.size)
        }
    }

    /// The colour behind the view, which nobody sees.
    open var backgroundColor: UIColor?

    /// How the view is resized with its superview; stored only, as nothing is laid out here.
    open var autoresizingMask: AutoresizingMask = []

    /// Whether constraints are made of `autoresizingMask`; kept and not applied.
    open var translatesAutoresizingMaskIntoConstraints = true

    /// The view that contains this view.
    open private(set) weak var superview: UIView?

    /// The views that were added, the oldest first.
    open private(set) var subviews: [UIView] = []

    /// The controller whose `view` this is.
    weak var controller: UIViewController?

    private var boundsOrigin = CGPoint.zero
    private var boundsSize: CGSize

    /// A view at that place.
    public init(frame: CGRect) {
        self.frame = frame
        boundsSize = frame.size
        super.init()
    }

    /// A view of no size.
    public convenience override init() {
        self.init(frame: .zero)
    }

    /// A view of no size; nothing is read from the coder.
    public required init?(coder: NSCoder) {
        frame = .zero
        boundsSize = .zero
        super.init()
    }

    /// Adds `view` as the last subview, and removes it from its earlier superview.
    ///
    /// A container of this view is not added. A call off the main queue is done on the main queue
    /// soon after.
    open func addSubview(_ view: UIView) {
        MainQueue.run(#function, of: self) { self.add(view) }
    }

    private func add(_ view: UIView) {
        guard !sequence(first: self, next: \.superview).contains(where: { $0 === view }) else {
            return
        }
        view.leaveSuperview()
        view.superview = self
        subviews.append(view)
    }

    /// Leaves the superview, if there is one.
    ///
    /// Off the main queue, this happens there, soon after the function has returned.
    open func removeFromSuperview() {
        MainQueue.run(#function, of: self) { self.leaveSuperview() }
    }

    private func leaveSuperview() {
        superview?.subviews.removeAll { $0 === self }
        superview = nil
    }

    // MARK: Visible views

    /// The visible part of this view without subviews; nil except for sticker views.
    var ownBody: ParleyView? { nil }

    /// The visible parts of this view and its subviews, but for the views of other controllers.
    var shown: [ParleyView] {
        [ownBody].compactMap(\.self)
            + subviews.filter { $0.controller == nil }.flatMap(\.shown)
    }

    /// Lets the controller show its body anew.
    func showAnew() { nearestController?.setNeedsBodyUpdate() }

    /// A sticker that a press puts into the input field.
    func stickerBody(_ sticker: MSSticker) -> ParleyView {
        .sticker(sticker) { [weak self] in
            // The view may be that of a controller which lies over the app.
            guard let base = self?.nearestController?.outermost else { return }
            let app = sequence(first: base, next: { $0.presenter?.outermost }).lazy
                .compactMap { $0 as? MSMessagesAppViewController }.first
            app?.activeConversation?.insert(sticker)
        }
    }

    private var nearestController: UIViewController? {
        sequence(first: self, next: \.superview).lazy.compactMap(\.controller).first
    }
}
