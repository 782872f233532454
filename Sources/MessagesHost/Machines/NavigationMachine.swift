/// The style that a screen of an app needs.
public enum StyleNeed: Hashable, Sendable, CaseIterable {
    /// The screen is not usable in compact style.
    case needsExpanded
    /// The screen opens in compact style, and a person may expand it.
    case prefersCompact
    /// The screen opens in the current style.
    case either
}

/// Navigation in an app with a menu and screens behind it, in two styles.
///
/// Legal transitions, for a menu in compact (CM) and expanded (EM) form:
/// - `CM <-> EM`, by hand
/// - menu `-> screen`, in the style that the screen needs
/// - screen `-> menu`, by going back: in compact if expansion was forced, else in the current style
/// - a screen that needs expanded `-> CM`, on collapse
/// - any `-> closed`; `closed` is final
///
/// The app always shows one child, the menu or a screen, until it is closed.
public struct NavigationMachine<Screen: Hashable & Sendable>: Hashable, Sendable {
    /// The styles among which an app can choose.
    public enum Style: Hashable, Sendable, CaseIterable {
        case compact
        case expanded
    }

    /// Where in the app a person is.
    public enum Place: Hashable, Sendable {
        case menu
        /// A screen. `isForced` says whether the style was changed for it, which going back undoes.
        case screen(Screen, StyleNeed, isForced: Bool)
        case closed
    }

    /// An action of a person or the app.
    public enum Event: Hashable, Sendable {
        case expand
        case collapse
        case open(Screen, StyleNeed)
        case back
        case dismiss
    }

    /// A step that the app carries out.
    public enum Step: Hashable, Sendable {
        /// Replace the current child, if there is one.
        case show(Place)
        /// Request this style.
        case request(Style)
        /// Close the app.
        case dismiss
    }

    /// Where in the app the person is now.
    public private(set) var place = Place.menu
    /// The current style.
    public private(set) var style: Style

    /// A machine at the menu, in the style in which the app was opened.
    public init(style: Style) {
        self.style = style
    }

    /// Handles an event.
    ///
    /// - Returns: the steps in order; none for an event that does not apply at this place.
    public mutating func handle(_ event: Event) -> [Step] {
        switch (place, event) {
        case (.closed, _): return []
        case (_, .dismiss):
            place = .closed
            return [.dismiss]
        case (_, .expand): return change(to: .expanded)
        case (.screen(_, .needsExpanded, _), .collapse):
            place = .menu
            return change(to: .compact) + [.show(.menu)]
        case (_, .collapse): return change(to: .compact)
        case (.menu, .open(let screen, let need)): return open(screen, need)
        // Going back from the second screen still undoes the style that the first screen forced.
        case (.screen(_, _, let wasForced), .open(let screen, let need)):
            return open(screen, need, wasForced: wasForced)
        case (.screen(_, _, let isForced), .back):
            place = .menu
            return (isForced ? change(to: .compact) : []) + [.show(.menu)]
        case (.menu, .back): return []
        }
    }

    private mutating func open(
        _ screen: Screen,
        _ need: StyleNeed,
        wasForced: Bool = false
    ) -> [Step] {
        switch need {
        case .either:
            place = .screen(screen, need, isForced: wasForced && style == .expanded)
            return [.show(place)]
        case .prefersCompact:
            place = .screen(screen, need, isForced: false)
            return change(to: .compact) + [.show(place)]
        case .needsExpanded:
            place = .screen(screen, need, isForced: wasForced || style == .compact)
            return change(to: .expanded) + [.show(place)]
        }
    }

    private mutating func change(to style: Style) -> [Step] {
        guard self.style != style else { return [] }
        self.style = style
        return [.request(style)]
    }
}
