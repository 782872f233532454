// The page of a guest: the guest's own seat, and what a guest has to know.

import { backToText } from "./drafts.js";
import { h, iconButton } from "./elements.js";
import { changed, choose, state } from "./model.js";
import { ask, node, words } from "./requests.js";

const TOLD = "told of the seat";

/// The name that is being typed in place of the guest's own, or null, and what went wrong.
const ui = { name: null, problem: null, isTold: localStorage.getItem(TOLD) !== null };

/// Opens the conversation of the guest; the node is that of somebody else.
export function takeSeat({ host, conversation }) {
    node.name = `${host}’s Parley`;
    if (state.current !== conversation) choose(conversation);
}

/// Whether this is the page of a guest whom the node does not know any more.
export const isSeatLost = () => state.guest && state.connection === "signedOut";

/// The note above the messages, which a guest reads once.
export function guestNote() {
    if (!state.guest || ui.isTold || isSeatLost()) return null;
    return h("section", { key: "note", class: "guest-note", "aria-label": "Your seat" },
        h("p", null, digitsText(), " ", riskText()),
        h("button", { type: "button", class: "button", on: { click: noteRead } }, "OK"));
}

function noteRead() {
    ui.isTold = true;
    // Where nothing can be kept, the note comes again with the next visit.
    try {
        localStorage.setItem(TOLD, "yes");
    } catch {
        // There is nothing else to do.
    }
    changed();
    backToText();
}

const digitsText = () => ["Your digits ", h("b", { class: "seat-digits" }, state.guest.digits),
    " give you this seat back in another browser."];

const riskText = () => [h("bdi", null, state.guest.host), "’s machine can see what you write, and "
    + "hidden hands too. Others on this Wi-Fi could read along."];

/// The guest's own seat, below the people.
export function seatView() {
    return [
        ui.name === null
            ? iconButton("pencil", "Change your name", () => rename(state.guest.name),
                { key: "rename", isNamed: true })
            : h("form", { key: "rename form", class: "dialog-form", on: { submit: save } },
                h("label", { key: "field", class: "field" },
                    h("span", { class: "field-label" }, "Your name"),
                    h("input", {
                        type: "text", "aria-label": "Your name", maxlength: "64",
                        autocomplete: "off", set: { value: ui.name },
                        made: (input) => input.select(),
                        on: {
                            input: ({ target }) => (ui.name = target.value),
                            keydown: escaped,
                        },
                    })),
                h("button", { key: "save", type: "submit", class: "button primary" }, "Save"),
                ui.problem && h("p", { key: "problem", class: "problem", role: "alert" },
                    words(ui.problem))),
        h("p", { key: "digits", class: "meta" }, digitsText()),
        h("p", { key: "risk", class: "meta" }, riskText()),
    ];
}

function rename(name) {
    Object.assign(ui, { name, problem: null });
    changed();
}

/// Escape ends the renaming only.
function escaped(event) {
    if (event.key !== "Escape") return;
    event.preventDefault();
    rename(null);
}

async function save(event) {
    event.preventDefault();
    try {
        state.guest = await ask("POST", "guest", { name: ui.name.trim() });
        rename(null);
    } catch (problem) {
        ui.problem = problem;
        changed();
    }
}
