import Foundation
import WebDriver

/// A measurement of the page in browsers, which a process of its own carries out.
struct PageRow: Row {
    /// The measurements.
    enum Kind: String, CaseIterable {
        case moves
        case label
        case paint
        case transcript = "transcript-10000"
        case memory
        case guests = "guests-8"
        case drawing
    }

    let kind: Kind

    var name: String { "page-\(kind.rawValue)" }

    var targets: [Target] {
        switch kind {
        case .moves:
            [
                Target(PageMoves.median, .atMost(50)), Target(PageMoves.slowest, .atMost(150)),
            ]
        case .label: [Target(PageLabel.median, .atMost(16))]
        case .paint: [Target(PagePaint.paint, .atMost(300))]
        case .transcript:
            [
                Target(PageTranscript.opening, .atMost(300)),
                Target(PageTranscript.longestTask, .atMost(50)),
            ]
        case .memory: [Target(PageMemory.renderer, .atMost(60))]
        case .drawing: [Target(PageDrawing.rate, .atLeast(59))]
        case .guests:
            [
                Target(PageGuests.slowest, .atMost(100)), Target(PageGuests.seat, .atMost(5_000)),
                Target(PageGuests.load, .atMost(150)),
            ]
        }
    }

    var missing: String? {
        BrowserDriver.isInstalled
            ? nil : "there is no Chromium here; install chromium and chromium-driver"
    }

    func measure(_ bench: Bench) async throws -> [Figure] {
        let order = PageChild.Order(
            kind: kind,
            isQuick: bench.isQuick,
            directory: bench.newDirectory()
        )
        let child = try ChildProcess(order.arguments)
        defer { child.end() }
        let line = try child.line(within: 600)
        return try JSONDecoder().decode([Figure].self, from: Data(line.utf8))
    }
}
