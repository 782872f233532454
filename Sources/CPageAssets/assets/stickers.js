// Stickers on messages: how they are shown and peeled off, and how a staged one is placed, by
// dragging it, by pressing a message, or with the keyboard.

import { h, iconButton } from "./elements.js";
import { isMessage } from "./entries.js";
import { changed, state, useApp } from "./model.js";
import { proved } from "./proof.js";
import { ask, at, words } from "./requests.js";

const STEP = 0.02;
const LARGE_STEP = 0.1;
const DRAG_MIN = 6;

/// The sticker that is being placed: its conversation, app and description in the field, the
/// message that it is on and the position there, and the point of the pointer that drags it.
let placing = null;
/// The line below the transcript: a text for screen readers, or a problem.
let said = { conversation: null, text: "", isProblem: false };

function say(conversation, text, isProblem = false) {
    said = { conversation, text, isProblem };
    changed();
}

// Stickers that are placed

/// The look of an entry because of a sticker that is being placed; the same text as long as
/// nothing of that changes.
export function placingOn(entry) {
    if (placing?.conversation !== state.current || !isMessage(entry) || entry.end) return "";
    return placing.message === entry.id ? `here ${placing.x} ${placing.y}` : "possible";
}

/// Puts the stickers of an entry on its bubble.
export function withStickers(entry, bubble) {
    const mark = placingOn(entry);
    return h("div", { key: "stuck", class: "stuck" }, bubble,
        (entry.stickers ?? []).map((sticker) => placedView(sticker)),
        mark && targetView(entry),
        mark.startsWith("here") && h("img", {
            key: "preview", class: "placed is-preview", src: proved(placing.sticker.src), alt: "",
            style: { left: percent(placing.x), top: percent(placing.y) },
        }));
}

const percent = (part) => `${Math.round(part * 10_000) / 100}%`;

function placedView({ id, src, description, x, y, mine }) {
    if (!src.startsWith("/pictures/")) return null;
    return h("div", {
        key: `sticker ${id}`, class: mine ? "placed is-mine" : "placed",
        style: { left: percent(x), top: percent(y) },
    },
        h("img", {
            key: "picture", src: proved(src), alt: description, draggable: "false",
            decoding: "async",
            on: { click: (event) => event.currentTarget.nextElementSibling?.focus() },
        }),
        mine && h("button", {
            key: "peel", type: "button", class: "peel", "aria-description": description,
            on: { click: () => peelOff(state.current, id) },
        }, "Peel off"));
}

async function peelOff(conversation, id) {
    try {
        await ask("DELETE", at(conversation, `/stickers/${id}`));
        say(conversation, "The sticker is peeled off.");
    } catch (problem) {
        say(conversation, words(problem), true);
    }
    document.querySelector(".log")?.focus({ preventScroll: true });
}

// Choosing a message and a position

/// Describes a sticker in the input field; it can be dragged onto a message.
export function stagedStickerView(conversation, app, sticker) {
    if (!sticker.src.startsWith("/pictures/")) return null;
    const start = () => begin(conversation, app, sticker);
    return h("div", { key: sticker.id, class: "staged-sticker" },
        h("img", {
            key: "picture", class: "staged-picture", src: proved(sticker.src),
            alt: sticker.description, draggable: "false",
            on: {
                pointerdown: (event) => grabbed(event, start),
                pointermove: dragged,
                pointerup: released,
                pointercancel: () => grip && cancel(),
            },
        }),
        h("button", {
            key: "place", type: "button", class: "button",
            on: { click: () => {
                start();
                focusTarget(-1);
            } },
        }, "Place on a message"));
}

/// Says what to do while a sticker is placed, and what came of it.
export function placingView(conversation) {
    const isHere = placing?.conversation === conversation;
    if (isHere && !isStaged()) placing = null;
    const text = said.conversation === conversation ? said.text : "";
    const isShown = (placing && isHere) || (text && said.isProblem);
    return h("div", { key: "placing", class: isShown ? "placing" : "unseen" },
        h("p", {
            key: "said", role: "status", class: said.isProblem ? "problem" : "placing-text",
        }, text),
        placing && isHere && iconButton("close", "Cancel placing", cancel, { key: "cancel" }),
        placing?.point && h("img", {
            key: "ghost", class: "placed is-preview is-dragged", alt: "",
            src: proved(placing.sticker.src),
            style: { left: `${placing.point[0]}px`, top: `${placing.point[1]}px` },
        }));
}

function isStaged() {
    const parts = state.fields.get(placing.conversation)?.parts ?? [];
    return parts.some(({ app, stickers }) => app === placing.app
        && stickers?.some(({ id }) => id === placing.sticker.id));
}

function begin(conversation, app, sticker) {
    placing = { conversation, app, sticker, message: null, x: 0.5, y: 0.5, point: null };
    // Under an expanded app there is no transcript to see.
    for (const panel of state.panels.values()) {
        if (panel.conversation !== conversation || panel.style !== "expanded") continue;
        useApp(conversation, panel.app.id, { deed: "collapse" }).catch((problem) =>
            say(conversation, words(problem), true));
    }
    say(conversation,
        "Press a message, or choose one with Tab or the arrow keys and press Enter.");
}

function cancel() {
    const { conversation } = placing ?? {};
    placing = null;
    grip = null;
    say(conversation, "The sticker is in the input field again.");
    document.querySelector("textarea.message")?.focus({ preventScroll: true });
}

function targetView(entry) {
    const name = entry.label || entry.layout?.caption || entry.url || entry.line || "A message";
    return h("button", {
        key: "target", type: "button", class: "target", "aria-label": `Put the sticker on ${name}`,
        "data-target": entry.id,
        on: {
            // A press of a key has no position.
            click: (event) => event.detail === 0 ? entered(entry, name)
                : placeAt(entry.id, positionIn(event.currentTarget, event)),
            keydown: (event) => pressed(event, entry, name),
        },
    });
}

function entered(entry, name) {
    if (placing.message === entry.id) return place();
    Object.assign(placing, { message: entry.id, x: 0.5, y: 0.5 });
    tellPosition(name);
}

function tellPosition(name) {
    const [across, down] = [placing.x, placing.y].map((part) => Math.round(part * 100));
    say(placing.conversation, `On ${name}: ${across} % from the left, ${down} % down. `
        + "The arrow keys move it, Enter places it, Escape cancels.");
}

const DIRECTIONS = {
    ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
};

function pressed(event, entry, name) {
    const direction = DIRECTIONS[event.key];
    if (event.key === "Escape") cancel();
    else if (!direction) return;
    else if (placing.message === entry.id) {
        const step = event.shiftKey ? LARGE_STEP : STEP;
        placing.x = inside(placing.x + direction[0] * step);
        placing.y = inside(placing.y + direction[1] * step);
        tellPosition(name);
    } else {
        focusTarget(direction[0] + direction[1], event.currentTarget);
    }
    event.preventDefault();
}

const inside = (part) => Math.round(Math.min(1, Math.max(0, part)) * 10_000) / 10_000;

/// Moves the focus to the next (1) or previous (-1) message; without one to start from, to the
/// last one, once the messages can be chosen.
function focusTarget(step, from) {
    requestAnimationFrame(() => requestAnimationFrame(() => {
        const targets = [...document.querySelectorAll(".log .target")];
        const next = from ? targets[targets.indexOf(from) + step] : targets.at(-1);
        if (!next || !placing) return;
        placing.message = null;
        next.focus();
        next.scrollIntoView({ block: "nearest" });
        changed();
    }));
}

/// The position on the bubble; the element that can be pressed may be larger.
function positionIn(target, { clientX, clientY }) {
    const box = target.parentNode.getBoundingClientRect();
    return [inside((clientX - box.left) / box.width), inside((clientY - box.top) / box.height)];
}

function placeAt(message, [x, y]) {
    Object.assign(placing, { message, x, y });
    return place();
}

async function place() {
    const { conversation, app, sticker, message, x, y } = placing;
    if (placing.isBusy) return;
    placing.isBusy = true;
    try {
        const where = { app, sticker: sticker.id, message, x, y };
        await ask("POST", at(conversation, "/stickers"), where);
        placing = null;
        say(conversation, "The sticker is placed.");
        document.querySelector("textarea.message")?.focus({ preventScroll: true });
    } catch (problem) {
        if (placing) placing.isBusy = false;
        say(conversation, words(problem), true);
    }
}

// Dragging

/// The point at which the pointer took the sticker, and what begins when it moves; or null.
let grip = null;

function grabbed(event, start) {
    if (event.button) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    grip = { x: event.clientX, y: event.clientY, start };
}

function dragged(event) {
    if (!grip) return;
    const { clientX, clientY } = event;
    if (grip.start) {
        if (Math.hypot(clientX - grip.x, clientY - grip.y) < DRAG_MIN) return;
        grip.start();
        grip.start = null;
    }
    if (!placing) return;
    const target = targetUnder(clientX, clientY);
    placing.message = target?.dataset.target ?? null;
    placing.point = target ? null : [clientX, clientY];
    if (target) [placing.x, placing.y] = positionIn(target, event);
    changed();
}

function released(event) {
    const isDragged = grip && !grip.start;
    grip = null;
    if (!isDragged || !placing) return;
    placing.point = null;
    const target = targetUnder(event.clientX, event.clientY);
    if (target) placeAt(target.dataset.target, positionIn(target, event));
    else cancel();
}

function targetUnder(x, y) {
    return document.elementsFromPoint(x, y).find((element) => element.matches(".target"));
}
