// The last entry seen in this browser, by conversation, and the line above the unread ones.

import { h } from "./elements.js";
import { isMessage } from "./entries.js";
import { changed, state, watch } from "./model.js";
import { ask, at } from "./requests.js";

/// The line above the first unread message: the conversation, the ID of the message, and whether
/// that was looked for.
let line = { conversation: null, id: null, isFound: false };
/// The day on which the transcript was described last.
let day = new Date().toDateString();
let wasConnected = false;

const key = (name) => `seen ${name}`;

/// The last entry that was seen, with its time; null if this browser has seen none.
function seenOf(name) {
    try {
        return JSON.parse(localStorage.getItem(key(name)));
    } catch {
        return null;
    }
}

function note(name, { id, sentAt }) {
    if (seenOf(name)?.id === id) return;
    // Where nothing can be kept, all counts as seen with the next visit.
    try {
        localStorage.setItem(key(name), JSON.stringify({ id, sentAt }));
    } catch {
        // There is nothing else to do.
    }
}

/// The messages of others among entries that came after what was seen.
function unseenAmong(entries, seen) {
    const index = seen ? entries.findLastIndex(({ id }) => id === seen.id) : entries.length;
    const later = index < 0
        ? entries.filter(({ sentAt }) => sentAt > seen.sentAt) : entries.slice(index + 1);
    return later.filter((entry) => isMessage(entry) && !entry.mine);
}

/// Keeps what is seen, and finds the line of the conversation that was opened.
function look() {
    const isConnected = state.connection === "connected";
    if (isConnected && !wasConnected) countMissed();
    wasConnected = isConnected;
    const { current } = state;
    if (line.conversation !== current) line = { conversation: current, id: null, isFound: false };
    const transcript = state.transcripts.get(current);
    if (!transcript?.isLoaded || document.hidden) return;
    const { entries } = transcript;
    if (!line.isFound) {
        line.id = unseenAmong(entries, seenOf(current))[0]?.id ?? null;
        line.isFound = true;
    }
    const last = entries.findLast(({ kind }) => kind !== "gone");
    note(current, last ?? { id: null, sentAt: "" });
}

/// Counts what has come while this browser was not there.
async function countMissed() {
    for (const { name, last } of state.conversations) {
        const seen = seenOf(name);
        if (!last || name === state.current) continue;
        if (!seen) note(name, last);
        else if (!last.mine && last.id !== seen.id && last.sentAt > seen.sentAt) {
            const page = await ask("GET", at(name, "/entries?limit=50")).catch(() => null);
            const count = unseenAmong(page?.entries ?? [], seen).length;
            if (count && name !== state.current) state.unread.set(name, count);
            changed();
        }
    }
}

/// Whether the line of the unread is above an entry.
export const isUnreadFrom = ({ id }) => line.id === id && line.conversation === state.current;

/// The line above the first unread message.
export const unreadLine = ({ id }) => h("div", {
    key: `unread ${id}`, class: "unread-line", role: "separator", "aria-label": "New",
}, "New");

// Days

const WEEKDAY = new Intl.DateTimeFormat(undefined,
    { weekday: "long", day: "numeric", month: "long" });
const WEEKDAY_OF_YEAR = new Intl.DateTimeFormat(undefined,
    { weekday: "long", day: "numeric", month: "long", year: "numeric" });
const NEAR = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });

/// The name of a day in the browser's language: today, yesterday, or the weekday with its date.
function dayNameOf(date) {
    const now = new Date();
    const before = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
    const way = [now, before].findIndex((day) => day.toDateString() === date.toDateString());
    if (way < 0) {
        const isOfYear = date.getFullYear() === now.getFullYear();
        return (isOfYear ? WEEKDAY : WEEKDAY_OF_YEAR).format(date);
    }
    const name = NEAR.format(-way, "day");
    return name.charAt(0).toLocaleUpperCase() + name.slice(1);
}

/// The day of the last drawing, on which the names of days depend.
export const today = () => day;

/// The name of the day of an entry if another one is before it, else null.
export function newDay(entry, previous) {
    const date = new Date(entry.sentAt);
    const isSame = previous?.sentAt
        && new Date(previous.sentAt).toDateString() === date.toDateString();
    return isSame || Number.isNaN(date.getTime()) ? null
        : h("h3", { key: `day ${entry.id}`, class: "day" }, dayNameOf(date));
}

setInterval(() => {
    const now = new Date().toDateString();
    if (now === day) return;
    day = now;
    changed();
}, 30_000);

watch(look);
document.addEventListener("visibilitychange", () => {
    // What came while the page was out of sight has a line of its own.
    if (!document.hidden && state.unread.has(state.current)) line.isFound = false;
});
window.addEventListener("storage", ({ key: name }) => {
    // Another tab has shown it.
    if (name?.startsWith("seen ") && state.unread.delete(name.slice(5))) changed();
});
