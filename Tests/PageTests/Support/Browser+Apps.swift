extension Browser {
    /// Opens an app from the drawer, in compact style.
    func openApp(_ name: String) async throws {
        try await find("button", "Apps").click()
        let drawer = try await find("region", "Apps")
        try await find("button", name, in: drawer).click()
        _ = try await find("region", name)
    }

    /// Sends the draft of an app as soon as it is in the input field.
    func sendDraft() async throws {
        _ = try await find("region", "Draft")
        try await find("button", "Send").click()
    }
}
