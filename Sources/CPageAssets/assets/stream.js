// The one stream of events of all tabs of a browser, which opens at most six connections to a
// node. One tab leads: it has the stream, and passes every event on to the others. No lock decides
// who leads, as browsers have locks only over https and on their own machine.

import { doubt, proved } from "./proof.js";

const SILENCE_MAX = 6_000;
const CHECK_INTERVAL = 2_000;
const HIDDEN = 2 ** 40;

const channel = globalThis.BroadcastChannel ? new BroadcastChannel("parley-events") : null;
const own = Math.floor(Math.random() * HIDDEN);
/// Of two tabs that lead, the one of the lower rank goes on: one in sight, if there is any.
const rank = () => own + (document.hidden ? HIDDEN : 0);

/// The stream, while this tab leads.
let source = null;
/// The rank of the tab that leads, or null, and whether its stream is open.
let leader = null;
let isOpen = false;
/// The moment at which something came from the node, through this tab or another one.
let heard = 0;
/// The same moment by the clock of the day, which goes on while a phone sleeps.
let heardAt = 0;
let reader = null;
let isReady = false;

/// Takes what other tabs pass on. `taker` has `types`, `position()` (the ID of the last event that
/// is known), `take(event)`, `connected()`, `lost()`, and `refused()` for a stream that the browser
/// does not open again by itself.
export function listen(taker) {
    reader = taker;
    tell("hello");
}

/// Follows the events after the position of the reader, from another tab or the node.
export function follow() {
    isReady = true;
    hear();
    consider();
    if (!source && isOpen) reader.connected();
}

function hear() {
    heard = performance.now();
    heardAt = Date.now();
}

/// Ends what this tab follows.
export function leave() {
    reader = null;
    isReady = false;
    close();
}

function close() {
    if (source) tell("gone");
    source?.close();
    source = null;
    leader = null;
}

function tell(kind, event) {
    const isOpen = source?.readyState === EventSource.OPEN;
    channel?.postMessage({ kind, event, rank: rank(), isOpen });
}

/// Leads if no tab does, or one that is out of sight while this one is in sight. Without a channel
/// every tab in sight has a stream, as these are few.
function consider() {
    if (!isReady || source || !channel && document.hidden) return;
    if (leader === null || leader >= HIDDEN && !document.hidden) lead();
}

function lead() {
    source?.close();
    source = new EventSource(proved(`/v1/events?after=${encodeURIComponent(reader.position())}`));
    leader = rank();
    tell("lead");
    source.onopen = () => came("open");
    source.onerror = () => {
        const { refused } = reader;
        tell("lost");
        lost();
        if (source.readyState !== EventSource.CLOSED) return;
        leave();
        refused();
    };
    for (const type of ["beat", ...reader.types]) {
        source.addEventListener(type, ({ data, lastEventId: id }) =>
            came("event", { type, data, id }));
    }
}

/// The stream has broken: something else than the node may answer from now on.
function lost() {
    doubt();
    reader.lost();
}

/// Something has come from the node to this tab, which leads.
function came(kind, event) {
    tell(kind, event);
    take(kind, event);
}

function take(kind, event) {
    hear();
    if (kind === "lost") lost();
    if (kind === "open" || kind === "event") reader.connected();
    if (kind === "event") reader.take(event);
}

channel?.addEventListener("message", ({ data: { kind, event, rank: other, isOpen: isTheirs } }) => {
    if (kind === "hello") return void (source && tell("lead"));
    if (kind === "gone") {
        if (leader === null || other % HIDDEN !== leader % HIDDEN) return;
        leader = null;
        // One of the others is the first, and the rest hear of it.
        return void setTimeout(consider, 100 * Math.random());
    }
    if (source && other > rank()) return tell("lead");
    source?.close();
    source = null;
    [leader, isOpen] = [other, isTheirs];
    if (reader) take(kind, event);
    consider();
});

setInterval(() => {
    if (!isReady || performance.now() - heard < SILENCE_MAX) return;
    // The tab that leads was frozen, or the node is: this tab tries it itself.
    again();
}, CHECK_INTERVAL);

function again() {
    hear();
    lost();
    if (channel || !document.hidden) lead();
}

/// A phone has woken, or is in a network again: what it had open may be dead without a word.
function woke({ type }) {
    if (!isReady || document.hidden) return;
    if (type === "online" || Date.now() - heardAt > SILENCE_MAX / 2) again();
}

document.addEventListener("visibilitychange", () => {
    if (!channel && document.hidden) close();
    if (source) tell("lead");
    consider();
});
for (const type of ["visibilitychange", "resume"]) document.addEventListener(type, woke);
for (const type of ["pageshow", "online"]) window.addEventListener(type, woke);
window.addEventListener("pagehide", close);
window.addEventListener("pageshow", ({ persisted }) => persisted && consider());
