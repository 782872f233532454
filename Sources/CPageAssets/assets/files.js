// The files in an input field: chosen, dropped or pasted, looked at by the node, and staged.

import { draftOf, focusText } from "./drafts.js";
import { h, icon, iconButton, plain } from "./elements.js";
import { changed } from "./model.js";
import { ask, words } from "./requests.js";

const ATTACHMENT_BYTES_MAX = 4 * 1_024 * 1_024 - 28;

/// Describes a file that is staged.
export function fileView(name, file) {
    return h("div", { key: `file ${file.number}`, class: "staged" },
        h("div", { key: "card", class: "staged-card" },
            file.preview
                ? h("img", { class: "staged-picture", src: file.preview, alt: "" }) : icon("file"),
            h("span", { class: "staged-text" },
                h("span", { class: "staged-app" }, "Attachment"),
                h("span", { class: "staged-line", dir: "auto" }, plain(file.blob.name)))),
        iconButton("close", `Remove ${plain(file.blob.name)}`, () => removeFile(name, file),
            { key: "remove" }),
        file.metadata && h("label", { key: "metadata", class: "staged-choice" },
            h("input", {
                type: "checkbox", on: { change: ({ target }) => (file.keeps = target.checked) },
            }), "Keep place, time and camera"),
        file.note && h("p", { key: "note", class: "staged-choice" }, file.note));
}

let lastNumber = 0;

/// Stages files, each after the node has looked at it.
export async function stage(name, blobs) {
    const draft = draftOf(name);
    draft.problem = null;
    draft.checking += 1;
    for (const blob of blobs) {
        try {
            draft.files.push({ number: ++lastNumber, ...await looked(blob) });
        } catch (problem) {
            draft.problem = words(problem);
        }
    }
    draft.checking -= 1;
    changed();
}

/// What is known of a file that can be sent. No picture is shown before the node has looked at it:
/// it could have too many pixels.
async function looked(blob) {
    if (!blob.size) throw `${plain(blob.name)} is empty.`;
    if (blob.size > ATTACHMENT_BYTES_MAX) {
        throw `${plain(blob.name)} is too large: an attachment has at most 4 MB.`;
    }
    const path = `attachments/check?name=${encodeURIComponent(blob.name)}`;
    const { picture, metadata, note } = await ask("POST", path, blob);
    return { blob, preview: picture ? URL.createObjectURL(blob) : null, metadata, note };
}

/// Takes a file out of the input field.
export function removeFile(name, file) {
    const draft = draftOf(name);
    draft.problem = null;
    draft.files = draft.files.filter((other) => other !== file);
    if (file.preview) URL.revokeObjectURL(file.preview);
    changed();
    focusText();
}
