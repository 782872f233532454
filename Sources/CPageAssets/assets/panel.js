// The panel of an app: compact under the transcript, expanded over it.

import { alertsShown, alertsView } from "./alerts.js";
import { asideView, missedCount, missedOne, missedOver } from "./aside.js";
import { lasting, whenBack } from "./drafts.js";
import { appIcon, h, iconButton } from "./elements.js";
import { isMessage } from "./entries.js";
import { changed, state, useApp, whenArrived } from "./model.js";
import { reveal } from "./near.js";
import { words } from "./requests.js";
import { screenDrawn } from "./steady.js";
import { deliveryText } from "./transcript.js";
import { viewOf } from "./views.js";

/// The app that was used last in each conversation.
const lastUsed = new Map();
/// The last problem in each panel, by conversation and app.
const problems = new Map();
const DRAG_MIN = 48;

/// The panel that is open in a conversation, or null.
export function openPanel(conversation) {
    const open = [...state.panels.values()].filter((panel) =>
        panel.conversation === conversation && panel.style && !panel.app.headless);
    return open.find(({ app }) => app.id === lastUsed.get(conversation))
        ?? open.sort((one, other) => other.serial - one.serial)[0] ?? null;
}

/// Describes the panel.
export function panelView(panel) {
    const { app, conversation, style } = panel;
    const isExpanded = style === "expanded";
    const next = isExpanded ? "Collapse" : "Expand";
    const back = () => useStyle(panel, "collapse");
    missedOver(isExpanded ? key(panel) : null);
    const problem = problems.get(key(panel));
    const doing = (...action) => act(panel, ...action);
    const hadFocus = Boolean(document.activeElement?.closest(".panel"));
    return h("section", {
        key: `panel ${app.id}`,
        class: "panel",
        "aria-label": app.name,
        "data-style": style,
        tabindex: "-1",
        made: () => {
            styles.delete(key(panel));
            missedOver(null);
        },
        shown: (element) => {
            alertsShown(panel);
            showSelected(panel);
            screenDrawn();
            if (hadFocus && document.activeElement === document.body) goOn(panel, element);
        },
    },
        h("header", { key: "bar", class: "panel-bar" },
            h("div", {
                key: "handle", class: "handle", "aria-hidden": "true",
                on: {
                    pointerdown: grabbed,
                    pointermove: dragged,
                    pointerup: (event) => released(event, panel),
                    pointercancel: (event) => released(event, null),
                },
            }),
            appIcon(app),
            h("h2", { key: "title", class: "panel-title", dir: "auto" }, app.name),
            h("span", { key: "sent", class: "meta" }, sentText(panel)),
            missedCount(back),
            // One button that changes its name keeps the focus.
            iconButton(next.toLowerCase(), next, () => useStyle(panel, next.toLowerCase()),
                { key: "style" }),
            iconButton("close", "Close", () => closeApp(conversation, app.id), { key: "close" })),
        h("p", {
            key: "problem", class: "panel-note problem", role: "status",
        }, problem),
        h("p", { key: "news", class: "unseen", role: "status" }, newsOf(panel)),
        h("div", { key: "body", class: "panel-body", inert: panel.dialogs?.length > 0 },
            panel.tree && viewOf(panel.tree, doing)),
        isExpanded && asideView(back),
        alertsView(panel, doing));
}

whenArrived((conversation, entry) => {
    const panel = openPanel(state.current);
    const isAside = conversation === state.current && panel?.style === "expanded";
    if (isAside && !entry.isNudge && entry.appID !== panel.app.id) missedOne(entry);
});

whenBack(() => problems.forEach((text, key) => lasting(text) || problems.delete(key)));

/// The style in which each panel was drawn last, by conversation and app.
const styles = new Map();

/// Lets the message at hand be seen above a panel that has become compact.
function showSelected(panel) {
    const { conversation, style, selected } = panel;
    const before = styles.get(key(panel));
    styles.set(key(panel), style);
    if (style !== "compact" || before === style || !selected) return;
    const { entries } = state.transcripts.get(conversation) ?? { entries: [] };
    // A message that was replaced is seen at the place of the one that replaced it.
    const session = entries.find(({ id }) => id === selected)?.session;
    if (session) reveal(session);
}

/// How far the last move has come, where the panel covers the transcript.
function sentText({ app, conversation, style }) {
    if (style !== "expanded") return null;
    const { entries } = state.transcripts.get(conversation) ?? { entries: [] };
    const last = entries.findLast((entry) => isMessage(entry) && entry.appID === app.id);
    return last?.mine && last.delivery ? deliveryText(last.delivery) : null;
}

/// The words on the screen of each app, and those of them that are new, to be spoken.
const screens = new Map();
const NEWS_MAX = 300;

function newsOf(panel) {
    const old = screens.get(key(panel));
    if (old?.version === panel.version) return old.news;
    const [texts, labels] = wordsIn(panel.tree);
    const all = new Set([...texts, ...labels]);
    // The first screen of an app that is opened is read with the panel.
    const news = old?.isOpen && panel.style
        ? [...all].filter((each) => !old.all.has(each)).join(". ").slice(0, NEWS_MAX) : null;
    screens.set(key(panel), { version: panel.version, isOpen: Boolean(panel.style), all, news });
    return news;
}

/// The texts in a tree, and the names of its pictures and buttons.
function wordsIn(node, [texts, labels] = [[], []]) {
    if (node?.kind === "text") texts.push(node.text);
    else if (node?.label) labels.push(node.label);
    for (const child of node?.children ?? []) wordsIn(child, [texts, labels]);
    return [texts, labels];
}

/// Gives the focus of a view that is gone to what comes next: to Send if the app has put something
/// into the input field, else to the panel.
function goOn({ app, conversation }, element) {
    const parts = state.fields.get(conversation)?.parts ?? [];
    const isStaged = parts.some((part) => part.app === app.id && (part.draft || part.items));
    const next = isStaged ? document.querySelector(".send") : element;
    next?.focus({ preventScroll: true });
}

const key = ({ conversation, app }) => `${app.id} ${conversation}`;

/// Opens an app from the drawer.
export async function openApp(conversation, app) {
    await enter(conversation, app, { deed: "open" });
}

/// Taps a message of an app, or its draft; `join` takes a seat as well.
export async function tapApp(conversation, app, message, join) {
    await enter(conversation, app, { deed: "tap", message, join });
}

/// The element that had the focus before an app was opened.
let opener = null;

/// Opens an app, closes the one that was open, and moves the focus to the panel.
async function enter(conversation, app, request) {
    const old = openPanel(conversation);
    if (!old) opener = document.activeElement;
    lastUsed.set(conversation, app);
    await useApp(conversation, app, request);
    // The old one may have been opened again meanwhile.
    const isUsed = old?.app.id === lastUsed.get(conversation);
    if (old && !isUsed) await useApp(conversation, old.app.id, { deed: "close" });
    changed();
    requestAnimationFrame(() =>
        requestAnimationFrame(() =>
            document.querySelector(".panel")?.focus({ preventScroll: true })));
}

/// Closes an app; the focus goes back to where it was before.
export async function closeApp(conversation, app) {
    await guarded({ conversation, app: { id: app } }, { deed: "close" });
    requestAnimationFrame(() => {
        const isThere = opener?.isConnected && opener !== document.body;
        const other = document.querySelector(".composer-line .icon-button");
        (isThere ? opener : other)?.focus({ preventScroll: true });
        opener = null;
    });
}

/// Expands or collapses the app.
export async function useStyle(panel, action) {
    await guarded(panel, { deed: action });
}

/// Carries out an action; returns whether the app has taken it.
async function act(panel, node, kind, value, fields) {
    // The version that was drawn is the one that the person has seen.
    const request = { deed: "act", node: node.id, version: panel.version, kind, fields };
    if (kind === "draw") request.stroke = value;
    else if (value !== undefined) request.text = value;
    return await guarded(panel, request);
}

async function guarded(panel, request) {
    const { conversation, app } = panel;
    const earlier = problems.get(key(panel));
    try {
        await useApp(conversation, app.id, request);
        // A problem of a later request stays, though its answer may come first.
        if (problems.get(key(panel)) === earlier) problems.delete(key(panel));
        changed();
        return true;
    } catch (problem) {
        problems.set(key(panel), problem.error === "staleAction"
            ? "That has changed a moment ago, so nothing was done. This is how it is now."
            : words(problem));
        changed();
        return false;
    }
}

// The handle

let drag = null;

function grabbed(event) {
    const panel = event.currentTarget.closest(".panel");
    event.currentTarget.setPointerCapture(event.pointerId);
    drag = { y: event.clientY, height: panel.getBoundingClientRect().height };
}

function dragged(event) {
    if (!drag) return;
    const panel = event.currentTarget.closest(".panel");
    panel.classList.add("is-dragged");
    panel.style.setProperty("--drag", `${drag.height + drag.y - event.clientY}px`);
}

/// Snaps to the nearer style.
function released(event, panel) {
    const element = event.currentTarget.closest(".panel");
    element.classList.remove("is-dragged");
    element.style.removeProperty("--drag");
    const up = drag ? drag.y - event.clientY : 0;
    drag = null;
    if (!panel || Math.abs(up) < DRAG_MIN) return;
    if (up > 0 && panel.style === "compact") useStyle(panel, "expand");
    if (up < 0 && panel.style === "expanded") useStyle(panel, "collapse");
    if (up < 0 && panel.style === "compact") closeApp(panel.conversation, panel.app.id);
}
