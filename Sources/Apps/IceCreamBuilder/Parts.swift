/// The vessel of a sundae; the raw value is in URLs.
enum Base: String, CaseIterable {
    case cone, bowl, cup, glass

    var name: String {
        switch self {
        case .cone: "Sugar cone"
        case .bowl: "Waffle bowl"
        case .cup: "Paper cup"
        case .glass: "Sundae glass"
        }
    }
}

/// Three scoops; the raw value is in URLs.
enum Scoops: String, CaseIterable {
    case classic, berries, forest, sunrise, midnight, sea

    var name: String {
        switch self {
        case .classic: "Grandma's three"
        case .berries: "Berry patch"
        case .forest: "Mint forest"
        case .sunrise: "Sunrise"
        case .midnight: "Midnight"
        case .sea: "Seaside"
        }
    }

    /// The colors of the scoops: left, right, and on top.
    var colors: [Color] {
        switch self {
        case .classic: [Color(0x8A5A3C), Color(0xF7A8B8), Color(0xFFF0CC)]
        case .berries: [Color(0x9B72CF), Color(0xF48FB1), Color(0xFFE3EC)]
        case .forest: [Color(0x6E4630), Color(0xA8E0C0), Color(0xCDEFB8)]
        case .sunrise: [Color(0xFFB25B), Color(0xFF8577), Color(0xFFE08A)]
        case .midnight: [Color(0x4B3A63), Color(0x5B3A29), Color(0x7A6AA8)]
        case .sea: [Color(0x6EC6E6), Color(0xFFF3D6), Color(0xA7DCEB)]
        }
    }
}

/// The crown of a sundae; the raw value is in URLs.
enum Topping: String, CaseIterable {
    case cherry, sprinkles, sauce, cream, fruit

    var name: String {
        switch self {
        case .cherry: "One cherry"
        case .sprinkles: "Sprinkles"
        case .sauce: "Chocolate sauce"
        case .cream: "Cream and wafer"
        case .fruit: "Fresh fruit"
        }
    }
}
