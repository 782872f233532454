// The part of a transcript that is in the document: the entries near the window. Scrolling moves
// it, and the entries in sight stay where they are while others come and go around them.

import { changed, loadEarlier, state } from "./model.js";

/// The number of entries that a transcript begins with, the most by which the part grows at once,
/// and the most that are there at its end.
const [ENTRIES_FIRST, ENTRIES_STEP, ENTRIES_MAX] = [40, 40, 200];
/// The points above and below the window within which there are entries, and beyond which they are
/// taken out once there are too many of them.
const [MARGIN, MARGIN_KEPT, MARGIN_MAX] = [800, 1_600, 2_400];
/// The points that are seen beside a message to which the page scrolls.
const REVEAL_MARGIN = 8;
/// The most times that the part moves by itself after a person has scrolled.
const MOVES_MAX = 8;
const isStill = matchMedia("(prefers-reduced-motion: reduce)");

/// `to` is null as long as the part reaches the end; `first` is the ID of its first entry. `top` is
/// where the page itself has scrolled to, and `wanted` the session of a message to go to.
const view = {
    conversation: null, log: null, from: 0, to: null, first: null, last: null, unseen: 0,
    isAtEnd: true, top: null, moves: 0, wanted: null,
};

/// Chooses the entries that are shown. Returns them, the index of the first one, the number of new
/// ones that are out of sight, whether they end before the last one, and the properties of the
/// element that they are in.
export function entriesNear(name, entries) {
    follow(name, entries);
    if (view.wanted) include(entries);
    const from = Math.min(view.from, entries.length);
    const shown = entries.slice(from, view.to ?? entries.length);
    view.first = shown[0]?.id;
    const before = { places: placesBefore(shown), anchor: anchor() };
    const props = {
        on: { scroll: ({ currentTarget }) => scrolled(currentTarget, entries, name) },
        made: (log) => new ResizeObserver(() => stayAtEnd(log)).observe(log),
        shown: (log) => settle(log, before, entries, name),
    };
    return { from, shown, unseen: view.unseen, isFar: view.to !== null, props };
}

function follow(name, entries) {
    const last = entries.at(-1);
    if (view.conversation !== name || !view.last) {
        Object.assign(view, { conversation: name, to: null, last, unseen: 0, isAtEnd: true });
        view.from = Math.max(0, entries.length - ENTRIES_FIRST);
        return;
    }
    // Earlier entries have come before the first one, or replaced ones have gone.
    const way = entries.findIndex(({ id }) => id === view.first) - view.from;
    if (way > -view.from) {
        view.from += way;
        if (view.to !== null) view.to += way;
    }
    if (last && last.id !== view.last?.id) {
        // A message that was replaced has left no entry until its summary comes; one that was taken
        // back or edited leaves nothing new.
        const at = entries.findLastIndex(({ id }) => id === view.last.id);
        const isNew = last.sentAt > view.last.sentAt;
        const news = at < 0 ? entries.slice(isNew ? -1 : entries.length) : entries.slice(at + 1);
        if (news.at(-1)?.mine) Object.assign(view, { unseen: 0, isAtEnd: true });
        else if (!view.isAtEnd) view.unseen += news.filter(({ mine }) => !mine).length;
        view.last = last;
        view.moves = 0;
    }
    if (!view.isAtEnd) return;
    // From far away, the entries between there and the end are left out.
    const isFar = view.to !== null || entries.length - view.from > ENTRIES_MAX;
    if (isFar) view.from = Math.max(0, entries.length - ENTRIES_FIRST);
    view.to = null;
}

/// Goes to the last entry.
export function toEnd() {
    Object.assign(view, { unseen: 0, isAtEnd: true });
    changed();
}

/// Goes to the message of a session, which is loaded, and shows which one it is.
export function goTo(session) {
    view.wanted = session;
    changed();
}

/// Has the part include the message to go to.
function include(entries) {
    const at = entries.findLastIndex(({ session }) => session === view.wanted);
    const isThere = at >= view.from && at < (view.to ?? entries.length);
    view.isAtEnd = false;
    if (at < 0 || isThere) return;
    view.from = Math.max(0, at - ENTRIES_STEP / 2);
    const to = at + ENTRIES_STEP / 2;
    view.to = to < entries.length ? to : null;
}

/// Brings the message to go to into the middle, with the focus and a frame that fades.
function arrive(log) {
    const node = log.querySelector(`article[data-session="${CSS.escape(view.wanted)}"]`);
    view.wanted = null;
    if (!node) return;
    node.scrollIntoView({ block: "center" });
    node.focus({ preventScroll: true });
    view.isAtEnd = isLogAtEnd(log);
    const frame = { outline: "3px solid var(--accent)", outlineOffset: "3px" };
    const end = isStill.matches ? frame : { ...frame, outlineColor: "transparent" };
    node.querySelector(".stuck").animate([frame, end], 1_600);
}

/// Whether the last entry is in sight.
const isLogAtEnd = (log) =>
    view.to === null && log.scrollHeight - log.clientHeight - log.scrollTop < 40;

/// Scrolls the transcript so that the message of a session is seen, if it is in the document.
export function reveal(session) {
    const { log } = view;
    const node = log?.querySelector(`article[data-session="${CSS.escape(session)}"]`);
    if (!node) return;
    const [inner, outer] = [node.getBoundingClientRect(), log.getBoundingClientRect()];
    const above = inner.top - outer.top;
    const below = inner.bottom - outer.bottom;
    if (above < 0 || inner.height > outer.height) log.scrollTop += above - REVEAL_MARGIN;
    else if (below > 0) log.scrollTop += below + REVEAL_MARGIN;
    else return;
    view.top = log.scrollTop;
    view.isAtEnd = isLogAtEnd(log);
}

/// Asks for earlier entries before they are missing, and moves the part.
function scrolled(log, entries, name) {
    if (log.scrollTop === view.top) return;
    view.top = null;
    view.moves = 0;
    const wasAtEnd = view.isAtEnd;
    view.isAtEnd = isLogAtEnd(log);
    if (view.isAtEnd) view.unseen = 0;
    const isMoved = move(log, entries);
    loadAhead(log, name);
    if (isMoved || wasAtEnd !== view.isAtEnd) changed();
}

function loadAhead(log, name) {
    if (log.scrollTop < MARGIN && view.from < ENTRIES_STEP * 2) loadEarlier(name);
}

/// Whether there are entries beyond the end at which the window stands. Nobody can scroll further
/// there, so nothing but the page itself brings them.
function isHeldUp(log) {
    const below = log.scrollHeight - log.clientHeight - log.scrollTop;
    return (log.scrollTop < 1 && view.from > 0) || (below < 1 && view.to !== null);
}

/// Moves the part if the window has come near one of its ends, or far from one; returns whether it
/// did.
function move(log, entries) {
    const [from, count] = [view.from, entries.length];
    const to = view.to ?? count;
    const box = log.getBoundingClientRect();
    const below = log.scrollHeight - log.clientHeight - log.scrollTop;
    const height = log.scrollHeight / Math.max(1, to - from);
    const step = Math.min(ENTRIES_STEP, Math.ceil(MARGIN / height));
    const shown = [...log.querySelectorAll(":scope > article, :scope > .summary")];
    const far = (isFar) => shown.length === to - from
        ? shown.filter((node) => isFar(node.getBoundingClientRect())).length : 0;
    if (log.scrollTop < MARGIN) view.from = Math.max(0, from - step);
    else if (log.scrollTop > MARGIN_MAX) {
        view.from += far(({ bottom }) => bottom < box.top - MARGIN_KEPT);
    }
    let end = to;
    if (below < MARGIN) end = Math.min(count, to + step);
    else if (below > MARGIN_MAX) end -= far(({ top }) => top > box.bottom + MARGIN_KEPT);
    if (view.from === from && end === to) return false;
    view.to = end < count ? end : null;
    view.first = entries[view.from]?.id;
    view.moves += 1;
    return true;
}

// Entries that stay where they are, and entries that move

/// The first entry in sight and its place, unless the end is to be seen.
function anchor() {
    if (view.isAtEnd || !view.log?.isConnected) return null;
    const edge = view.log.getBoundingClientRect().top;
    for (const node of view.log.querySelectorAll("article, .summary")) {
        const { top, bottom } = node.getBoundingClientRect();
        if (bottom > edge) return { node, top };
    }
    return null;
}

/// The cards of the transcript by session, each with its message.
const cards = new Map();

/// The places of the cards before this update, to let those slide that get another place.
function placesBefore(shown) {
    const before = new Map();
    if (isStill.matches) return before;
    for (const { kind, session, id } of shown) {
        const old = kind === "message" ? cards.get(session) : null;
        if (old && old.id !== id && old.node.isConnected) {
            before.set(session, old.node.getBoundingClientRect().top);
        }
    }
    return before;
}

function stayAtEnd(log) {
    if (view.isAtEnd) log.scrollTop = log.scrollHeight;
}

function settle(log, { places, anchor }, entries, name) {
    if (view.log === log && anchor?.node.isConnected) {
        // The browser keeps it in its place too, but not at the upper end.
        log.scrollTop += anchor.node.getBoundingClientRect().top - anchor.top;
    }
    view.log = log;
    stayAtEnd(log);
    if (view.wanted) arrive(log);
    view.top = log.scrollTop;
    const mayMove = log.clientHeight && (view.moves < MOVES_MAX || isHeldUp(log));
    if (mayMove && move(log, entries)) changed();
    if (log.scrollTop < 1) loadAhead(log, name);
    cards.clear();
    for (const node of log.querySelectorAll("article[data-session]")) {
        const { session, message } = node.dataset;
        cards.set(session, { id: message, node });
        if (!places.has(session)) continue;
        const way = places.get(session) - node.getBoundingClientRect().top;
        const frames = [{ transform: `translateY(${way}px)` }, { transform: "none" }];
        node.animate(frames, { duration: 200, easing: "ease-out" });
    }
}
