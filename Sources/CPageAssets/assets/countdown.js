// The time that is left for a move, which counts down without a word of the node.

import { h } from "./elements.js";
import { clock } from "./requests.js";

/// The seconds from which the time is short.
const SHORT = 10;

/// Describes a text of the identity in `common` that counts down to `node.until`. No other text
/// gets its element. A screen reader does not speak each second: the app's own text says once that
/// the time is short.
export function countdownView(node, common) {
    return h("p", {
        ...common, key: `until ${node.id}`, role: "timer", opaque: true,
        class: "view-text text-caption countdown",
        shown: (element) => {
            element.until = node.until;
            tick(element);
        },
    });
}

function tick(element) {
    clearTimeout(element.timer);
    if (!element.isConnected) return;
    const left = Math.max(0, element.until - Date.now() - clock.ahead);
    const seconds = Math.ceil(left / 1_000);
    element.textContent = `${timeText(seconds)} left`;
    element.classList.toggle("is-short", seconds <= SHORT);
    if (left) element.timer = setTimeout(tick, left % 1_000 || 1_000, element);
}

/// Minutes and seconds, or a round time if that is long.
function timeText(seconds) {
    const hours = Math.round(seconds / 3_600);
    if (hours >= 48) return `${Math.round(hours / 24)} days`;
    if (seconds > 5_999) return `${hours} h`;
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
