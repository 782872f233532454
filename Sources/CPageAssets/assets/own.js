// One's own texts and files, which are edited and taken back.

import { attempt, draftOf, focusText, write } from "./drafts.js";
import { h, iconButton } from "./elements.js";
import { isMessage } from "./entries.js";
import { canWrite, changed, state } from "./model.js";
import { tell } from "./notes.js";
import { ask, at, words } from "./requests.js";

/// The characters of a UUID that name the only author of a session.
const OWNER = 18;

/// Whether nobody else can write in the session of an entry, which is not so for messages of apps,
/// nor for texts of earlier versions.
function isOwn({ mine, session, sender, content }) {
    const [own, owner] = [session, sender.participant].map((each) =>
        each.slice(0, OWNER).toLowerCase());
    return mine && own === owner && ["text", "attachment"].includes(content) && canWrite();
}

// Editing

const isEditable = (entry) => isMessage(entry) && entry.content === "text" && isOwn(entry);

/// The button that has the input field edit the text of an entry.
export function editButton(entry, bar) {
    return isEditable(entry) && iconButton("pencil", "Edit", () => {
        bar.close();
        edit(state.current, entry);
    }, { key: "edit" });
}

function edit(name, { session, layout, line }) {
    const draft = draftOf(name);
    const [text, kept] = [layout?.caption ?? line, draft.edit?.kept ?? draft.text];
    Object.assign(draft, { edit: { session, text, kept }, text, problem: null });
    changed();
    focusText();
}

/// Edits the last text of this person; returns whether there is one.
export function editLast(name) {
    const entry = state.transcripts.get(name)?.entries.findLast(isEditable);
    if (entry) edit(name, entry);
    return Boolean(entry);
}

/// Says that the input field edits a text.
export function editView(name) {
    return draftOf(name).edit && h("div", {
        key: "edit", class: "purpose", role: "group", "aria-label": "Edit",
    },
        h("p", { key: "edit" }, "Edit"),
        iconButton("close", "Cancel edit", () => endEdit(name), { key: "cancel" }));
}

/// Has the input field as it was before the edit.
export function endEdit(name) {
    const draft = draftOf(name);
    const { kept } = draft.edit;
    Object.assign(draft, { edit: null, problem: null });
    write(name, kept);
    changed();
    focusText();
}

/// Has the text in the input field take the place of the one that is edited.
export async function saveEdit(name) {
    const draft = draftOf(name);
    const { edit, text } = draft;
    if (text === edit.text) return endEdit(name);
    draft.isSending = true;
    changed();
    await attempt(name, async () => {
        await ask("PUT", at(name, `/own/${edit.session}`), { text });
        edit.text = text;
        if (draft.edit === edit && draft.text === text) endEdit(name);
    });
    draft.isSending = false;
    changed();
}

// Taking back

/// The button that asks whether to take an entry back.
export function unsendButton(entry, bar) {
    return isOwn(entry)
        && iconButton("undo", "Unsend", () => bar.turn("unsend"), { key: "unsend" });
}

/// Asks that, in the bar of the message.
export function unsendView(entry, bar) {
    const button = (key, name, act) => h("button", {
        key, type: "button", class: `button ${key}`, on: { click: act },
    }, name);
    return [
        h("p", { key: "ask", class: "toolbar-ask" }, "Take it back for everybody?"),
        button("keep", "Keep", bar.close),
        button("danger", "Unsend", () => takeBack(state.current, entry, bar)),
    ];
}

async function takeBack(name, { session }, bar) {
    bar.close();
    try {
        await ask("DELETE", at(name, `/own/${session}`));
        document.querySelector(".log")?.focus({ preventScroll: true });
    } catch (problem) {
        tell(words(problem));
    }
}
