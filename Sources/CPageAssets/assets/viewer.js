// A picture of the conversation over the whole window, and the way to the others.

import { h, iconButton, isolated, plain, timeText } from "./elements.js";
import { isMessage } from "./entries.js";
import { changed, state } from "./model.js";
import { proved } from "./proof.js";
import { saveLink } from "./toolbar.js";

/// The points by which a finger moves to get to the next picture.
const SWIPE_MIN = 48;

/// The session of the picture that is shown, or null.
let shown = null;
/// The point at which a finger came down.
let start = null;

/// Whether an entry is a picture that can be shown over the whole window.
const isShowable = (entry) => isMessage(entry) && entry.content === "attachment"
    && entry.picture?.here && entry.picture.url.startsWith("/pictures/");

/// Lies over a picture in the transcript, and opens it.
export function openingView(entry) {
    return isShowable(entry) && h("button", {
        key: "show", type: "button", class: "photo-open",
        "aria-label": `Show ${plain(entry.layout?.caption ?? "the picture")}`,
        on: { click: () => show(entry) },
    });
}

function show(entry) {
    shown = entry.session;
    changed();
}

/// Finds pictures of the conversation by their distance from the one that is shown.
function pictures() {
    const entries = state.transcripts.get(state.current)?.entries ?? [];
    const all = entries.filter(isShowable);
    const index = all.findIndex(({ session }) => session === shown);
    return (step) => (index < 0 ? undefined : all[index + step]);
}

/// Shows a neighbor of the picture that is shown now, which may not be drawn yet. The focus goes
/// to the dialog if the button that may have it is about to go.
function turn(step, dialog) {
    const at = pictures();
    if (!at(step)) return;
    if (!at(2 * step)) dialog.focus();
    show(at(step));
}

const turning = (step) => ({ currentTarget }) => turn(step, currentTarget.closest("dialog"));

/// Describes the picture that is shown.
export function viewerView() {
    if (!shown) return null;
    const [entry, earlier, later] = [0, -1, 1].map(pictures());
    if (!entry) {
        shown = null;
        return null;
    }
    const name = plain(entry.layout?.caption ?? "Picture");
    const who = entry.mine ? "You" : isolated(entry.sender.name ?? "Someone");
    return h("dialog", {
        key: "viewer", class: "viewer", "aria-label": name, tabindex: "-1",
        made: (element) => element.showModal(),
        on: {
            close: () => {
                shown = null;
                changed();
            },
            click: ({ target, currentTarget }) => target.matches(".viewer, .viewer-place")
                && currentTarget.close(),
            keydown: ({ key, currentTarget }) =>
                turn({ ArrowLeft: -1, ArrowRight: 1 }[key], currentTarget),
            pointerdown: ({ clientX, isPrimary }) => (start = isPrimary ? clientX : null),
            pointerup: ({ clientX, pointerType, currentTarget }) => {
                const way = start === null || pointerType === "mouse" ? 0 : clientX - start;
                if (Math.abs(way) > SWIPE_MIN) turn(way > 0 ? -1 : 1, currentTarget);
            },
        },
    },
        h("div", { key: "bar", class: "viewer-bar" },
            h("p", { key: "name", class: "viewer-name", dir: "auto" }, name,
                h("span", { class: "meta" }, who, " · ", timeText(entry.sentAt))),
            saveLink(entry),
            iconButton("close", "Close", ({ currentTarget }) =>
                currentTarget.closest("dialog").close(), { key: "close" })),
        h("div", { key: "place", class: "viewer-place" },
            h("img", {
                key: entry.picture.url, class: "viewer-picture", src: proved(entry.picture.url),
                alt: entry.label ?? name, draggable: "false",
            })),
        earlier && iconButton("back", "Earlier picture", turning(-1),
            { key: "earlier", class: "icon-button viewer-earlier" }),
        later && iconButton("forth", "Later picture", turning(1),
            { key: "later", class: "icon-button viewer-later" }));
}
