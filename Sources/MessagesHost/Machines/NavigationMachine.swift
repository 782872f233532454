/// What a screen of an app says of the style that it takes.
public enum StyleNeed: Hashable, Sendable, CaseIterable {
    /// It makes no sense in compact style.
    case needsExpanded
    /// It is opened in compact style and may be expanded by hand.
    case prefersCompact
    /// It takes whatever style there is.
    case either
}

/// The way through an app with a menu and screens behind it, in two styles.
///
/// Legal transitions, for a menu in compact (CM) and expanded (EM) form:
/// - `CM <-> EM`, by hand
/// - menu `-> screen`, in the style that the screen says
/// - screen `-> menu`, by going back: in compact if expansion was forced, else in the present style
/// - a screen that needs expanded `-> CM`, on collapse
/// - any `-> closed`; `closed` is final
///
/// There is always exactly one child: the menu or one screen, and none once it is closed.
public struct NavigationMachine<Screen: Hashable & Sendable>: Hashable, Sendable {
    /// The style, as far as an app has a choice.
    public enum Style: Hashable, Sendable, CaseIterable {
        case compact
        case expanded
    }

    /// Where a person is.
    public enum Place: Hashable, Sendable {
        case menu
        /// A screen; whether the style was changed for its sake, which going back undoes.
        case screen(Screen, StyleNeed, isForced: Bool)
        case closed
    }

    /// What a person or the app does.
    public enum Event: Hashable, Sendable {
        case expand
        case collapse
        case open(Screen, StyleNeed)
        case back
        case dismiss
    }

    /// What to do, in order.
    public enum Step: Hashable, Sendable {
        /// Take the present child away, if there is one, and put this one there.
        case show(Place)
        /// Ask for the style, unless it is the one that there is.
        case request(Style)
        /// Give up the panel.
        case dismiss
    }

    /// Where a person is now.
    public private(set) var place = Place.menu
    /// How much of the screen there is.
    public private(set) var style: Style

    /// The menu in the style in which the app was opened.
    public init(style: Style) {
        self.style = style
    }

    /// Tells what happened.
    ///
    /// - Returns: what follows; nothing for what makes no sense where a person is.
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
        // From one screen to the next: what the first one forced is still to be undone.
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
