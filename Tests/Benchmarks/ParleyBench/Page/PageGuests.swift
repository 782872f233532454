import Foundation
import PageSupport
import ParleyAPI
import WebDriver

/// Eight guests of one node, each with a browser of the size of a phone, and the page of their
/// host.
///
/// Two of the guests play, and all others watch. The browsers share the processors of this machine,
/// which phones do not, so the times are upper bounds.
enum PageGuests {
    static let slowest = "p95 ms on all screens"
    static let seat = "ms scan to seat"
    static let load = "KB first load"
    private static let guests = 8

    static func measure(moves: Int) async throws -> [Figure] {
        let node = try await PageNode("Ada")
        _ = try await node.run("conversation", "create", PagePair.conversation)
        let answer = try await node.run("guests", PagePair.conversation)
        let link = try JSON.decode(GuestsDocument.self, from: answer).links.first ?? ""
        let driver = try await BrowserDriver()
        let host = try MeasuredPage(driver, width: 1_440, height: 900)
        try await host.enter(node.ready.page ?? "")
        try host.browser.go(to: "/c/\(PagePair.conversation)")
        var (phones, seats, kilobytes): ([MeasuredPage], [Double], Double) = ([], [], 0)
        for number in 1...guests {
            let phone = try MeasuredPage(driver, width: 390, height: 844)
            seats.append(try takeSeat("guest \(number)", phone, by: link))
            if number == 1 { kilobytes = try loaded(phone) }
            phones.append(phone)
        }
        for phone in phones.prefix(2) { try phone.openApp("Tic-tac-toe") }
        let screens = [host] + phones.dropFirst(2)
        let games = Games(pages: Array(phones.prefix(2)))
        var delays: [Double] = []
        let before = try screens.map(work(of:))
        try await games.play(moves) { delays.append(try time(of: $0, on: screens)) }
        let works = try zip(screens, before).map { try (work(of: $0) - $1) / Double(moves) }
        await node.end()
        return [
            Figure("p50 ms on all screens", delays.quantile(0.5)),
            Figure(slowest, delays.quantile(0.95)),
            Figure("ms work of a page", works.quantile(0.5)),
            Figure(seat, seats.quantile(0.5)), Figure(load, kilobytes),
        ]
    }

    /// The milliseconds that the machines need from the opened link to the page with a seat; a
    /// person adds the name and a tap.
    private static func takeSeat(
        _ name: String,
        _ phone: MeasuredPage,
        by link: String
    ) throws -> Double {
        let begin = ProcessMeter.now
        try phone.browser.open(link)
        try phone.wait(for: "#name")
        let asked = ProcessMeter.now
        let fill = "const field = document.querySelector('#name'); field.value = arguments[0]"
        try phone.browser.run(fill, .text(name))
        let joined = ProcessMeter.now
        try phone.browser.run("document.querySelector('#name').form.requestSubmit()")
        try phone.wait(for: "textarea")
        return (ProcessMeter.now - joined + asked - begin) * 1e3
    }

    /// The milliseconds that a page has spent in its script and in the layout of what that changes.
    private static func work(of page: MeasuredPage) throws -> Double {
        let names = ["ScriptDuration", "LayoutDuration", "RecalcStyleDuration"]
        return try page.browser.metrics(names).reduce(0, +) * 1e3
    }

    /// The kilobytes that the browser has received for the page.
    private static func loaded(_ phone: MeasuredPage) throws -> Double {
        let script = """
            return [...performance.getEntriesByType("navigation"),
                ...performance.getEntriesByType("resource")]
                .reduce((sum, { transferSize }) => sum + transferSize, 0);
            """
        return (try phone.browser.run(script).number ?? .nan) / 1e3
    }

    /// The milliseconds from the press of Send until the move is painted on the last screen.
    private static func time(of move: Games.Move, on screens: [MeasuredPage]) throws -> Double {
        try move.mover.wait(for: ".send[aria-disabled]")
        try move.mover.wait(for: move.selector("free") + ":not([aria-disabled])")
        try move.other.expect(move.selector(move.mark))
        let card = "article:last-of-type [alt*=\"\(move.square) \(move.mark)\"]"
        for screen in screens { try screen.expect(card) }
        try move.mover.click(move.selector("free"))
        try move.mover.wait(for: ".send:not([aria-disabled])")
        try move.mover.click(".send")
        let painted = try ([move.other] + screens).map { try $0.sight().painted }
        return (painted.max() ?? .nan) - (try move.mover.pressed())
    }
}
