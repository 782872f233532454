// The tab for phones: people take part in a conversation as guests of this node.

import { face, h, iconButton, isolated } from "./elements.js";
import { changed } from "./model.js";
import { ask, at } from "./requests.js";

const INTERVAL = 2_000;
const SEATS_MAX = 64;

/// Describes the tab. `dialog.guests` is what the node has said of guests, `dialog.edit` is what is
/// done with one of them, and `copy` copies an address.
export function phonesView(dialog, copy) {
    const { guests } = dialog;
    const link = guests?.links.includes(dialog.address) ? dialog.address : guests?.links[0];
    return h("div", {
        key: "phones", class: "phones", made: (element) => whileShown(element, () => look(dialog)),
    },
        h("button", {
            key: "switch", type: "button", class: "switch", role: "switch",
            "aria-checked": String(Boolean(guests?.open)), disabled: !guests,
            on: { click: () => tell(dialog, guests.open ? "DELETE" : "POST", "", {}) },
        }, "Let phones in"),
        guests && !guests.open && h("p", { key: "why" }, "People scan a code, give a name, and "
            + "are in: no account, no app. They see only ",
        h("b", { dir: "auto" }, dialog.conversation), "."),
        link && [
            dialog.codes?.has(link) && h("img", {
                key: "code", class: guests.locked ? "code is-locked" : "code",
                alt: "QR code for phones", width: "220", height: "220",
                src: dialog.codes.get(link),
            }),
            h("p", { key: "address", class: "address" }, addressView(link)),
            h("div", { key: "ways", class: "row" },
                button("Show large", () => set(dialog, { isLarge: true }), "primary"),
                button("Copy", ({ currentTarget }) => copy(dialog, link,
                    currentTarget.closest(".phones").querySelector(".address"))),
                button(guests.locked ? "Unlock" : "Lock", () =>
                    tell(dialog, "POST", "", { locked: !guests.locked }))),
            guests.links.length > 1 && othersView(dialog, guests.links, link),
            h("p", { key: "risk", class: "meta" }, guests.locked
                ? "Locked: nobody else can come in. Those inside stay."
                : "The phones must be on this network. Their pages are not encrypted: others on "
                    + "it could read along."),
        ],
        (guests?.open || guests?.guests.length > 0) && insideView(dialog, guests),
        dialog.isLarge && link && largeView(dialog, link));
}

function set(dialog, values) {
    Object.assign(dialog, values);
    changed();
}

/// An address as people type it, which may break before its code.
function addressView(link) {
    const [host, code] = link.replace("http://", "").split("/g/");
    return [host, h("wbr"), `/g/${code}`];
}

function button(title, click, kind, props) {
    return h("button", {
        key: title, type: "button", class: kind ? `button ${kind}` : "button", on: { click },
        ...props,
    }, title);
}

function othersView(dialog, links, shown) {
    return h("details", { key: "others", class: "others" },
        h("summary", null, "Other addresses of this machine"),
        links.map((link) => button(new URL(link).host, () => choose(dialog, link), null,
            { "aria-pressed": String(link === shown) })));
}

function insideView(dialog, { guests, seats }) {
    return h("section", { key: "inside", class: "inside", "aria-label": "Inside" },
        h("div", { key: "count", class: "row" },
            h("h3", { key: "title" }, `${guests.length} inside`),
            h("label", { key: "seats", class: "seats" }, "Seats ",
                h("input", {
                    type: "number", min: "1", max: String(SEATS_MAX), "aria-label": "Seats",
                    set: { value: String(seats) },
                    on: { change: ({ target }) => seat(dialog, target, seats) },
                }))),
        h("ul", { key: "list", class: "devices" }, guests.map((guest) =>
            h("li", { key: guest.participant, class: "device" },
                face(guest, guest.present ? "here" : "away"),
                dialog.edit?.seat === guest.seat
                    ? EDITS[dialog.edit.kind](dialog, guest) : guestView(dialog, guest)))));
}

function guestView(dialog, { seat, name, present, digits }) {
    const edit = (kind) => () => set(dialog, { edit: { seat, kind, name } });
    return [
        h("span", { key: "text", class: "device-text" },
            h("b", { dir: "auto" }, isolated(name)),
            h("span", { class: "meta" }, `${present ? "here" : "away"}, digits ${digits}`)),
        iconButton("pencil", `Rename ${name}`, edit("rename"), { key: "rename" }),
        iconButton("close", `Remove ${name}`, edit("remove"), { key: "remove" }),
    ];
}

/// The question or field in the place of a guest's line while the guest is renamed or removed.
const EDITS = {
    rename: (dialog, { seat, name }) => h("form", {
        key: "rename form", class: "row", novalidate: true,
        on: {
            submit: (event) => {
                event.preventDefault();
                tell(dialog, "POST", `/${seat}`, { name: dialog.edit.name.trim() });
            },
        },
    },
        h("input", {
            key: "name", type: "text", class: "short-field", maxlength: "64", autocomplete: "off",
            "aria-label": `Name of ${name}`, set: { value: dialog.edit.name },
            made: (input) => input.select(),
            on: { input: ({ target }) => (dialog.edit.name = target.value) },
        }),
        h("button", { key: "save", type: "submit", class: "button primary" }, "Save")),
    remove: (dialog, { seat, name }) => h("div", { key: "remove form", class: "row" },
        h("span", { class: "device-text" }, "Take the seat of ", isolated(name), "?"),
        button("Keep", () => set(dialog, { edit: null })),
        button("Remove", () => tell(dialog, "DELETE", `/${seat}`), "danger", {
            made: (element) => element.focus(),
        })),
};

/// The code and the address as large as the screen, for people who sit far away.
function largeView(dialog, link) {
    const { guests, locked } = dialog.guests;
    const names = guests.map(({ name }) => isolated(name)).join(", ");
    const close = (event) => event.currentTarget.closest("dialog").close();
    return h("dialog", {
        key: "large", class: "large", "aria-label": `Join ${dialog.conversation}`,
        made: fillScreen,
        on: {
            close: () => {
                if (document.fullscreenElement) document.exitFullscreen();
                set(dialog, { isLarge: false });
            },
        },
    },
        h("h2", { key: "title", dir: "auto" }, `Join ${dialog.conversation}`),
        h("img", {
            key: "code", class: "code", alt: "Large QR code for phones",
            src: dialog.codes?.get(link),
        }),
        h("p", { key: "address", class: "address" }, addressView(link)),
        h("p", { key: "who", class: "meta", role: "status" }, locked
            ? "Locked: nobody else can come in." : names ? `Inside: ${names}`
                : "Scan the code, or type the address."),
        iconButton("close", "Close the large code", close, { key: "close" }));
}

/// Shows a dialog over the whole screen. The browser has to fill the screen first, as it would
/// cover the dialog otherwise; one that cannot shows the dialog in the window.
async function fillScreen(element) {
    document.onfullscreenchange = () => document.fullscreenElement || element.close();
    await document.documentElement.requestFullscreen?.().catch(() => {});
    if (element.isConnected) element.showModal();
}

// The node

/// Does some work now and again and again, as long as an element is shown.
export function whileShown(element, work) {
    work();
    const timer = setInterval(() => {
        if (!element.isConnected) clearInterval(timer);
        else if (!document.hidden) work();
    }, INTERVAL);
}

async function look(dialog) {
    const { changes } = dialog;
    try {
        const guests = await ask("GET", at(dialog.conversation, "/guests"));
        // What was said before a change is not so any more.
        if (dialog.changes === changes) take(dialog, guests);
    } catch (problem) {
        if (!dialog.guests) set(dialog, { problem });
    }
}

/// Changes something, and shows what the node answers.
async function tell(dialog, method, rest, body) {
    dialog.changes = (dialog.changes ?? 0) + 1;
    try {
        take(dialog, await ask(method, at(dialog.conversation, `/guests${rest}`), body));
        set(dialog, { problem: null, edit: null });
    } catch (problem) {
        set(dialog, { problem });
    }
}

function seat(dialog, input, before) {
    if (input.valueAsNumber > 0) tell(dialog, "POST", "", { seats: Math.round(input.value) });
    else input.value = before;
}

function take(dialog, guests) {
    dialog.guests = guests;
    choose(dialog, dialog.address);
}

async function choose(dialog, address) {
    set(dialog, { address });
    dialog.codes ??= new Map();
    const { links } = dialog.guests;
    const link = links.includes(address) ? address : links[0];
    if (!link || dialog.codes.has(link)) return;
    dialog.codes.set(link, await codeOf(link));
    changed();
}

/// The address of a picture with a text as a QR code.
export async function codeOf(text) {
    const { svg } = await ask("POST", "page/code", { text });
    return URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
}
