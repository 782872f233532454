import PageSupport
import TestSupport
import Testing
import WebDriver

/// The place of the label that an app has pinned to its top.
extension Browser {
    private struct Place: Equatable {
        var top: Double
        var belowBar: Double
    }

    /// Opens an app, expands and collapses it, and expects that its label stands right below the
    /// bar all the time, and in compact style exactly where it stood before.
    func expectPinnedLabel(of app: String) async throws {
        try await openApp(app)
        let panel = try await find("region", app)
        let before = try place()
        try await find("button", "Expand", in: panel).click()
        _ = try await find("button", "Collapse", in: panel)
        let expanded = try place()
        try await find("button", "Collapse", in: panel).click()
        _ = try await find("button", "Expand", in: panel)
        #expect(try place() == before)
        #expect(expanded.top < before.top)
        // The label stands below the bar in both styles, at the same distance.
        #expect(expanded.belowBar == before.belowBar)
        #expect((0...24).contains(expanded.belowBar))
    }

    private func place() throws -> Place {
        let script = """
            const label = document.querySelector(".panel h3.view-text").getBoundingClientRect();
            const bar = document.querySelector(".panel-bar").getBoundingClientRect();
            return [label.top, label.top - bar.bottom];
            """
        let numbers = try run(script).array?.compactMap(\.number) ?? []
        try #require(numbers.count == 2)
        return Place(top: numbers[0], belowBar: numbers[1])
    }
}
