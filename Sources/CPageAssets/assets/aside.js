// The messages that arrive while an app covers the transcript.

import { h } from "./elements.js";
import { changed } from "./model.js";

/// The time for which a message is shown.
const SHOWN_FOR = 6_000;

/// How many messages have come since the app covers the transcript, and the last one if it is shown.
const missed = { over: null, count: 0, entry: null, timer: null };

/// Takes a message that has come meanwhile.
export function missedOne(entry) {
    clearTimeout(missed.timer);
    missed.timer = setTimeout(() => {
        missed.entry = null;
        changed();
    }, SHOWN_FOR);
    missed.entry = entry;
    missed.count += 1;
}

/// Forgets what has come over another app, or if `over` is null, once the transcript is seen.
export function missedOver(over) {
    if (!over || missed.over !== over) Object.assign(missed, { over, count: 0, entry: null });
}

/// The number of the messages, which leads back to them.
export const missedCount = (back) => missed.count > 0 && h("button", {
    key: "missed", type: "button", class: "icon-button", on: { click: back },
    "aria-label": missed.count > 1 ? `${missed.count} new messages` : "1 new message",
}, h("span", { class: "badge" }, String(missed.count)));

/// The last message, at the lower edge.
export const asideView = (back) => h("div", { key: "aside", class: "aside", role: "status" },
    missed.entry && h("button", {
        key: "back", type: "button", class: "note", dir: "auto", on: { click: back },
    }, h("b", null, missed.entry.sender.name ?? "Someone"), ` ${missed.entry.line}`));
