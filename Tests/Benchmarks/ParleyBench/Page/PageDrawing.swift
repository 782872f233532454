import PageSupport
import WebDriver

/// The frames that a browser like that of a phone shows while a finger draws on its page, and
/// somebody else watches.
enum PageDrawing {
    static let rate = "frames/s"

    static func measure(seconds: Double) async throws -> [Figure] {
        let pair = try await PagePair()
        let (phone, other) = (pair.pages[0].browser, pair.pages[1].browser)
        try phone.devTools(
            "Emulation.setDeviceMetricsOverride",
            ["width": 390, "height": 844, "deviceScaleFactor": 3, "mobile": true]
        )
        try phone.devTools("Emulation.setTouchEmulationEnabled", ["enabled": true])
        for page in [phone, other] {
            try page.go(to: "/c/\(PagePair.conversation)")
            try await page.waitForConnection()
        }
        try press("button[aria-label=Apps]", on: phone)
        try press(".drawer [aria-label=\"Draw and guess\"]", on: phone)
        try press("button", "Who wants to play?", on: phone)
        try press(".card-join", on: other)
        try press("button", "Start", on: phone)
        try press(".panel [data-node$=\"#word1\"]", on: phone)
        let times = try frames(while: seconds, on: phone)
        await pair.end()
        guard let frames = times["frames"]?.array?.compactMap(\.number), !frames.isEmpty,
            let works = times["works"]?.array?.compactMap(\.number)
        else { throw BenchError.unexpected("no frames: \(times)") }
        return [
            Figure(rate, Double(frames.count) * 1e3 / frames.reduce(0, +)),
            Figure("p95 ms between frames", frames.quantile(0.95)),
            Figure("p95 ms work in a frame", works.quantile(0.95)),
        ]
    }

    /// Presses the first usable button that a selector finds, with this text if there is one.
    private static func press(_ selector: String, _ text: String = "", on page: Browser) throws {
        let script = """
            const [selector, text, done] = arguments;
            const look = () => {
                const found = [...document.querySelectorAll(selector)].find((button) =>
                    !button.matches("[aria-disabled]") && button.textContent.includes(text));
                if (!found) return setTimeout(look, 20);
                found.click();
                done();
            };
            look();
            """
        try page.runLater(script, .text(selector), .text(text))
    }

    /// The times between frames, and those of the page's own work in each, while strokes are drawn
    /// by events as a finger makes them: one a frame, with the points in between.
    private static func frames(while seconds: Double, on page: Browser) throws -> JSONValue {
        let script = """
            const [length, done] = arguments;
            const until = async (find) => {
                for (;;) {
                    const found = find();
                    if (found) return found;
                    await new Promise((next) => setTimeout(next, 20));
                }
            };
            (async () => {
                const area = await until(() => document.querySelector(".panel .can-draw"));
                // There is no finger whose events could be captured.
                area.setPointerCapture = () => {};
                const box = area.getBoundingClientRect();
                const touch = (type, time, more = {}) => area.dispatchEvent(
                    new PointerEvent(type, {
                        bubbles: true, cancelable: true, isPrimary: true, pointerId: 7,
                        pointerType: "touch", button: 0,
                        clientX: box.left + box.width * (0.5 + 0.4 * Math.cos(time / 160)),
                        clientY: box.top + box.height * (0.5 + 0.4 * Math.sin(time / 230)),
                        ...more,
                    }));
                const [frames, works] = [[], []];
                let drawn = 0;
                const frame = requestAnimationFrame;
                window.requestAnimationFrame = (run) => frame((time) => {
                    const began = performance.now();
                    run(time);
                    drawn += performance.now() - began;
                });
                const first = await new Promise(frame);
                let [last, isDown] = [first, false];
                while (last - first < length) {
                    const began = performance.now();
                    // Four strokes in five seconds, with a pause after each.
                    const isDrawn = (last - first) % 1_250 < 1_000;
                    if (isDrawn !== isDown) touch(isDrawn ? "pointerdown" : "pointerup", last);
                    isDown = isDrawn;
                    if (isDown) touch("pointermove", last - 8);
                    if (isDown) touch("pointermove", last);
                    const taken = performance.now() - began;
                    // What the page has asked for is before this in the frame.
                    const now = await new Promise(frame);
                    works.push(taken + drawn);
                    drawn = 0;
                    frames.push(now - last);
                    last = now;
                }
                done({ frames, works });
            })();
            """
        return try page.runLater(script, .number(seconds * 1e3))
    }
}
