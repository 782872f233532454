// The bar of a message: its time, and what can be done with it. It comes under the mouse, after a
// long press, and with the focus, which Enter moves into it.

import { copyButton } from "./copy.js";
import { h, icon, timeText } from "./elements.js";
import { deleteButton } from "./hidden.js";
import { changed } from "./model.js";
import { editButton, unsendButton, unsendView } from "./own.js";
import { proved } from "./proof.js";
import { replyButton } from "./quotes.js";
import { choiceView, reactButton } from "./reactions.js";

/// The milliseconds of a long press, and those for which the mouse rests on a message before its
/// bar comes and after which the bar goes.
const [HOLD, REST, LEAVE] = [500, 120, 250];
/// The points by which a finger may move in a long press.
const MOVE_MAX = 10;
/// The points between a bar and the edge of the transcript, or its message.
const GAP = 4;

/// The bar that is open: the session of its message, whether it came by `mouse` or `touch`, with
/// the `focus` of the message, or by `keys`, which move the focus into it, and the name of the part
/// that is open in place of the actions; or null.
let open = null;
/// The session of the message at which Tab stops; null for the last one.
let stop = null;
/// The press that may become a long one: its point and timer; or null.
let press = null;
/// Whether the finger that is down has opened a bar, so that its end is no tap.
let isHeld = false;
/// The timer that opens or closes a bar for the mouse.
let resting = null;

/// What an entry shows because of its bar: the same text as long as nothing of that changes.
export const barOn = ({ session }) =>
    (open?.session === session ? `${open.how} ${open.part}` : "");

/// The session of the message at which Tab stops among the entries that are shown.
export function stopAmong(shown) {
    const messages = shown.filter(({ kind }) => kind === "message");
    return (messages.find(({ session }) => session === stop) ?? messages.at(-1))?.session;
}

/// The properties of a message that let it have a bar; Tab stops at it if `isStop`.
export function touchable(entry, isStop) {
    const { session } = entry;
    return {
        tabindex: isStop ? "0" : "-1",
        on: {
            pointerenter: ({ pointerType }) => pointerType === "mouse" && rest(session, REST),
            pointerleave: ({ pointerType }) => pointerType === "mouse" && rest(null, LEAVE),
            pointerdown: (event) => pressed(event, session),
            pointermove: moved,
            pointerup: letGo,
            pointercancel: letGo,
            contextmenu: (event) => menu(event, session),
            keydown: (event) => keyPressed(event, session),
            focus: ({ target }) => {
                stop = session;
                if (target.matches(":focus-visible")) show(session, "focus");
                changed();
            },
            focusout: left,
        },
    };
}

function show(session, how) {
    if (open?.session === session && open.how === how) return;
    open = { session, how, part: "" };
    changed();
}

/// The bar as the actions use it: `turn` opens a part of it, in which people take their time.
const bar = {
    close: hide,
    turn: (part) => {
        open = { ...open, part, how: open.how === "mouse" ? "touch" : open.how };
        changed();
    },
};

function hide() {
    if (!open) return;
    const { activeElement: active } = document;
    if (active?.closest(".toolbar")) active.closest("article").focus({ preventScroll: true });
    open = null;
    changed();
}

// The mouse

function rest(session, time) {
    clearTimeout(resting);
    resting = setTimeout(() => {
        if (open && open.how !== "mouse") return;
        if (session) show(session, "mouse");
        else hide();
    }, time);
}

// Fingers

function pressed(event, session) {
    if (event.pointerType === "mouse") return;
    if (event.target.closest(".toolbar, .target, .can-draw, input")) return;
    letGo();
    const timer = setTimeout(() => held(session), HOLD);
    press = { x: event.clientX, y: event.clientY, timer };
}

function moved({ clientX, clientY }) {
    if (press && Math.hypot(clientX - press.x, clientY - press.y) > MOVE_MAX) letGo();
}

function letGo() {
    clearTimeout(press?.timer);
    press = null;
}

function held(session) {
    letGo();
    isHeld = true;
    show(session, "touch");
}

/// A long press has no menu of the browser, nor has the key that opens the bar.
function menu(event, session) {
    if (press) held(session);
    if (isHeld || open?.how === "keys") event.preventDefault();
}

document.addEventListener("pointerdown", ({ target }) => {
    isHeld = false;
    if (!open || target.closest(".toolbar")) return;
    const isOwn = target.closest("article")?.dataset.session === open.session;
    if (!isOwn || open.how !== "mouse") hide();
}, true);

document.addEventListener("click", (event) => {
    if (!isHeld || !event.target.closest("article")) return;
    isHeld = false;
    event.preventDefault();
    event.stopPropagation();
}, true);

// Keys

document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !open) return;
    // A bar under the mouse is not what somebody who types closes.
    if (open.how !== "mouse") event.preventDefault();
    hide();
}, true);

function keyPressed(event, session) {
    const article = event.currentTarget;
    if (event.target !== article) return;
    const isMenu = event.key === "ContextMenu" || event.key === "F10" && event.shiftKey;
    const steps = { ArrowUp: -1, ArrowDown: 1 };
    if (isMenu || event.key === "Enter") {
        show(session, "keys");
        requestAnimationFrame(() => requestAnimationFrame(() =>
            article.querySelector(".toolbar :is(a, button)")?.focus()));
    }
    else if (steps[event.key]) {
        const all = [...article.parentNode.querySelectorAll(":scope > article")];
        const next = all[all.indexOf(article) + steps[event.key]];
        next?.focus({ preventScroll: true });
        next?.scrollIntoView({ block: "nearest" });
    } else return;
    event.preventDefault();
}

/// Moves the focus inside a bar, but not in a text.
function walk(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step || event.target.value) return;
    event.preventDefault();
    const all = [...event.currentTarget.querySelectorAll("a, button, input")];
    all.at((all.indexOf(document.activeElement) + step) % all.length).focus();
}

function left({ relatedTarget, currentTarget }) {
    const isByKeys = ["focus", "keys"].includes(open?.how);
    if (isByKeys && relatedTarget && !currentTarget.contains(relatedTarget)) hide();
}

// The bar

/// Describes the bar of an entry; null if it has none.
export function toolbarView(entry) {
    if (!barOn(entry)) return null;
    const part = PARTS[open.part];
    return h("div", {
        key: `toolbar ${open.part}`, class: "toolbar", role: part ? "dialog" : "toolbar",
        "aria-label": part?.name ?? "Actions", shown: place, on: { keydown: walk }, made: enter,
    }, part ? part.view(entry, bar) : [ACTIONS.map((action) => action(entry, bar)),
        h("time", { key: "time", class: "toolbar-time meta", datetime: entry.sentAt },
            timeText(entry.sentAt))]);
}

/// Lets Tab stop at the first of many buttons only, and moves the focus into a part that opens.
function enter(element) {
    const [first, ...others] = element.querySelectorAll("a, button");
    if (open.part !== "unsend") for (const each of others) each.tabIndex = -1;
    if (open.part) first.focus({ preventScroll: true });
}

/// Puts a bar beside its message where there is space, else above or below it, and never on it.
function place(bar) {
    const [box, log, message] = [bar, bar.closest(".log"), bar.parentNode]
        .map((element) => element.getBoundingClientRect());
    const isMine = bar.closest("article").matches(".mine");
    const beside = isMine ? message.left - GAP - box.width : message.right + GAP;
    let [x, y] = [beside, message.top + Math.max(0, Math.min(GAP, message.height - box.height))];
    if (x < log.left + GAP || x + box.width > log.right - GAP) {
        x = isMine ? message.right - box.width : message.left;
        x = Math.max(log.left + GAP, Math.min(x, log.right - GAP - box.width));
        y = message.top - GAP - box.height;
        if (y < log.top) y = message.bottom + GAP;
    } else if (message.height < box.height) y = message.top - (box.height - message.height) / 2;
    else y = Math.max(y, log.top + GAP);
    bar.style.left = `${x - message.left}px`;
    bar.style.top = `${y - message.top}px`;
    if (open.how !== "mouse") bar.scrollIntoView({ block: "nearest" });
}

window.addEventListener("resize", () => {
    const bar = document.querySelector(".toolbar");
    if (bar) place(bar);
});

/// The actions on a message, in this order; each makes the element for an entry, or null.
const ACTIONS = [
    reactButton, replyButton, copyButton, saveLink, editButton, unsendButton, deleteButton,
];

/// The views that open in the place of the actions.
const PARTS = {
    react: { name: "React", view: choiceView },
    unsend: { name: "Unsend", view: unsendView },
};

/// The link that saves the file or picture of an entry; null if there is none.
export function saveLink(entry) {
    const source = sourceOf(entry);
    return source && h("a", {
        key: "save", class: "icon-button", "aria-label": "Save", title: "Save",
        href: proved(source.url), download: source.name, on: { click: () => setTimeout(hide) },
    }, icon("save"));
}

/// The path of the file or picture of an entry and the name to save it under; null if there is none
/// or it has not arrived.
export function sourceOf({ file, picture, layout, line }) {
    if (file?.here && file.url.startsWith("/files/")) return file;
    if (!picture?.here || !picture.url.startsWith("/pictures/")) return null;
    const kind = picture.type.replace(/^image\/|\+xml$/g, "").replace("jpeg", "jpg");
    return { url: picture.url, name: `${layout?.caption ?? line}.${kind}` };
}
