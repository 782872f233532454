import Foundation
import WebDriver

/// The memory of the process that draws a page.
struct RendererMemory {
    /// The memory that the process shares with no other one.
    let privateMegabytes: Double
    /// The used part of the heap of JavaScript.
    let heapMegabytes: Double
    /// The nodes of documents that are there, in use or not yet collected.
    let nodes: Double
    let listeners: Double

    /// Measures the page of a browser with one window.
    init(of browser: Browser) throws {
        let metrics = try browser.metrics(["JSHeapUsedSize", "Nodes", "JSEventListeners"])
        heapMegabytes = metrics[0] / 1_048_576
        (nodes, listeners) = (metrics[1], metrics[2])
        privateMegabytes = try Self.privateKilobytes(Self.renderer(of: browser)) / 1_024
    }

    /// The process that draws the page.
    ///
    /// A browser has others of that kind, for its own pages and in reserve. The one that is busy
    /// while the page is kept busy is the page's.
    private static func renderer(of browser: Browser) throws -> Int32 {
        let renderers = ProcessTree.descendants(of: browser.processID).filter(isRenderer)
        let found = try renderers.map { (process: $0, meter: try ProcessMeter($0)) }
        let before = found.map(\.meter.processorSeconds)
        try browser.run("const end = performance.now() + 200; while (performance.now() < end);")
        let used = zip(found, before).map { ($0.process, $0.meter.processorSeconds - $1) }
        guard let most = used.max(by: { $0.1 < $1.1 }) else {
            throw BenchError.system("the process that draws the page was not found")
        }
        return most.0
    }

    private static func isRenderer(_ process: Int32) -> Bool {
        let words = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
        return String(decoding: words, as: UTF8.self).contains("--type=renderer")
    }

    private static func privateKilobytes(_ process: Int32) -> Double {
        let path = "/proc/\(process)/smaps_rollup"
        return ["Private_Clean", "Private_Dirty"].reduce(0) { sum, name in
            let text = TextFile.line(startingWith: name, of: path) ?? ""
            return sum + (Double(text.prefix { $0.isNumber }) ?? 0)
        }
    }
}
