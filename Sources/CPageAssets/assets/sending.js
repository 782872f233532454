// The files on their way to the node, which are at the end of the transcript from the first moment.

import { backToText, draftOf } from "./drafts.js";
import { h, iconButton, plain } from "./elements.js";
import { changed } from "./model.js";
import { toEnd } from "./near.js";
import { proved, sure } from "./proof.js";
import { PATIENCE_WITH_FILE, ask, at, late, words } from "./requests.js";
import { fileLine, percent } from "./transfers.js";

/// Each with its conversation, its request, and how much of it has been sent.
let uploads = [];

/// Whether files are on their way.
export const isUploading = () => uploads.length > 0;

/// Describes the files on their way from a conversation.
export function sendingView(name) {
    return uploads.filter(({ conversation }) => conversation === name).map((upload) => {
        const { file: { blob, number, preview }, done } = upload;
        const label = plain(blob.name);
        return h("article", {
            key: `sending ${number}`, class: "entry mine first last wide", "aria-label": label,
        },
            h("div", { class: "entry-line" }, preview
                ? h("div", { class: "photo" }, h("img", {
                    class: "picture", src: preview, alt: "",
                }))
                : h("div", { class: "bubble file" }, fileLine(label, blob.size))),
            h("p", { class: "delivery sending" }, `Sending… ${percent(done, blob.size)} %`,
                iconButton("close", `Cancel ${label}`, () => cancel(upload), { key: "cancel" })));
    });
}

/// A file that waits for others has no request yet that would end.
function cancel(upload) {
    upload.isCancelled = true;
    upload.request.abort();
    remove(upload);
}

/// Hands the files of an input field to the node, one after the other but for large ones. What
/// fails is in the field again, with the reason.
export async function sendFiles(name) {
    const draft = draftOf(name);
    if (!draft.files.length) return;
    const all = draft.files.map((file) =>
        ({ file, conversation: name, request: new XMLHttpRequest(), done: 0 }));
    draft.files = [];
    uploads.push(...all);
    toEnd();
    backToText();
    for (const [place, upload] of all.entries()) {
        const sent = handOver(upload);
        if (upload.file.isLarge || await sent) continue;
        for (const later of all.slice(place + 1)) giveBack(later);
        throw draft.problem;
    }
}

/// Returns whether it has not failed.
async function handOver(upload) {
    const { file, conversation } = upload;
    try {
        await post(upload);
    } catch (problem) {
        draftOf(conversation).problem = words(problem);
        giveBack(upload);
        return false;
    }
    if (file.preview) URL.revokeObjectURL(file.preview);
    remove(upload);
    return true;
}

async function post(upload) {
    const { file: { blob, isLarge, keeps }, conversation, request } = upload;
    if (upload.isCancelled) return;
    if (isLarge) await ask("POST", "files/check", { bytes: blob.size });
    else await sure();
    if (upload.isCancelled) return;
    await new Promise((done, failed) => {
        const named = `name=${encodeURIComponent(blob.name)}`;
        const path = isLarge ? `/files?${named}&type=${encodeURIComponent(blob.type)}`
            : `/attachments?${named}${keeps ? "&metadata=keep" : ""}`;
        request.open("POST", proved(`/v1/${at(conversation, path)}`));
        request.responseType = "json";
        request.upload.onprogress = ({ loaded }) => {
            upload.done = loaded;
            changed();
        };
        request.onload = () => (request.status < 300 ? done()
            : failed(request.response ?? `The request failed (${request.status}).`));
        if (!isLarge) request.timeout = PATIENCE_WITH_FILE;
        request.ontimeout = () => failed(late(PATIENCE_WITH_FILE));
        request.onerror = () => failed(`${plain(blob.name)} was not sent: the connection was cut.`);
        request.onabort = done;
        request.send(blob);
    });
}

function giveBack(upload) {
    if (upload.isCancelled) return;
    draftOf(upload.conversation).files.push(upload.file);
    remove(upload);
}

function remove(upload) {
    uploads = uploads.filter((other) => other !== upload);
    changed();
}
