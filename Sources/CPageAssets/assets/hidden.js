// Messages that a person has deleted in this browser only.

import { iconButton } from "./elements.js";
import { isMessage } from "./entries.js";
import { folded } from "./folds.js";
import { changed, conversationNow, state } from "./model.js";
import { tell } from "./notes.js";

/// The most sessions of a conversation that are kept.
const SESSIONS_MAX = 1_000;

/// For each conversation by its ID, the deleted sessions, the oldest first, each with the revision
/// of the message that was deleted.
const hidden = new Map();

const key = (id) => `hidden ${id}`;

function hiddenIn(id) {
    if (hidden.has(id)) return hidden.get(id);
    let kept = [];
    try {
        kept = JSON.parse(localStorage.getItem(key(id))) ?? [];
    } catch {
        // What cannot be read hides nothing.
    }
    hidden.set(id, new Map(kept));
    return hidden.get(id);
}

function keep(id) {
    const sessions = hiddenIn(id);
    while (sessions.size > SESSIONS_MAX) sessions.delete(sessions.keys().next().value);
    // Where nothing can be kept, the messages are here again with the next visit.
    try {
        localStorage.setItem(key(id), JSON.stringify([...sessions]));
    } catch {
        // There is nothing else to do.
    }
    changed();
}

/// Whether an entry is deleted. A later move of a game is another message.
export function isHidden({ id }, { session, revision, content }) {
    const deleted = hiddenIn(id).get(session);
    return deleted !== undefined && (content !== "app" || revision <= deleted);
}

/// Whether some message of a session is deleted.
export const isDeleted = (conversation, session) =>
    conversation !== undefined && hiddenIn(conversation.id).has(session);

/// The entries of a conversation that are there for this browser.
export function entriesOf(conversation) {
    const { entries } = state.transcripts.get(conversation.name) ?? { entries: [] };
    return folded(entries.filter((entry) =>
        entry.kind !== "gone" && !isHidden(conversation, entry)));
}

/// The last message of a conversation that is there for this browser, as far as it is loaded.
export function lastOf(conversation) {
    const { last } = conversation;
    return last && isHidden(conversation, last)
        ? entriesOf(conversation).findLast(isMessage) : last;
}

/// The button that deletes an entry.
export function deleteButton({ session, revision }, bar) {
    return iconButton("trash", "Delete for me", () => {
        const { id } = conversationNow();
        bar.close();
        hiddenIn(id).set(session, revision);
        keep(id);
        document.querySelector(".log").focus({ preventScroll: true });
        tell("Deleted in this browser.", () => {
            hiddenIn(id).delete(session);
            keep(id);
        });
    }, { key: "delete" });
}

window.addEventListener("storage", ({ key: name }) => {
    // Another tab has deleted something.
    if (name?.startsWith("hidden ") && hidden.delete(name.slice(7))) changed();
});
