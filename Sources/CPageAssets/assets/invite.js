// The two ways in: a link for people with a Parley of their own, and a code for phones.

import { h } from "./elements.js";
import { changed, state } from "./model.js";
import { codeOf, phonesView } from "./phones.js";
import { ask, at } from "./requests.js";

const TABS = [["link", "Link"], ["phones", "Phones"]];

/// The content of the dialog; `dialog.tab` is the tab that is shown.
export function inviteView(dialog) {
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
        }, shown === "link" ? linkView(dialog) : phonesView(dialog, copy),
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

function linkView(dialog) {
    return [
        h("p", { key: "why" }, isOpen(dialog.conversation) ? [
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
    ];
}

/// Makes the link, and a code of it. Phones come first where they are let in, or where the page
/// itself is in a network.
export async function makeInvite(dialog) {
    const { open } = await ask("GET", at(dialog.conversation, "/guests"));
    if (open || !/^(127\.|localhost|\[)/.test(location.hostname)) dialog.tab ??= "phones";
    const made = await ask("POST", at(dialog.conversation, "/invites"), { role: "writer" });
    dialog.link = made.invite;
    if (dialog.link.length <= 1_500) dialog.code = await codeOf(dialog.link);
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
