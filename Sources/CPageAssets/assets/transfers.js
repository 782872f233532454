// Offers of files of any size, which people decide on.

import { h, icon, plain } from "./elements.js";
import { state } from "./model.js";
import { tell } from "./notes.js";
import { ask, at, words } from "./requests.js";

/// A number of bytes for people.
export function sizeText(bytes) {
    let [size, unit] = [bytes / 1_024, 0];
    for (; size >= 1_000 && unit < 3; unit += 1) size /= 1_024;
    const digits = unit && size < 100 ? 1 : 0;
    const number = Math.max(1, size).toLocaleString(undefined, { maximumFractionDigits: digits });
    return `${number} ${["KB", "MB", "GB", "TB"][unit]}`;
}

export const percent = (done, all) => Math.floor(100 * done / all);

const progressView = (name, value) => h("progress", {
    key: "progress", max: "100", value: String(value), "aria-label": plain(name),
});

/// The icon, the name and the size of a file.
export const fileLine = (name, bytes) => [icon("file"),
    h("span", { class: "file-name", dir: "auto" }, name),
    h("span", { class: "meta" }, bytes && sizeText(bytes))];

/// Describes an offered file that is not here.
export function offerView({ session, file }) {
    const { name, bytes, done, state: how } = file;
    const part = percent(done, bytes);
    const goesOn = ["waiting", "receiving"].includes(how);
    // The host decides what is thrown away on its machine.
    const button = (label, method) => !(state.guest && method === "DELETE") && h("button", {
        key: label, type: "button", class: "button", on: { click: () => decide(session, method) },
    }, label);
    return h("div", { key: "offer", class: "bubble offer" },
        h("div", { key: "file", class: "file" }, fileLine(name, bytes)),
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
    return reason ?? "";
}

async function decide(session, method) {
    try {
        await ask(method, at(state.current, `/files/${session}`));
    } catch (problem) {
        tell(words(problem));
    }
}
