// The files in an input field: chosen, dropped or pasted, looked at by the node, and staged.

import { backToText, draftOf } from "./drafts.js";
import { h, icon, iconButton, plain } from "./elements.js";
import { changed } from "./model.js";
import { smaller } from "./photos.js";
import { ask, words } from "./requests.js";
import { sizeText } from "./transfers.js";

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
        file.small && h("label", { key: "original", class: "staged-choice" },
            h("input", {
                type: "checkbox", "aria-label": "Send the original",
                "aria-describedby": `size-${file.number}`,
                on: { change: ({ target }) => useOriginal(name, file, target) },
            }), "Send the original ",
            h("span", { key: "size", id: `size-${file.number}`, class: "meta" },
                sizesText(file))),
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
            const small = await smaller(blob);
            const file = { number: ++lastNumber, small, original: blob };
            draft.files.push(Object.assign(file, await looked(small?.blob ?? blob)));
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
        await ask("POST", "files/check", { bytes: blob.size });
        return {
            blob, preview: null, metadata: false, isLarge: true,
            note: `${sizeText(blob.size)}: sent to whoever accepts it.`,
        };
    }
    const path = `attachments/check?name=${encodeURIComponent(blob.name)}`;
    const { picture, metadata, note } = await ask("POST", path, blob);
    return { blob, isLarge: false, preview: picture ? URL.createObjectURL(blob) : null, metadata, note };
}

const points = ([width, height]) => `${width.toLocaleString()} × ${height.toLocaleString()}`;
const megabytes = ({ size }) =>
    `${(size / 1_048_576).toLocaleString(undefined, { maximumFractionDigits: 1 })} MB`;

const sizesText = ({ small, original }) =>
    `${points(small.original)}, ${megabytes(original)} instead of ${megabytes(small.blob)}`;

/// Stages the photo as it was chosen, or its smaller form again.
async function useOriginal(name, file, box) {
    const draft = draftOf(name);
    draft.problem = null;
    draft.checking += 1;
    try {
        const found = await looked(box.checked ? file.original : file.small.blob);
        if (file.preview) URL.revokeObjectURL(file.preview);
        Object.assign(file, { keeps: false, ...found });
    } catch (problem) {
        box.checked = file.blob === file.original;
        draft.problem = words(problem);
    }
    draft.checking -= 1;
    changed();
}

/// Takes a file out of the input field.
export function removeFile(name, file) {
    const draft = draftOf(name);
    draft.problem = null;
    draft.files = draft.files.filter((other) => other !== file);
    if (file.preview) URL.revokeObjectURL(file.preview);
    changed();
    backToText();
}
