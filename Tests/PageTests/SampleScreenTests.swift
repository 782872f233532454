import Glibc
import PageSupport
import TestSupport
import Testing
import WebDriver

/// The icon store between two nodes, and the navigation of Mood and food, on a page.
@Suite(
    .serialized,
    .enabled(if: BrowserDriver.isInstalled || geteuid() == 0),
    .timeLimit(.minutes(5)),
    .sharedPair
)
struct SampleScreenTests {
    /// An item that is picked on one side opens on the other, where the app was closed.
    @Test func anItemOpensWhereTheAppWasClosed() async throws {
        let pair = try #require(PagePair.current)
        try await pair.begin()
        let (alice, bob) = (pair.alicesPage, pair.bobsPage)
        try await alice.openApp("Icon store")
        try await alice.inspect("items", sizes: [(390, 844), (1_440, 900)])
        try await alice.find("button", "Rocket").click()
        try await alice.sendDraft()
        for page in [bob, alice] {
            let card = try await page.find("article", "From the icon store: Rocket")
            try await page.find("button", "Open", in: card).click()
            let panel = try await page.find("region", "Icon store")
            try await expect("expanded", "Points up and to the right", in: panel)
            _ = try await page.find("image", "Icon: Rocket", in: panel)
            if page === bob { try await page.inspect("item", sizes: [(390, 844)]) }
            // Collapsing closes the page of the item.
            try await page.find("button", "Collapse", in: panel).click()
            try await expect("compact", "Pick one to show it", in: panel)
            try await page.find("button", "Close", in: panel).click()
        }
    }

    /// Every transition of the navigation table, one after the other, by hand.
    @Test func theNavigationTable() async throws {
        let pair = try #require(PagePair.current)
        try await pair.begin()
        let page = pair.alicesPage
        let (menu, food, mood) = ("How are you today?", "What would you like?", "Your mood")
        let ways: [[(button: String, style: String, screen: String)]] = [
            // The menu follows the style; Food forces expanded style, and Back undoes that.
            [
                ("Expand", "expanded", menu), ("Collapse", "compact", menu),
                ("Food", "expanded", food), ("Back", "compact", menu),
                ("Food", "expanded", food), ("Collapse", "compact", menu),
            ],
            // From the expanded menu, Back returns there, and collapsing leaves Food.
            [
                ("Expand", "expanded", menu), ("Food", "expanded", food),
                ("Back", "expanded", menu), ("Food", "expanded", food),
                ("Collapse", "compact", menu),
            ],
            // Mood takes either style, and Back keeps the present one.
            [
                ("Mood", "compact", mood), ("Back", "compact", menu), ("Mood", "compact", mood),
                ("Expand", "expanded", mood), ("Back", "expanded", menu),
                ("Mood", "expanded", mood), ("Collapse", "compact", mood),
                ("Back", "compact", menu),
            ],
        ]
        // Each screen is looked at once.
        var looks = [menu: "mood-and-food", food: "food", mood: "mood"]
        for way in ways {
            try await page.openApp("Mood and food")
            let panel = try await page.find("region", "Mood and food")
            try await expect("compact", menu, in: panel)
            for step in way {
                try await page.find("button", step.button, in: panel).click()
                try await expect(step.style, step.screen, in: panel)
                if let look = looks.removeValue(forKey: step.screen) {
                    try await page.inspect(look, sizes: [(390, 844), (1_440, 900)])
                }
            }
            // The app closes from anywhere.
            try await page.find("button", "Done", in: panel).click()
            try await eventually("the end of the panel") {
                try page.present("region", "Mood and food") == nil
            }
        }
    }

    /// Waits until the panel has that style and shows that text.
    private func expect(_ style: String, _ text: String, in panel: Element) async throws {
        try await eventually("\(text) in \(style) style") {
            try panel.attribute("data-style") == style && panel.text.contains(text)
        }
    }
}
