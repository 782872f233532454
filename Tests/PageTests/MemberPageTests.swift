import Glibc
import PageSupport
import ParleyAPI
import TestSupport
import Testing
import WebDriver

/// Members are removed on the page of one who stands higher.
@Suite(
    .serialized,
    .enabled(if: BrowserDriver.isInstalled || geteuid() == 0),
    .timeLimit(.minutes(10))
)
struct MemberPageTests {
    /// Ada, who made the conversation, and who came by her invites, each with a page.
    private struct Room {
        let ada: PageNode
        let ben: PageNode
        let yan: PageNode
        let rita: PageNode
        let adasPage: Browser
        let bensPage: Browser
        let yansPage: Browser

        init() async throws {
            ada = try await PageNode("ada")
            let address = try #require(ada.ready.addresses.first)
            _ = try await ada.run("conversation", "create", "games")
            ben = try await PageNode("ben", peers: [address])
            let another = try #require(ben.ready.addresses.first)
            yan = try await PageNode("yan", peers: [address, another])
            rita = try await PageNode("rita", peers: [address])
            for (node, role) in [(ben, "writer"), (yan, "writer"), (rita, "reader")] {
                let link = try await Self.invite(of: ada, "--role", role)
                _ = try await node.run("join", "-", input: link)
            }
            try await eventually("all members, with ranks") { [ben] in
                let data = try await ben.run("conversation", "members", "games")
                let members = try JSON.decode([Member].self, from: data)
                return members.count { $0.invitedBy != nil } == 2
            }
            try await eventually("the reader") { [ada] in
                let data = try await ada.run("conversation", "members", "games")
                return try JSON.decode([Member].self, from: data).count == 4
            }
            let driver = try await BrowserDriver()
            adasPage = try driver.browser(width: 1_440, height: 900)
            bensPage = try driver.browser(width: 1_440, height: 900)
            yansPage = try driver.browser(width: 1_440, height: 900)
            for (page, node) in [(adasPage, ada), (bensPage, ben), (yansPage, yan)] {
                try page.open(try #require(node.ready.page))
                try await page.waitForConnection()
                try page.go(to: "/c/games")
                try await page.waitForConnection()
                _ = try await page.find("textbox", "Message")
            }
        }

        func invite() async throws -> String { try await Self.invite(of: ada) }

        private static func invite(of node: PageNode, _ options: String...) async throws -> String {
            let data = try await node.run(["invite", "games"] + options)
            return try JSON.decode(Invite.self, from: data).link
        }

        func end() async {
            for node in [ada, ben, yan, rita] {
                await #expect(node.end() == 0, "\((try? node.log.suffix(1_000)) ?? "")")
            }
        }
    }

    @Test func whoIsRemovedIsOutAndReadsWhy() async throws {
        let room = try await Room()
        let (ada, yan) = (room.adasPage, room.yansPage)
        try await yan.find("textbox", "Message").type("Hello\u{E007}")
        _ = try await ada.find("article", "Hello")
        try ada.picture("people-1440x900")
        let old = try await room.invite()

        let remove = try await ada.find("button", "Remove yan…")
        try await ada.go(by: .enter, to: "button", "Remove yan…")
        let dialog = try await ada.find("dialog", "Remove a member")
        let box = try await ada.find("checkbox", "yan", in: dialog)
        #expect(try ada.isChecked(box) == false)
        let rita = try await ada.find("checkbox", "rita", in: dialog)
        #expect(try ada.isChecked(rita))
        #expect(try dialog.text.contains("\u{2068}rita\u{2069}\na reader"))
        #expect(try dialog.text.contains("\u{2068}yan\u{2069} goes."))
        let cancel = try await ada.find("button", "Cancel", in: dialog)
        #expect(try ada.isFocused(cancel))
        // Escape closes it, and the focus is where it was.
        try ada.press(.escape)
        try await eventually("the focus") { try ada.isFocused(remove) }

        try remove.click()
        _ = try await ada.find("checkbox", "rita")
        try await ada.inspect("remove-member")
        try await ada.go(by: .enter, to: "button", "Remove \u{2068}yan\u{2069}")
        try await eventually("the note") { try ada.seen.contains("\u{2068}yan\u{2069} is out.") }
        try await eventually("the list without yan") {
            try ada.present("dialog", "Remove a member") == nil
                && ada.present("button", "Remove yan…") == nil
                && ada.present("button", "Remove ben…") != nil
        }
        try await eventually("the reason") {
            try yan.seen.contains(
                "You are out of \u{2068}games\u{2069}: \u{2068}ada\u{2069} changed"
            )
        }
        #expect(try yan.present("textbox", "Message") == nil)
        #expect(try yan.present("button", "Remove ben…") == nil)
        _ = try await yan.find("article", "Hello")
        try await yan.inspect("thrown-out")
        // The others go on, with the message of before.
        try await ada.find("textbox", "Message").type("Without yan\u{E007}")
        _ = try await room.bensPage.find("article", "Without yan")
        _ = try await room.bensPage.find("article", "Hello")
        try await comeBack(room, by: old)
        await room.end()
    }

    /// An invite of before is refused with the cure, and a new one leads back.
    private func comeBack(_ room: Room, by old: String) async throws {
        let yan = room.yansPage
        _ = try await room.yan.run("conversation", "leave", "games", "--force")
        try yan.resize(width: 1_440, height: 900)
        try await yan.find("button", "Join by link").click()
        let join = try await yan.find("dialog", "Join by link")
        let link = try await yan.find("textbox", "Link", in: join)
        try link.type("\(old)\u{E007}")
        try await eventually("why not") {
            try join.text.contains(
                "have changed since this invite was made. Ask a member for a new"
            )
        }
        try yan.picture("old-invite-1440x900")
        try await yan.go(by: .enter, to: "button", "Close")
        try await yan.find("button", "Join by link").click()
        try await yan.find("textbox", "Link").type("\(try await room.invite())\u{E007}")
        _ = try await yan.find("article", "Without yan")
    }

    @Test func whoStandsHigherStays() async throws {
        let room = try await Room()
        let ben = room.bensPage
        try await ben.find("button", "Remove ada…").click()
        let dialog = try await ben.find("dialog", "Remove a member")
        try await eventually("why not") {
            try dialog.text.contains("cannot be removed from here: who stands higher")
        }
        try await ben.inspect("remove-higher", sizes: [(390, 844), (1_440, 900)])
        try await ben.find("button", "New conversation", in: dialog).click()
        _ = try await ben.find(
            "textbox",
            "Name",
            in: try await ben.find("dialog", "New conversation")
        )
        try ben.press(.escape)

        // Others can be removed together, and boxes are for who is not among the people, too.
        try await ben.find("button", "New keys…").click()
        let keys = try await ben.find("dialog", "New keys")
        let ada = try await ben.find("checkbox", "ada", in: keys)
        #expect(try ada.attribute("disabled") != nil)
        _ = try await ben.find("button", "Change keys", in: keys)
        // Somebody has been faster: the words name it, and the list is the present one.
        try await ben.find("checkbox", "yan", in: keys).click()
        _ = try await room.ada.run("conversation", "rotate", "games", "--without", "yan", "--yes")
        try await eventually("the news at ben") {
            let data = try await room.ben.run("conversation", "members", "games")
            return try !JSON.decode([Member].self, from: data).contains { $0.name == "yan" }
        }
        try await ben.find("button", "Remove \u{2068}yan\u{2069}", in: keys).click()
        try await eventually("what went wrong") {
            try keys.text.contains("No member of \"games\"")
        }
        try await ben.find("button", "Change keys", in: keys).click()
        try await eventually("the note") { try ben.seen.contains("\u{2068}games\u{2069} has new") }
        await room.end()
    }
}

extension Browser {
    fileprivate func isChecked(_ box: Element) throws -> Bool {
        try run("return arguments[0].checked", box.reference) == .bool(true)
    }
}
