// The page: its columns, what is open, and the address and title of the window.

import { badge, bellView, tellOf } from "./bell.js";
import { composerView } from "./composer.js";
import { closeDialog, dialogView, openDialog } from "./dialogs.js";
import { holdsFiles, lasting, whenBack } from "./drafts.js";
import { drawerView } from "./drawer.js";
import { dropView } from "./drop.js";
import { h, iconButton, plain, show } from "./elements.js";
import { guestNote, isSeatLost, takeSeat } from "./guest.js";
import { choose, changed, start, state, watch, whenArrived } from "./model.js";
import { noteView } from "./notes.js";
import { closeApp, openApp, openPanel, panelView, tapApp, useStyle } from "./panel.js";
import { choosePairing, pairingView, requestsView } from "./pairing.js";
import { peopleView } from "./people.js";
import { words } from "./requests.js";
import { isUploading } from "./sending.js";
import { sideView } from "./side.js";
import { transcriptView } from "./transcript.js";
import { emptyView, peopleLine, welcomeView } from "./welcome.js";
import { viewerView } from "./viewer.js";
import { keepWayBack, titleText, uncovered } from "./window.js";

const isWide = matchMedia("(min-width: 900px)");
/// The parts of the window that are open beside the conversation, and the last problem there.
const ui = { isDrawerOpen: false, arePeopleShown: isWide.matches, problem: null };
/// For each part, the element that takes the focus when it opens, and the button that gets it back.
const FOCUS = {
    isDrawerOpen: { part: ".drawer", first: ".drawer .tile", button: ".button-apps" },
    arePeopleShown: { part: ".people", first: ".people button", button: ".button-people" },
};
/// The element that gets the focus once it is drawn; null if the focus stays.
let next = null;

// Actions of a person

function go(name) {
    const path = name ? `/c/${encodeURIComponent(name)}` : "/";
    if (location.pathname !== path) history.pushState(null, "", path);
    arrived(name);
}

function arrived(name) {
    Object.assign(ui, { isDrawerOpen: false, problem: null });
    if (!isWide.matches) ui.arePeopleShown = false;
    choose(asKnown(name));
}

/// The name as the node writes it: an address may have its letters in another form of Unicode, and
/// a guest is in one conversation only.
function asKnown(name) {
    if (state.guest) return state.guest.conversation;
    const isMeant = (each) => each.name.normalize() === name?.normalize();
    return state.conversations.find(isMeant)?.name ?? name;
}

function nameInAddress() {
    const [, name] = location.pathname.match(/^\/c\/([^/]+)$/) ?? [];
    return name ? decodeURIComponent(name) : null;
}

async function guarded(work) {
    try {
        await work();
        ui.problem = null;
    } catch (problem) {
        ui.problem = words(problem);
    }
    changed();
}

/// Opens or closes a part. The focus goes into it, and back to its button unless it is elsewhere.
function toggle(name) {
    ui[name] = !ui[name];
    const { part, first, button } = FOCUS[name];
    const { activeElement: active } = document;
    if (ui[name]) next = first;
    else if (active === document.body || active.closest(part)) next = button;
    changed();
}

function open(app) {
    ui.isDrawerOpen = false;
    // An app that has something in the input field goes on with that.
    const parts = state.fields.get(state.current)?.parts ?? [];
    const isStaged = parts.some((part) => part.app === app.id && part.draft);
    guarded(() => (isStaged ? tapApp : openApp)(state.current, app.id));
}

const actions = {
    choose: go,
    tap: (entry, join) => guarded(() => tapApp(state.current, entry.appID, entry.id, join)),
    tapDraft: (app) => guarded(() => tapApp(state.current, app)),
    showConflict: (entry) =>
        openDialog("conflict", { conversation: state.current, id: entry.session }),
    pair: choosePairing,
    openDrawer: () => {
        ui.problem = null;
        toggle("isDrawerOpen");
    },
    emptyView: (conversation) =>
        emptyView(conversation, ui.isDrawerOpen || isSeatLost() || openPanel(conversation.name)
            ? null : open),
    get isDrawerOpen() {
        return ui.isDrawerOpen;
    },
};

/// Escape closes what opened last: the browser does so for dialogs.
function escaped(event) {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    if (document.querySelector("dialog[open]")) return;
    const panel = openPanel(state.current);
    if (ui.isDrawerOpen) toggle("isDrawerOpen");
    else if (ui.arePeopleShown && !isWide.matches) toggle("arePeopleShown");
    else if (panel?.style === "expanded") useStyle(panel, "collapse");
    else if (panel) closeApp(panel.conversation, panel.app.id);
    else return;
    event.preventDefault();
}

/// The window has gone back or forth in its history.
function wentBack() {
    const name = asKnown(nameInAddress());
    if (uncovered(name)) return;
    closeDialog();
    arrived(name);
}

// The columns

function pageView() {
    const conversation = state.conversations.find(({ name }) => name === state.current);
    const classes = ["page", state.current ? "has-current" : "has-none",
        state.conversations.length ? "has-some" : "has-no-conversation",
        ui.arePeopleShown && conversation && "has-people", state.guest && "is-guest"];
    return h("div", { key: "page", class: classes.filter(Boolean).join(" ") },
        h("div", { key: "notices", class: "notices" }, connectionView(), requestsView()),
        !state.guest && sideView(go), conversation ? mainView(conversation) : welcomeView(),
        conversation && ui.arePeopleShown
            && peopleView(conversation, () => toggle("arePeopleShown"), go),
        dialogView(actions), viewerView(), pairingView(actions));
}

const CONNECTIONS = {
    connecting: "Connecting…", connected: "Connected", reconnecting: "Reconnecting…",
    outdated: "Parley was changed. This page loads again once no file or dialog is open in it…",
    signedOut: "This browser is not signed in any more. Run “parley page” for a new link.",
    seatLost: "Your host has taken your seat, or you have gone on in another browser.",
};

function connectionView() {
    const shown = isSeatLost() ? "seatLost" : state.newVersion ? "outdated" : state.connection;
    return h("header", { key: "connection", class: `connection is-${shown}` },
        h("div", { role: "status", "aria-label": "Connection" }, CONNECTIONS[shown]));
}

/// Loads the page again if its node has another one, once nobody loses anything by it: a text
/// typed as a message is kept over it, and a file or a dialog is not.
function renew() {
    const { newVersion } = state;
    if (!newVersion || holdsFiles() || isUploading()) return;
    if (document.querySelector("dialog[open]")) return;
    // A page that is still another one after that would load for ever.
    if (sessionStorage.getItem("renewed for") === newVersion) return;
    sessionStorage.setItem("renewed for", newVersion);
    location.reload();
}

/// The timer that renews the page, after a moment in which people can read why.
let renewal = null;

function mainView(conversation) {
    const panel = openPanel(conversation.name);
    const isCovered = panel?.style === "expanded";
    return h("main", { key: "main", class: "main" },
        h("div", { key: "stage", class: "stage" },
            h("header", { key: "bar", class: "bar", inert: isCovered },
                !state.guest && iconButton("back", "Back", () => go(null), { key: "back" }),
                h("div", { key: "title", class: "bar-title" },
                    h("h1", { key: "name", dir: "auto" }, plain(conversation.name)),
                    h("p", { key: "people", class: "meta", dir: "auto" },
                        conversation.open && h("span", { class: "open-mark" }, "open"),
                        peopleLine(conversation))),
                !state.guest && iconButton("invite", "Invite", () =>
                    openDialog("invite", { conversation: conversation.name }), { key: "invite" }),
                bellView(conversation),
                state.guest && iconButton("search", "Search", () => {
                    [ui.arePeopleShown, next] = [true, ".search"];
                    changed();
                }, { key: "search" }),
                iconButton("people", "People", () => toggle("arePeopleShown"), {
                    key: "people", class: "icon-button button-people",
                    "aria-expanded": String(ui.arePeopleShown),
                })),
            guestNote(),
            h("div", { key: "log", class: "log-box", inert: isCovered },
                transcriptView(conversation, actions), noteView()),
            panel && panelView(panel)),
        dropView(),
        ui.problem && h("p", { key: "problem", class: "problem main-problem", role: "alert" },
            ui.problem),
        ui.isDrawerOpen && drawerView(open),
        isSeatLost() ? h("p", { key: "lost", class: "reader-note" }, "You can read here.")
            : composerView(conversation, actions));
}

// The window

function draw() {
    if (state.newVersion) renewal ??= setInterval(renew, 1_500);
    if (!state.isLoaded) {
        const status = document.querySelector("[role=status]");
        status.textContent = CONNECTIONS[state.connection];
        status.parentNode.className = `connection is-${state.connection}`;
        return;
    }
    if (state.guest) takeSeat(state.guest);
    keepWayBack();
    show(document.body, pageView());
    if (next) document.querySelector(next)?.focus({ preventScroll: true });
    next = null;
    const title = titleText();
    if (document.title !== title) document.title = title;
    badge();
}

whenBack(() => (ui.problem = lasting(ui.problem)));
watch(draw);
whenArrived((conversation, entry) => tellOf(conversation, entry, go));
document.addEventListener("keydown", escaped);
document.addEventListener("visibilitychange", () => {
    if (!document.hidden && state.current) state.unread.delete(state.current);
    changed();
});
window.addEventListener("popstate", wentBack);
isWide.addEventListener("change", () => {
    ui.arePeopleShown = isWide.matches;
    changed();
});
state.current = nameInAddress();
start().then(() => choose(asKnown(state.current)));
