// Short words about what was just done, over the transcript, and the way to undo it.

import { h } from "./elements.js";
import { changed } from "./model.js";

const SHOWN_FOR = 4_000;
const UNDONE_FOR = 6_000;

/// The note that is shown, and the action that undoes its cause, if there is one.
let said = null;
let timer = null;

/// Says something for a few seconds, in which `undo` can be called.
export function tell(text, undo) {
    said = { text, undo };
    clearTimeout(timer);
    timer = setTimeout(clear, undo ? UNDONE_FOR : SHOWN_FOR);
    changed();
}

function clear() {
    said = null;
    changed();
}

/// Describes what is being said.
export const noteView = () =>
    h("p", { key: "note", class: said ? "note" : "unseen", role: "status" }, said?.text,
        said?.undo && h("button", {
            key: "undo", type: "button", class: "note-undo",
            on: { click: () => {
                said.undo();
                clear();
            } },
        }, "Undo"));
