import TestSupport
package import WebDriver

/// The page of a node, as a person uses it.
extension Browser {
    /// Waits until the page follows its node.
    package func waitForConnection() async throws {
        try await eventually("a connection of the page", every: .milliseconds(30)) {
            let script = "return document.querySelector('[role=status]')?.textContent ?? ''"
            return try run(script).text == "Connected"
        }
    }

    /// Opens an app from the drawer, in compact style.
    package func openApp(_ name: String) async throws {
        try await find("button", "Apps").click()
        let drawer = try await find("region", "Apps")
        try await find("button", name, in: drawer).click()
        _ = try await find("region", name)
    }

    /// Sends the draft of an app as soon as it is in the input field.
    package func sendDraft() async throws {
        _ = try await find("region", "Draft")
        try await find("button", "Send").click()
    }
}
