/// Where in the app a person is, and in which style.
///
/// `next(after:)` is the whole navigation: the app shows the new screen, and requests its style.
enum Place: Equatable, CaseIterable {
    case compactMenu
    case expandedMenu
    /// The app requested expanded style for the food list, and going back undoes that.
    case foodFromCompact
    case foodFromExpanded
    case compactMood
    case expandedMood
    case closed

    /// An event that may change the place.
    enum Event: Equatable, CaseIterable {
        /// Somebody expanded or collapsed the app by hand.
        case expand, collapse
        case openFood, openMood
        case back
        case dismiss
    }

    /// The screens.
    enum Screen: Equatable {
        case menu, food, mood
    }

    /// The place after an event; the same place if the event has no effect.
    func next(after event: Event) -> Place {
        switch (self, event) {
        case (.closed, _), (_, .dismiss): .closed

        case (.compactMenu, .expand): .expandedMenu
        case (.compactMenu, .openFood): .foodFromCompact
        case (.compactMenu, .openMood): .compactMood

        case (.expandedMenu, .collapse): .compactMenu
        case (.expandedMenu, .openFood): .foodFromExpanded
        case (.expandedMenu, .openMood): .expandedMood

        case (.foodFromCompact, .back), (.foodFromCompact, .collapse): .compactMenu
        case (.foodFromExpanded, .back): .expandedMenu
        case (.foodFromExpanded, .collapse): .compactMenu

        case (.compactMood, .expand): .expandedMood
        case (.compactMood, .back): .compactMenu
        case (.expandedMood, .collapse): .compactMood
        case (.expandedMood, .back): .expandedMenu

        case (_, .expand), (_, .collapse), (_, .openFood), (_, .openMood), (_, .back): self
        }
    }

    /// The screen to show; nil when the app is closed.
    var screen: Screen? {
        switch self {
        case .compactMenu, .expandedMenu: .menu
        case .foodFromCompact, .foodFromExpanded: .food
        case .compactMood, .expandedMood: .mood
        case .closed: nil
        }
    }

    var isExpanded: Bool {
        switch self {
        case .expandedMenu, .foodFromCompact, .foodFromExpanded, .expandedMood: true
        case .compactMenu, .compactMood, .closed: false
        }
    }
}
