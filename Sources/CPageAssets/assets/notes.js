// Short words about what was just done, over the transcript.

import { h } from "./elements.js";
import { changed } from "./model.js";

const SHOWN_FOR = 4_000;

let said = null;
let timer = null;

/// Says something for a few seconds.
export function tell(text) {
    said = text;
    clearTimeout(timer);
    timer = setTimeout(() => {
        said = null;
        changed();
    }, SHOWN_FOR);
    changed();
}

/// Describes what is being said.
export const noteView = () =>
    h("p", { key: "note", class: said ? "note" : "unseen", role: "status" }, said);
