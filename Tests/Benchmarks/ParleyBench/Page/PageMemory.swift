import TestSupport
import WebDriver

/// The memory of a page after many moves.
///
/// The heap of JavaScript is what a page is usually measured by, but elements, styles, pictures and
/// the program itself are outside of it. The process that draws the page has all of that.
enum PageMemory {
    static let renderer = "MB private"

    static func measure(moves: Int) async throws -> [Figure] {
        let pair = try await PagePair()
        try await pair.beginToPlay()
        let page = pair.pages[1].browser
        let games = Games(pages: pair.pages)
        try await games.play(9) { try $0.playByScript() }
        for page in pair.pages { try page.beginAnew() }
        let before = try RendererMemory(of: page)
        try await games.play(moves) { try $0.playByScript() }
        let after = try RendererMemory(of: page)
        let collected = try await collected(page)
        await pair.end()
        return [
            Figure("MB private, 9 moves", before.privateMegabytes),
            Figure("MB private with garbage", after.privateMegabytes),
            Figure(renderer, collected.privateMegabytes),
            Figure("MB heap", after.heapMegabytes),
            Figure("MB heap collected", collected.heapMegabytes),
            Figure("elements", collected.nodes),
            Figure("listeners", collected.listeners),
        ]
    }

    /// Collects the garbage, and measures once five collections, a second apart, have freed nothing
    /// more: the browser gives its memory back in the background.
    private static func collected(_ page: Browser) async throws -> RendererMemory {
        var memory = try RendererMemory(of: page)
        var unchanged = 0
        return try await eventually("memory that falls no more", every: .seconds(1)) {
            let before = memory.privateMegabytes
            try page.devTools("HeapProfiler.collectGarbage")
            memory = try RendererMemory(of: page)
            unchanged = memory.privateMegabytes > before - 1 ? unchanged + 1 : 0
            return unchanged == 5 ? memory : nil
        }
    }
}
