// Dialogs: making, joining and leaving conversations, invites, members, nearby devices, and
// conflicts.

import { face, h, iconButton, timeText } from "./elements.js";
import { inviteView, makeInvite } from "./invite.js";
import { isMessage } from "./entries.js";
import {
    changeKeys, deedOf, higherView, loadMembers, membersView, whoStandsHigher,
} from "./members.js";
import { changed, state } from "./model.js";
import { tell } from "./notes.js";
import { presenceOf, presenceText } from "./presence.js";
import { ask, at, words } from "./requests.js";
import { layoutView, nameOf } from "./transcript.js";

/// The dialog that is open, with what was entered and what went wrong; null if there is none.
let open = null;

/// Opens a dialog: create, join, invite, members, leave, nearby, or conflict.
export function openDialog(kind, values = {}) {
    open = { kind, problem: null, isBusy: false, first: FIRST[kind], ...values };
    STARTS[kind]?.(open);
    changed();
}

/// Closes the dialog; the browser gives the focus back.
export function closeDialog() {
    document.querySelector("dialog[open]")?.close();
}

/// Describes the dialog that is open. It begins in its first field, or with the answer that loses
/// nothing.
export function dialogView(actions) {
    if (!open) return null;
    const dialog = open;
    const { title, body } = KINDS[dialog.kind](dialog, actions);
    return h("dialog", {
        key: `dialog ${dialog.kind}`,
        class: `dialog dialog-${dialog.kind}`,
        "aria-label": title,
        made: (element) => element.showModal(),
        on: {
            close: () => {
                if (open === dialog) open = null;
                changed();
            },
            click: (event) => event.target === event.currentTarget && closeDialog(),
        },
    },
        h("div", { key: "bar", class: "dialog-bar" },
            h("h2", { key: "title" }, title),
            iconButton("close", "Close", closeDialog, { key: "close" })),
        h("div", { key: "body", class: "dialog-body" }, body,
            dialog.problem && h("p", { key: "problem", class: "problem", role: "alert" },
                words(dialog.problem))));
}

/// Does the work of the dialog, and shows there what went wrong.
async function attempt(dialog, work) {
    if (dialog.isBusy) return;
    dialog.isBusy = true;
    changed();
    try {
        await work();
        dialog.problem = null;
    } catch (problem) {
        dialog.problem = problem;
    }
    dialog.isBusy = false;
    changed();
}

function form(name, work, ...children) {
    return h("form", {
        key: name, class: "dialog-form", novalidate: true,
        on: {
            submit: (event) => {
                event.preventDefault();
                work();
            },
        },
    }, children);
}

function field(dialog, key, label, props = {}) {
    return h("label", { key, class: "field" }, h("span", { class: "field-label" }, label),
        h("input", {
            type: "text", autocomplete: "off", "aria-label": label, ...props,
            autofocus: key === dialog.first,
            set: { value: dialog[key] ?? "" },
            on: { input: (event) => (dialog[key] = event.target.value) },
        }));
}

function submitButton(title, isDanger, isBusy) {
    return h("button", {
        key: "submit", type: "submit", class: `button ${isDanger ? "danger" : "primary"}`,
        "aria-busy": isBusy || null,
    }, title);
}

const cancelButton = () => h("button", {
    key: "cancel", type: "button", class: "button", autofocus: true, on: { click: closeDialog },
    // The focus goes here also if the answer came after the dialog.
    made: (button) => button.focus(),
}, "Cancel");

/// The field in which a dialog begins.
const FIRST = { create: "name", join: "link" };

const KINDS = {
    create: (dialog, actions) => ({
        title: "New conversation",
        body: form("create", () => attempt(dialog, async () => {
            const made = await ask("POST", "conversations", { name: (dialog.name ?? "").trim() });
            closeDialog();
            actions.choose(made.name);
        }), h("p", { key: "why" }, "A place for messages and games. You invite who may come in."),
        field(dialog, "name", "Name", { placeholder: "For example: Game night", maxlength: "64" }),
        submitButton("Make conversation")),
    }),

    join: (dialog, actions) => ({
        title: "Join by link",
        body: form("join", () => attempt(dialog, async () => {
            const name = (dialog.name ?? "").trim();
            const link = (dialog.link ?? "").trim();
            const joined = await ask("POST", "join", name ? { link, name } : { link });
            closeDialog();
            actions.choose(joined.name);
        }), h("p", { key: "why" }, "Somebody in the conversation gives you the link with Invite."),
        field(dialog, "link", "Link", { placeholder: "parley:…", spellcheck: "false" }),
        (dialog.name !== undefined || dialog.problem?.error === "nameTaken")
            && field(dialog, "name", "Name on this device", { maxlength: "64" }),
        submitButton("Join")),
    }),

    invite: (dialog) => ({
        title: "Invite", body: inviteView(dialog, (work) => attempt(dialog, work)),
    }),

    members: (dialog) => {
        const higher = whoStandsHigher(dialog);
        return {
            title: dialog.device ? "Remove a member" : "New keys",
            body: !dialog.members
                ? !dialog.problem && h("p", { key: "wait" }, "Loading…")
                : higher ? [
                    higherView(dialog, higher), cancelButton(),
                    h("button", {
                        key: "new", type: "button", class: "button primary",
                        on: { click: () => openDialog("create") },
                    }, "New conversation"),
                ] : form("members", () => attempt(dialog, async () => {
                    const done = await changeKeys(dialog);
                    closeDialog();
                    tell(done);
                }), membersView(dialog), cancelButton(),
                submitButton(deedOf(dialog), dialog.goes.size, dialog.isBusy)),
        };
    },

    leave: (dialog, actions) => {
        const isLast = dialog.problem?.error === "onlyCopies";
        const path = at(dialog.conversation, isLast ? "?force=true" : "");
        return {
            title: "Leave conversation",
            body: form("leave", () => attempt(dialog, async () => {
                await ask("DELETE", path);
                closeDialog();
                actions.choose(null);
            }), h("p", { key: "why" }, "Everything in ",
                h("b", { dir: "auto" }, dialog.conversation),
                " is deleted from this device. You need a new invite to come back."),
            cancelButton(),
            submitButton(isLast ? "Leave and lose them" : "Leave", true)),
        };
    },

    nearby: (_, actions) => ({
        title: "Nearby",
        body: state.nearby.length
            ? h("ul", { key: "list", class: "devices" }, state.nearby.map((peer) =>
                deviceView(peer, actions)))
            : h("p", { key: "none" }, discoveryTrouble()
                ?? "No other device with Parley was found on this network yet. As soon as one is, "
                    + "it is listed here."),
    }),

    found: (dialog, actions) => ({
        title: "A message of long ago",
        body: dialog.session ? sideView(dialog.session.shown, actions)
            : h("p", { key: "wait" }, "Loading…"),
    }),

    conflict: (dialog, actions) => ({
        title: "Moves at the same time",
        body: conflictView(dialog, actions),
    }),
};

function conflictView(dialog, actions) {
    const entries = state.transcripts.get(dialog.conversation)?.entries ?? [];
    const shown = entries.findLast((entry) => isMessage(entry) && entry.session === dialog.id);
    if (shown && !(shown.conflict > 1)) {
        return h("p", { key: "settled", role: "status" }, "It is settled.");
    }
    if (!dialog.session) return h("p", { key: "wait" }, "Loading…");
    return [
        h("p", { key: "why" }, "Nobody had seen the other's move. Go on from one of them: ",
            "your next move settles it."),
        h("div", { key: "sides", class: "sides" },
            [dialog.session.shown, ...dialog.session.others].map((entry) =>
                sideView(entry, actions))),
    ];
}

/// Says why this node does not find others by itself, and what helps; null if it looks for them.
export function discoveryTrouble() {
    const { state: word, detail } = state.discovery;
    if (word === "off") {
        return "This node does not look for other devices, because it was started without "
            + "discovery. Start it again without --no-discovery, or give it the address of "
            + "another one: --peer ADDRESS:27275.";
    }
    if (word === "noInterface") return `This node is ${detail}.`;
    return ["waitingForBus", "waitingForDaemon"].includes(word)
        ? `This node cannot look for other devices: it is ${detail}. Start avahi-daemon on `
            + "this machine; until then only devices given with --peer ADDRESS:27275 are reached."
        : null;
}

function deviceView(peer, actions) {
    const name = peer.name ?? (peer.device ? peer.device.slice(0, 9) : peer.address);
    const shared = peer.conversations ?? [];
    return h("li", { key: peer.device || peer.address, class: "device" },
        face({ participant: peer.device || peer.address, name }, presenceOf(peer)),
        h("span", { class: "device-text" },
            h("b", { dir: "auto" }, name),
            h("span", { class: "meta", dir: "auto" }, presenceText(peer),
                shared.length ? `, in ${shared.join(", ")}` : ", no conversation together")),
        peer.device && h("button", {
            key: "pair", type: "button", class: "button", "aria-label": `Pair with ${name}`,
            on: {
                click: () => {
                    closeDialog();
                    actions.pair(peer);
                },
            },
        }, "Pair"));
}

function sideView(entry, actions) {
    const who = entry.mine ? "You" : entry.sender.name ?? "Someone";
    return h("section", { key: entry.id, class: "side-of-two", "aria-label": nameOf(entry) },
        h("p", { class: "who", dir: "auto" }, who, h("span", { class: "meta" },
            timeText(entry.sentAt))),
        h("div", { class: "card" }, layoutView(entry)),
        entry.appID && h("button", {
            type: "button", class: "button",
            on: {
                click: () => {
                    closeDialog();
                    actions.tap(entry);
                },
            },
        }, "Go on from here"));
}

async function readSession(dialog) {
    dialog.session = await ask("GET", at(dialog.conversation, `/sessions/${dialog.id}`));
}

const STARTS = {
    invite: (dialog) => attempt(dialog, () => makeInvite(dialog)),
    members: (dialog) => attempt(dialog, () => loadMembers(dialog)),
    conflict: (dialog) => attempt(dialog, () => readSession(dialog)),
    found: (dialog) => attempt(dialog, () => readSession(dialog)),
};
