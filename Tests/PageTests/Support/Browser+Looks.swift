import Foundation
import Testing
import WebDriver

/// The looks of a page, and what a checker of accessibility finds in it.
extension Browser {
    /// Sizes of windows, in points: a phone, a tablet and a desktop.
    static let sizes = [(390, 844), (768, 1_024), (1_440, 900)]

    /// The folder of the project.
    private static let project = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Lets the page think that the person prefers `light` or `dark`.
    func prefer(_ scheme: String) throws {
        let feature: JSONValue = ["name": "prefers-color-scheme", "value": .text(scheme)]
        let still: JSONValue = ["name": "prefers-reduced-motion", "value": "reduce"]
        try devTools("Emulation.setEmulatedMedia", ["features": [feature, still]])
    }

    /// Takes a picture of the window at each size, in light and dark, and expects that axe-core
    /// finds no violation in any and that nothing overflows.
    func inspect(_ screen: String, sizes: [(Int, Int)] = sizes) async throws {
        for scheme in ["light", "dark"] {
            try prefer(scheme)
            for (width, height) in sizes {
                try resize(width: width, height: height)
                try picture("\(screen)-\(width)x\(height)-\(scheme)")
                let wide = try overflowing()
                #expect(wide.isEmpty, "\(screen) at \(width): \(wide)")
                // Nothing but colors differs between light and dark.
                let found = try violations(ofColorsOnly: scheme == "dark")
                #expect(found.isEmpty, "\(screen) at \(width), \(scheme): \(found)")
            }
        }
        try prefer("light")
    }

    /// Writes a picture of the window to `.build/screens`.
    func picture(_ name: String) throws {
        let folder = Self.project.appending(path: ".build/screens")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try screenshot().write(to: folder.appending(path: "\(name).png"))
    }

    /// The elements that stick out of the window or out of what they are in.
    private func overflowing() throws -> [String] {
        let script = """
            const wide = [...document.querySelectorAll("body, body *")].filter((element) => {
                if (element.closest(".unseen, svg, [inert]")) return false;
                const box = element.getBoundingClientRect();
                return box.width > 0 && (box.right > innerWidth + 1 || box.left < -1);
            });
            return wide.slice(0, 5).map((element) => element.outerHTML.slice(0, 120));
            """
        return try run(script).array?.compactMap(\.text) ?? []
    }

    /// The violations that axe-core finds, each with its elements.
    func violations(ofColorsOnly isShort: Bool = false) throws -> [String] {
        if try run("return typeof axe") == "undefined" { _ = try run(try Self.axe()) }
        let script = """
            const done = arguments[arguments.length - 1];
            const words = ({ target, any, all }) =>
                `${target} ${[...any, ...all][0]?.message ?? ""}`;
            const colors = { runOnly: ["color-contrast", "link-in-text-block"] };
            const options = arguments[0] ? colors : {};
            axe.run(document, options).then(({ violations, passes }) => done(passes.length
                ? violations.map(({ id, nodes }) => `${id}: ${nodes.map(words).join(" | ")}`)
                : ["no rule applies"]), (error) => done([String(error)]));
            """
        return try runLater(script, .bool(isShort)).array?.compactMap(\.text) ?? ["no answer"]
    }

    private static func axe() throws -> String {
        let packages = project.appending(path: ".build/python/lib")
        let files = FileManager.default.enumerator(at: packages, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            if file.lastPathComponent == "axe.min.js" {
                return try String(contentsOf: file, encoding: .utf8)
            }
        }
        throw MissingAxe()
    }
}

/// The checker of accessibility is not installed.
private struct MissingAxe: Error, CustomStringConvertible {
    let description = "there is no axe-core; run Deploy/install-dependencies.sh --test"
}
