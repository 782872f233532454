// The unsent content of the input field of each conversation.

import { changed, state, watch } from "./model.js";
import { node, words } from "./requests.js";

const drafts = new Map();

/// The text and the files for a conversation. With `reply`, the text replies to that message; with
/// `edit`, it takes the place of an own one.
export function draftOf(name) {
    if (!drafts.has(name)) {
        const text = sessionStorage.getItem(`text ${name}`) ?? "";
        drafts.set(name, {
            text, files: [], problem: null, isSending: false, checking: 0, reply: null, edit: null,
        });
    }
    return drafts.get(name);
}

/// Keeps the text over a reload, unless it edits another one.
export function write(name, text) {
    const draft = draftOf(name);
    draft.text = text;
    if (draft.edit) return;
    // A full storage only means that the text is not there after a reload.
    try {
        sessionStorage.setItem(`text ${name}`, text);
    } catch {
        return;
    }
}

/// Whether a file is in an input field or on its way there, or something is edited or being sent.
export function holdsFiles() {
    return [...drafts.values()].some(({ files, isSending, checking, edit }) =>
        files.length || isSending || checking || edit);
}

/// Does something for a draft, which says what went wrong.
export async function attempt(name, work) {
    const draft = draftOf(name);
    const before = draft.problem;
    try {
        await work();
        // A large file that goes on beside may have failed meanwhile.
        if (draft.problem === before) draft.problem = null;
    } catch (problem) {
        draft.problem = words(problem);
    }
    changed();
}

/// Calls `act` when the node answers again.
export function whenBack(act) {
    let wasThere = true;
    watch(() => {
        const isThere = state.connection === "connected";
        if (isThere && !wasThere) act();
        wasThere = isThere;
    });
}

/// A problem in words, unless it was that the node did not answer.
export const lasting = (text) => text?.startsWith(node.name) ? null : text;

whenBack(() => drafts.forEach((draft) => (draft.problem = lasting(draft.problem))));

/// Moves the focus to the text where that opens no keyboard over what somebody looks at.
export function backToText() {
    if (!matchMedia("(pointer: coarse)").matches) focusText();
}

/// Moves the focus to the text.
export function focusText() {
    document.querySelector("textarea.message")?.focus({ preventScroll: true });
}
