// The two ways in: a link for people with a Parley of their own, and a code for phones.

import { h, isolated, timeText } from "./elements.js";
import { changed, state } from "./model.js";
import { codeOf, phonesView, whileShown } from "./phones.js";
import { ask, at } from "./requests.js";

const TABS = [["link", "Link"], ["phones", "Phones"]];

/// The content of the dialog; `dialog.tab` is the tab that is shown, and `attempt` does some work,
/// one at a time, and shows what went wrong.
export function inviteView(dialog, attempt) {
    const shown = dialog.tab ?? "link";
    return [
        h("div", {
            key: "tabs", class: "tabs", role: "tablist", "aria-label": "Ways in",
            on: { keydown: (event) => otherTab(dialog, event) },
        }, TABS.map(([tab, title]) => h("button", {
            key: tab, type: "button", class: "tab", role: "tab", id: `tab-${tab}`,
            "aria-selected": String(tab === shown), "aria-controls": "way-in",
            tabindex: tab === shown ? "0" : "-1", on: { click: () => choose(dialog, tab) },
        }, title))),
        h("div", {
            key: shown, class: "way-in", role: "tabpanel", id: "way-in",
            "aria-labelledby": `tab-${shown}`,
        }, shown === "link" ? linkView(dialog, attempt) : phonesView(dialog, copy),
        h("p", { key: "said", class: "meta", role: "status" }, dialog.said)),
    ];
}

function choose(dialog, tab) {
    Object.assign(dialog, { tab, problem: null, said: null });
    changed();
}

function otherTab(dialog, event) {
    if (!["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    event.preventDefault();
    choose(dialog, dialog.tab === "phones" ? "link" : "phones");
    document.querySelector(`#tab-${dialog.tab}`).focus();
}

const isOpen = (name) => state.conversations.some((each) => each.name === name && each.open);

function linkView(dialog, attempt) {
    const open = isOpen(dialog.conversation);
    return [
        h("p", { key: "why" }, open ? [
            h("b", { dir: "auto" }, dialog.conversation), " is open: anybody on this network "
                + "who knows its public name can come in and read it. The link says that name.",
        ] : [
            "Whoever has this link can come in. Give it only to people you want in ",
            h("b", { dir: "auto" }, dialog.conversation), ".",
        ]),
        dialog.link && [
            dialog.code && h("img", {
                key: "code", class: "code", alt: "QR code", width: "220", height: "220",
                src: dialog.code,
            }),
            dialog.code && h("p", { key: "whose", class: "meta" },
                "For another Parley; the code for phones is under Phones."),
            h("div", { key: "line", class: "copy-line" },
                h("input", {
                    key: "link", type: "text", readonly: true, "aria-label": "Invite link",
                    set: { value: dialog.link },
                    on: { focus: (event) => event.target.select() },
                }),
                h("button", {
                    key: "copy", type: "button", class: "button primary",
                    on: {
                        click: ({ currentTarget }) =>
                            copy(dialog, dialog.link, currentTarget.previousSibling),
                    },
                }, "Copy")),
        ],
        !open && dialog.link && endsView(dialog, attempt),
    ];
}

/// The ends that a link can have, in seconds and in devices.
const TIMES = [[3_600, "in an hour"], [86_400, "in a day"], [604_800, "in a week"], [0, "never"]];
const DEVICES = [[0, "any number"], [1, "one device"], [2, "two devices"], [5, "five devices"]];

/// The way to a link that ends, and the links that were made so.
function endsView(dialog, attempt) {
    const made = dialog.made ?? [];
    return h("section", {
        key: "ends", class: "inside", "aria-label": "Links that end",
        made: (element) => whileShown(element, () => list(dialog).catch(() => {})),
    },
        h("p", { key: "promise", class: "meta" },
            promise(made.find(({ number }) => number === dialog.number))),
        h("form", {
            key: "form", class: "row",
            on: {
                submit: (event) => {
                    event.preventDefault();
                    attempt(() => take(dialog, {
                        role: "writer", uses: dialog.uses || undefined,
                        seconds: (dialog.seconds ?? TIMES[1][0]) || undefined,
                    }));
                },
            },
        },
            choiceView(dialog, "seconds", "Ends", TIMES, TIMES[1][0]),
            choiceView(dialog, "uses", "For", DEVICES, 0),
            h("button", { key: "make", type: "submit", class: "button" }, "New link")),
        h("ul", { key: "list", class: "devices" },
            made.filter(isWorking).map((invite) =>
                workingView(invite, () => attempt(() => revoke(dialog, invite.number))))));
}

const isWorking = ({ state }) => state === "open";

/// The promise of the link that is shown; nothing is known of one without an end.
function promise(ending) {
    if (!ending) return "This link works for ever, also while this machine is off.";
    return isWorking(ending)
        ? `Link ${ending.number} ${limits(ending)}. This machine has to be on when somebody comes.`
        : `Link ${ending.number} lets nobody in any more.`;
}

function choiceView(dialog, key, title, choices, first) {
    return h("label", { key, class: "field" },
        h("span", { class: "field-label" }, title),
        h("select", {
            "aria-label": title,
            set: { value: String(dialog[key] ?? first) },
            on: { change: ({ target }) => (dialog[key] = Number(target.value)) },
        }, choices.map(([value, text]) =>
            h("option", { key: text, value: String(value) }, text))));
}

/// The limits of a link that ends, as the end of a sentence.
function limits({ uses, ends, came, role }) {
    const left = uses - came.length;
    return [
        (uses < DEVICES_MAX || !ends) && `lets ${left} more ${left === 1 ? "device" : "devices"} in`
            + (role === "writer" ? "" : ` as a ${role}`),
        ends && `ends ${timeText(ends)}`,
    ].filter(Boolean).join(" and ");
}

/// The devices of a link for any number.
const DEVICES_MAX = 256;

function workingView(invite, revoke) {
    const { number, came } = invite;
    return h("li", { key: number, class: "device" },
        h("span", { key: "text", class: "device-text" },
            h("b", null, `Link ${number}`),
            h("span", { class: "meta" }, limits(invite)),
            came.length > 0 && h("span", { class: "meta" },
                `came: ${came.map(({ name }) => isolated(name)).join(", ")}`)),
        h("button", {
            key: "revoke", type: "button", class: "button", "aria-label": `Revoke link ${number}`,
            on: { click: revoke },
        }, "Revoke"));
}

/// Makes the link, and a code of it. Phones come first where they are let in, or where the page
/// itself is in a network.
export async function makeInvite(dialog) {
    const { open } = await ask("GET", at(dialog.conversation, "/guests"));
    if (open || !/^(127\.|localhost|\[)/.test(location.hostname)) dialog.tab ??= "phones";
    await take(dialog, { role: "writer" });
}

/// Takes a new link, and lists those that work.
async function take(dialog, wanted) {
    const { invite, ending } = await ask("POST", at(dialog.conversation, "/invites"), wanted);
    const code = invite.length <= 1_500 ? await codeOf(invite) : null;
    Object.assign(dialog, { link: invite, number: ending?.number, code });
    await list(dialog);
}

/// Lists the links of the conversation that end.
async function list(dialog) {
    dialog.made = (await ask("GET", "invites"))
        .filter(({ conversation }) => conversation === dialog.conversation);
    changed();
}

/// Ends a link; who came by it stays.
async function revoke(dialog, number) {
    await ask("DELETE", `invites/${number}`);
    if (dialog.number === number) await take(dialog, { role: "writer" });
    else await list(dialog);
}

/// Copies a text, which `shown` shows.
async function copy(dialog, text, shown) {
    try {
        await navigator.clipboard.writeText(text);
        dialog.said = "Copied.";
    } catch {
        // Over http there is only the old way, and where that fails, people copy by hand.
        shown.focus?.();
        if (shown.select) shown.select();
        else getSelection().selectAllChildren(shown);
        const hand = matchMedia("(pointer: coarse)").matches
            ? "touch it for a while" : "press Ctrl and C";
        dialog.said = document.execCommand("copy")
            ? "Copied." : `The link is selected: ${hand} to copy it.`;
    }
    changed();
}
