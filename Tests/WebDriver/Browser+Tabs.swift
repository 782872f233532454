/// The tabs of a browser; commands are about the one that was chosen last.
extension Browser {
    /// The name by which the present tab is chosen again.
    package var tab: String {
        get throws { try command("GET", "window").text ?? "" }
    }

    /// The number of tabs that are open.
    package var tabCount: Int {
        get throws { try command("GET", "window/handles").array?.count ?? 0 }
    }

    /// Opens a tab and chooses it; returns its name.
    @discardableResult
    package func openTab() throws -> String {
        let name = try command("POST", "window/new", ["type": "tab"])["handle"]?.text ?? ""
        try choose(tab: name)
        return name
    }

    /// Chooses another tab.
    package func choose(tab name: String) throws {
        _ = try command("POST", "window", ["handle": .text(name)])
    }

    /// Closes the present tab; another one has to be chosen then.
    package func closeTab() throws {
        _ = try command("DELETE", "window")
    }
}
