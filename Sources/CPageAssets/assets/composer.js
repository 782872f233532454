// The input field: the text, attachments, and what apps have staged.

import { attempt, backToText, draftOf, write } from "./drafts.js";
import { appIcon, h, icon, iconButton } from "./elements.js";
import { fileView, stage } from "./files.js";
import { absenceText } from "./members.js";
import { changed, state, useField } from "./model.js";
import { editLast, editView, endEdit, saveEdit } from "./own.js";
import { openPanel, useStyle } from "./panel.js";
import { endReply, replyView } from "./quotes.js";
import { ask, at } from "./requests.js";
import { sendFiles } from "./sending.js";
import { placingView, stagedStickerView } from "./stickers.js";
import { layoutView } from "./transcript.js";

/// The most characters of a text, and how many it has when the field begins to count them.
const [TEXT_MAX, TEXT_COUNTED] = [10_000, 9_000];

/// Describes the input field; `actions` has `openDrawer`, `tapDraft` and `isDrawerOpen`.
export function composerView(conversation, actions) {
    const { name, role } = conversation;
    const absence = absenceText(conversation);
    if (absence) return h("p", { key: "absent", class: "reader-note", role: "status" }, absence);
    if (role !== "writer") {
        return h("p", { key: "reader", class: "reader-note" },
            role === "relay" ? "This device only passes messages on." : "You can read here.");
    }
    const draft = draftOf(name);
    const parts = state.fields.get(name)?.parts ?? [];
    takeTexts(name, parts);
    const staged = parts.filter((part) => part.draft || part.items);
    const canSend = draft.text.trim() || (!draft.edit && (staged.length || draft.files.length));
    return h("form", {
        key: `composer ${name}`,
        class: "composer",
        novalidate: true,
        on: {
            submit: (event) => {
                event.preventDefault();
                send(name);
            },
        },
    },
        (staged.length > 0 || draft.files.length > 0) && h("section", {
            key: "draft", class: "draft", "aria-label": "Draft",
        }, staged.map((part) => partView(name, part, actions)),
            draft.files.map((file) => fileView(name, file))),
        draft.edit ? editView(name) : replyView(name),
        placingView(name),
        draft.problem && h("p", { key: "problem", class: "problem", role: "alert" }, draft.problem),
        counterView(draft.text),
        h("div", { key: "line", class: "composer-line" },
            iconButton("apps", "Apps", () => {
                draft.problem = null;
                actions.openDrawer();
            }, {
                key: "apps", class: "icon-button button-apps",
                "aria-expanded": String(actions.isDrawerOpen),
            }),
            iconButton("attach", "Attach", (event) =>
                event.currentTarget.parentNode.querySelector("input[type=file]").click(),
            { key: "attach" }),
            h("input", {
                key: "files", type: "file", multiple: true, hidden: true, tabindex: "-1",
                "aria-hidden": "true", on: { change: ({ target }) => {
                    attach(name, [...target.files]);
                    target.value = "";
                } },
            }),
            textArea(name, draft),
            h("button", {
                key: "send", type: "submit", class: "send", "aria-label": "Send", title: "Send",
                "aria-disabled": canSend ? null : "true", "aria-busy": draft.isSending || null,
            }, icon("send"))));
}

function textArea(name, draft) {
    return h("textarea", {
        key: "text",
        class: "message",
        rows: "1",
        "aria-label": "Message",
        placeholder: "Message",
        dir: "auto",
        opaque: true,
        enterkeyhint: "send",
        shown: (area) => {
            if (area.value !== draft.text) area.value = draft.text;
            fit(area);
        },
        on: {
            input: (event) => {
                draft.problem = null;
                write(name, event.target.value);
                fit(event.target);
                changed();
            },
            keydown: (event) => {
                if (pressed(name, draft, event)) event.preventDefault();
            },
        },
    });
}

/// The number of characters of a text, as people count them; that of one that is much too long in
/// any case is about right.
function lengthOf(text) {
    return text.length < TEXT_COUNTED || text.length > TEXT_MAX * 5
        ? text.length : [...new Intl.Segmenter().segment(text)].length;
}

const number = (count) => count.toLocaleString("en");

function counterView(text) {
    const length = lengthOf(text);
    return length >= TEXT_COUNTED && h("p", {
        key: "counter", class: length > TEXT_MAX ? "counter problem" : "counter meta",
    }, `${number(length)} of ${number(TEXT_MAX)}`);
}

/// Carries out what a key does; returns whether it does something.
function pressed(name, draft, { key, shiftKey, isComposing, defaultPrevented }) {
    if (shiftKey || isComposing || defaultPrevented) return false;
    if (key === "Enter") send(name);
    else if (key === "Escape" && draft.edit) endEdit(name);
    else if (key === "Escape" && draft.reply) endReply(name);
    else return key === "ArrowUp" && !draft.text && !draft.edit && editLast(name);
    return true;
}

/// Gives the field the height of its text.
function fit(area) {
    if (area.fitted === area.value) return;
    area.fitted = area.value;
    area.style.height = "auto";
    area.style.height = `${Math.min(area.scrollHeight + 2, 140)}px`;
}

// The draft: the parts that apps have staged, and the files of the person

function partView(name, part, actions) {
    const draft = part.draft;
    const app = state.apps.find(({ id }) => id === part.app);
    const stickers = part.stickers ?? [];
    const one = stickers.length ? stickers[0].description || "A sticker" : "A file";
    const line = draft?.line ?? (part.items > 1 ? `${part.items} things` : one);
    return h("div", { key: part.app, class: "staged", made: goOnToSend },
        h("div", { key: "card", class: "staged-card" },
            draft?.picture
                ? h("div", { class: "staged-picture" }, layoutView({ picture: draft.picture }))
                : appIcon(app ?? { id: part.app, name: part.appName }),
            h("button", {
                type: "button", class: "staged-text",
                on: { click: () => actions.tapDraft(part.app) },
            },
                h("span", { class: "staged-app" }, part.appName ?? app?.name),
                h("span", { class: "staged-line", dir: "auto" }, draft?.layout?.caption ?? line))),
        iconButton("close", "Remove draft", () => removeDraft(name, part.app), { key: "remove" }),
        stickers.map((sticker) => stagedStickerView(name, part.app, sticker)),
        draft?.error && h("p", { key: "error", class: "problem" }, draft.error));
}

/// Moves the focus to Send if the view with which somebody has made the draft is gone.
function goOnToSend() {
    if (!document.activeElement?.matches(".panel")) return;
    requestAnimationFrame(() =>
        document.querySelector(".send")?.focus({ preventScroll: true }));
}

/// Stages files, and sends the draft if somebody has pressed Send meanwhile.
export async function attach(name, blobs) {
    await stage(name, blobs);
    const draft = draftOf(name);
    if (draft.isWaiting && !draft.checking && !draft.problem) send(name);
}

async function removeDraft(name, app) {
    await attempt(name, () => useField(name, { deed: "removeDraft", app }));
    backToText();
}

const taking = new Set();

/// Moves the text that an app has inserted to the text of the person, in the tab in front.
async function takeTexts(name, parts) {
    if (document.hidden || draftOf(name).edit) return;
    for (const { app, text } of parts) {
        const key = `${app} ${name}`;
        if (!text || taking.has(key)) continue;
        taking.add(key);
        await attempt(name, async () => {
            const taken = await ask("POST", at(name, "/field"), { deed: "takeText", app });
            const old = draftOf(name).text;
            if (taken?.text) write(name, old ? `${old}\n${taken.text}` : taken.text);
        });
        taking.delete(key);
    }
}

// Sending

/// What is wrong with the length of a text, or null.
function tooLong(text) {
    const length = lengthOf(text);
    return length <= TEXT_MAX ? null
        : `A text has at most ${number(TEXT_MAX)} characters, and this one has ${number(length)}.`;
}

async function send(name) {
    const draft = draftOf(name);
    draft.problem = tooLong(draft.text);
    if (draft.problem) return changed();
    if (draft.edit) return void (draft.text.trim() && !draft.isSending && saveEdit(name));
    const parts = state.fields.get(name)?.parts ?? [];
    const text = draft.text.trim() ? draft.text : null;
    const hasParts = parts.some((part) => part.draft || part.items);
    // A draft that is sent while another one is on its way, or a file is checked, waits for that.
    draft.isWaiting = draft.isSending || draft.checking > 0;
    if (draft.isWaiting || (!text && !hasParts && !draft.files.length)) return;
    draft.isSending = true;
    draft.problem = null;
    changed();
    await attempt(name, async () => {
        await sendFiles(name);
        if (!text && !hasParts) return;
        const reply = text ? draft.reply : null;
        await useField(name, {
            deed: "send", ...(text ? { text } : {}), ...(reply ? { reply: reply.session } : {}),
        });
        if (draft.reply === reply) draft.reply = null;
        // The transcript shows what an app that covered it has sent.
        const panel = hasParts ? openPanel(name) : null;
        if (panel?.style === "expanded") await useStyle(panel, "collapse");
        // Text that was typed while this one was on its way stays.
        const now = draftOf(name).text;
        if (text) write(name, now.startsWith(text) ? now.slice(text.length) : now);
    });
    draft.isSending = false;
    changed();
    if (draft.isWaiting && !draft.problem) send(name);
}
