// Files of any size: those that this browser hands to the node, and offers, which people decide on.

import { draftOf } from "./drafts.js";
import { h, icon, iconButton, plain } from "./elements.js";
import { changed, state } from "./model.js";
import { tell } from "./notes.js";
import { proved } from "./proof.js";
import { ask, at, words } from "./requests.js";

/// A number of bytes for people.
export function sizeText(bytes) {
    let [size, unit] = [bytes / 1_024, 0];
    for (; size >= 1_000 && unit < 3; unit += 1) size /= 1_024;
    const digits = unit && size < 100 ? 1 : 0;
    const number = Math.max(1, size).toLocaleString(undefined, { maximumFractionDigits: digits });
    return `${number} ${["KB", "MB", "GB", "TB"][unit]}`;
}

const percent = (done, all) => Math.floor(100 * done / all);

const progressView = (name, value) => h("progress", {
    key: "progress", max: "100", value: String(value), "aria-label": plain(name),
});

// Handing over

/// The files on their way to the node: the conversation, the file, and how much has been sent.
let uploads = [];
let lastNumber = 0;

/// Describes the files on their way to the node.
export function uploadsView(name) {
    const own = uploads.filter((upload) => upload.conversation === name);
    return own.length > 0 && h("section", {
        key: "uploads", class: "draft", "aria-label": "Uploads",
    }, own.map(({ blob, number, request, done }) =>
        h("div", { key: `upload ${number}`, class: "staged" },
            h("div", { class: "staged-card" }, icon("file"),
                h("span", { class: "staged-text" },
                    h("span", { class: "staged-line", dir: "auto" }, plain(blob.name)),
                    progressView(blob.name, percent(done, blob.size)),
                    h("span", { class: "meta" },
                        `${percent(done, blob.size)} % of ${sizeText(blob.size)}`))),
            iconButton("close", `Cancel ${plain(blob.name)}`, () => request.abort(),
                { key: "cancel" }))));
}

/// Hands a file to the node, which then offers it.
export async function upload(conversation, blob) {
    const request = new XMLHttpRequest();
    const own = { conversation, blob, request, done: 0, number: ++lastNumber };
    uploads.push(own);
    try {
        // It also makes sure that the node answers, and that there is a proof for it.
        await ask("POST", "files/check", { bytes: blob.size });
        await new Promise((done, failed) => {
            const query = new URLSearchParams({ name: blob.name, type: blob.type });
            request.open("POST", proved(`/v1/${at(conversation, `/files?${query}`)}`));
            request.responseType = "json";
            request.upload.onprogress = ({ loaded }) => {
                own.done = loaded;
                changed();
            };
            request.onload = () => (request.status < 300 ? done() : failed(request.response));
            request.onerror = () => failed("The file was not sent: the connection was cut.");
            request.onabort = done;
            request.send(blob);
        });
    } catch (problem) {
        draftOf(conversation).problem = words(problem);
    }
    uploads = uploads.filter((upload) => upload !== own);
    changed();
}

// Offers

/// Describes an offered file that is not here.
export function offerView({ session, file }) {
    const { name, bytes, done, state: how } = file;
    const part = percent(done, bytes);
    const goesOn = ["waiting", "receiving"].includes(how);
    const button = (label, method) => !state.guest && h("button", {
        key: label, type: "button", class: "button", on: { click: () => decide(session, method) },
    }, label);
    return h("div", { key: "offer", class: "bubble offer" },
        h("div", { key: "file", class: "file" }, icon("file"),
            h("span", { class: "file-name", dir: "auto" }, name),
            h("span", { class: "meta" }, sizeText(bytes))),
        goesOn && progressView(name, part),
        h("p", { key: "state", class: "meta" }, stateText(file, part)),
        h("div", { key: "buttons", class: "offer-buttons" },
            !goesOn && button("Accept", "PUT"),
            ["offered", "failed"].includes(how) && button("Decline", "DELETE"),
            goesOn && button("Cancel", "DELETE")));
}

function stateText({ state: how, rate, reason }, part) {
    if (how === "receiving") return `${part} %${rate ? `, ${sizeText(rate)}/s` : ""}`;
    if (how === "declined") return "Declined";
    return reason ?? (state.guest ? "Only the host can accept it." : "");
}

async function decide(session, method) {
    try {
        await ask(method, at(state.current, `/files/${session}`));
    } catch (problem) {
        tell(words(problem));
    }
}
