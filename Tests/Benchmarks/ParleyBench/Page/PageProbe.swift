/// The script that a measured page runs before its own.
///
/// A page draws inside of a frame. A task that is asked for while a change is made there runs
/// once the browser has painted the frame, which is what counts as the time of the change.
enum PageProbe {
    /// The time of the page's clock, in milliseconds since 1970.
    static let clock = "return performance.timeOrigin + performance.now()"

    static let script = """
        const probe = (() => {
            const clock = () => performance.timeOrigin + performance.now();
            const probe = { clock, pressed: null };
            addEventListener("click", (event) => {
                probe.pressed = performance.timeOrigin + event.timeStamp;
            }, true);

            // The last event with the screen of an app, and the last frame.
            const event = { time: 0, work: 0 };
            let frameBegan = 0;
            let screen = null;
            const listen = EventSource.prototype.addEventListener;
            EventSource.prototype.addEventListener = function (type, take, ...rest) {
                return listen.call(this, type, type !== "panel" ? take : (message) => {
                    screen = { stream: this, panel: JSON.parse(message.data) };
                    event.time = clock();
                    take(message);
                    event.work = clock() - event.time;
                }, ...rest);
            };
            const nextFrame = requestAnimationFrame.bind(window);
            window.requestAnimationFrame = (run) => nextFrame((time) => {
                frameBegan = clock();
                run(time);
            });

            let wanted = null;
            const look = () => {
                if (!wanted?.isThere()) return;
                const { done } = wanted;
                wanted = null;
                const { port1, port2 } = new MessageChannel();
                port1.onmessage = () => {
                    const painted = clock();
                    done([painted, painted - event.time, event.work + painted - frameBegan]);
                };
                port2.postMessage(null);
            };
            new MutationObserver(look).observe(document, {
                subtree: true, childList: true, attributes: true, characterData: true,
            });
            const happens = (isThere) => new Promise((done) => {
                wanted = { isThere, done };
                look();
            });
            const seen = (selector) => happens(() => document.querySelector(selector));
            let expected = null;
            probe.expect = (selector) => { expected = seen(selector); };
            probe.sight = (done) => expected.then(done);

            let longest = 0;
            const observer = new PerformanceObserver((list) => note(list.getEntries()));
            const note = (tasks) => {
                for (const { duration } of tasks) longest = Math.max(longest, duration);
            };
            observer.observe({ type: "longtask" });
            probe.longestTask = () => {
                note(observer.takeRecords());
                const found = longest;
                longest = 0;
                return found;
            };

            // The last screen of an app comes once more, with another text in one label.
            probe.relabel = async (text) => {
                const panel = { ...screen.panel, serial: screen.panel.serial + 1 };
                const labels = [];
                const collect = (node) => {
                    if (node.kind === "text") labels.push(node);
                    node.children?.forEach(collect);
                };
                collect(panel.tree);
                labels.at(-1).text = text;
                const times = happens(() => [...document.querySelectorAll(".panel .view-text")]
                    .some((element) => element.textContent === text));
                const data = JSON.stringify(panel);
                screen.stream.dispatchEvent(new MessageEvent("panel", { data }));
                return times;
            };

            // A move by a script, for many of them.
            probe.play = async (square) => {
                await seen(".send[aria-disabled]");
                await seen(`.panel [aria-label="Square ${square}, free"]:not([aria-disabled])`);
                document.querySelector(`.panel [aria-label="Square ${square}, free"]`).click();
                await seen(".send:not([aria-disabled])");
                document.querySelector(".send").click();
            };

            // WebDriver keeps every element that it has found, and with it the cards and pictures
            // around it, so this button is not looked for with it.
            probe.beginAnew = async () => {
                const button = ".panel .view-button:not([aria-label])";
                await seen(button);
                document.querySelector(button).click();
                await seen('.panel [aria-label="Square 9, free"]');
            };

            // Scrolls in each frame until an element is there, for at most 10 seconds.
            probe.scroll = async (points, selector) => {
                const log = document.querySelector(".log");
                const begin = performance.now();
                let [last, longestFrame, most] = [begin, 0, 0];
                while (!document.querySelector(selector)) {
                    const now = await new Promise(nextFrame);
                    longestFrame = Math.max(longestFrame, now - last);
                    last = now;
                    most = Math.max(most, log.querySelectorAll("article").length);
                    log.scrollTop += points;
                    if (now - begin > 10_000) break;
                }
                const isThere = document.querySelector(selector) ? 1 : 0;
                return [performance.now() - begin, longestFrame, most, isThere];
            };
            return probe;
        })();
        window.probe = probe;
        """
}
