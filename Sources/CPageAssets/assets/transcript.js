// The transcript, as far as it is near the window: bubbles, cards, summaries, conflicts, delivery.

import {
    appIcon, clockText, face, h, icon, isolated, linked, linkTo, remember, webAddress,
} from "./elements.js";
import { isMessage } from "./entries.js";
import { lineView } from "./folds.js";
import { entriesOf } from "./hidden.js";
import { liveInputs, liveView } from "./live.js";
import { loadEarlier, state } from "./model.js";
import { entriesNear, toEnd } from "./near.js";
import { presenceOf } from "./presence.js";
import { proved } from "./proof.js";
import { quotedBy, quoteView } from "./quotes.js";
import { chipsView } from "./reactions.js";
import { sendingView } from "./sending.js";
import { placingOn, withStickers } from "./stickers.js";
import { barOn, stopAmong, toolbarView, touchable } from "./toolbar.js";
import { fileLine, offerView } from "./transfers.js";
import { isUnreadFrom, newDay, today, unreadLine } from "./unread.js";
import { openingView } from "./viewer.js";

const GROUP_MILLISECONDS = 10 * 60 * 1_000;

/// Describes the transcript of a conversation; `actions` are the things that a person can do there.
export function transcriptView(conversation, actions) {
    const transcript = state.transcripts.get(conversation.name);
    const entries = entriesOf(conversation);
    const { from, shown, unseen, isFar, props } = entriesNear(conversation.name, entries);
    const people = JSON.stringify(conversation.participants);
    const stop = stopAmong(shown);
    const newest = entries.findLast((entry) => entry.mine && isMessage(entry));
    const sending = isFar ? [] : sendingView(conversation.name);
    const log = h("div", {
        key: `log ${conversation.name}`, class: "log", role: "log", tabindex: "0",
        "aria-label": "Transcript", ...props,
    },
        transcript?.isLoaded && !entries.length && !sending.length
            ? actions.emptyView(conversation) : h("div", { class: "log-space", key: "space" }),
        transcript?.next && from === 0 && h("button", {
            key: "more", type: "button", class: "log-note",
            on: { click: ({ currentTarget }) => showEarlier(currentTarget, conversation.name) },
        }, "Show earlier messages"),
        transcript?.problem && h("p", { key: "problem", class: "log-note problem" },
            transcript.problem.message),
        shown.map((entry, index) => {
            const beside = [entries[from + index - 1], entries[from + index + 1]];
            const isNewest = entry === newest;
            const [isStop, isNew] = [entry.session === stop, isUnreadFrom(entry)];
            const quoted = quotedBy(entry, entries);
            const inputs = [
                ...beside, people, state.apps, isNewest, isStop, isNew, today(), barOn(entry),
                placingOn(entry), quoted, ...liveInputs(entry),
            ];
            const which = { isNewest, isStop, isNew, quoted };
            return remember(entry, inputs, () =>
                entryView(conversation, entry, ...beside, which, actions));
        }),
        sending);
    const pill = (unseen > 0 || isFar) && h("button", {
        key: "pill", type: "button", class: "pill", on: { click: toEnd },
    }, unseen ? `${unseen} new` : "To the newest");
    // Apps may draw headings in their bubbles, which are below this one.
    return [h("h2", { key: "heading", class: "unseen" }, "Messages"), log, pill];
}

// Entries

/// Loads entries before the first one. The button goes away when they come, so the transcript gets
/// the focus.
function showEarlier(button, name) {
    button.closest(".log").focus();
    loadEarlier(name);
}

function entryView(conversation, entry, previous, next, which, actions) {
    const { isNewest, isStop, isNew, quoted } = which;
    const time = [newDay(entry, previous), isLater(entry, previous)
        && h("p", { key: `time ${entry.id}`, class: "time" }, clockText(entry.sentAt)),
    isNew && unreadLine(entry)];
    if (!isMessage(entry)) {
        return [time, lineView(entry)];
    }
    const isFirst = startsGroup(entry, previous);
    const isLast = !next || startsGroup(next, entry);
    const [{ participants }, { sender }] = [conversation, entry];
    const person = participants.find((each) => each.participant === sender.participant) ?? sender;
    const name = sender.name ?? person.name ?? "Someone";
    const classes = ["entry", entry.mine ? "mine" : "theirs", isFirst && "first", isLast && "last",
        (entry.picture || entry.content === "app") && "wide"];
    return [
        time,
        h("article", {
            key: `message ${entry.session}`,
            class: classes.filter(Boolean).join(" "),
            "aria-label": nameOf(entry),
            "data-session": entry.session,
            "data-message": entry.id,
            ...touchable(entry, isStop),
        },
            isFirst && !entry.mine && participants.length > 2
                && h("p", { key: "who", class: "who", dir: "auto" }, name),
            quoteView(entry, quoted),
            h("div", { key: "line", class: "entry-line" },
                !entry.mine && h("span", { key: "face", class: "entry-face" },
                    isLast && face({ ...person, name }, presenceOf(person))),
                h("span", { key: "said", class: "unseen" },
                    entry.mine ? "You: " : `${isolated(name)}: `),
                withStickers(entry, [contentView(entry, actions), toolbarView(entry)])),
            chipsView(entry, participants),
            isNewest && entry.delivery && h("p", { key: "delivery", class: "delivery" },
                deliveryText(entry.delivery))),
    ];
}

function startsGroup(entry, previous) {
    return !previous || !isMessage(previous) || isLater(entry, previous)
        || previous.sender.participant !== entry.sender.participant;
}

function isLater(entry, previous) {
    return !previous?.sentAt
        || Math.abs(new Date(entry.sentAt) - new Date(previous.sentAt)) > GROUP_MILLISECONDS;
}

/// The name of an article, as a screen reader speaks it.
export function nameOf({ label, layout, url, line }) {
    return label || layout?.caption || url || line || "A message";
}

function contentView(entry, actions) {
    switch (entry.content) {
    case "text": return textView(entry.layout?.caption ?? entry.line, entry.edited);
    case "sticker": return entry.picture
        ? h("div", { key: "sticker", class: "sticker" }, pictureView(entry)) : fileView(entry);
    case "attachment": return entry.picture
        ? h("div", { key: "photo", class: "photo" }, pictureView(entry), openingView(entry))
        : fileView(entry);
    case "unreadable":
        return h("div", { key: "text", class: "bubble faint" }, "This cannot be opened here.");
    default: return cardView(entry, actions);
    }
}

/// One to three emoji and nothing else.
const EMOJI = new RegExp(["^(\\s*(\\p{RI}{2}|\\p{ExtPict}", "(\\p{EMod}|\\uFE0F|\\u200D\\p{ExtPict}",
    "|[\\u{E0020}-\\u{E007F}])*)){1,3}\\s*$"].join(""), "u");

/// A bubble with a text; emoji alone are large.
function textView(text, isEdited) {
    const isEmoji = text.length < 100 && EMOJI.test(text);
    return h("div", { key: "text", class: isEmoji ? "bubble is-emoji" : "bubble", dir: "auto" },
        linked(text), isEdited && h("span", { key: "edited", class: "edited" }, " edited"));
}

/// A file to save.
function fileView(entry) {
    const { file, line } = entry;
    if (file?.state && !file.here) return offerView(entry);
    const inside = fileLine(file?.name ?? line, file?.bytes);
    return file?.here && file.url?.startsWith("/files/")
        ? h("a", {
            key: "file", class: "bubble file", href: proved(file.url), download: file.name,
        }, inside)
        : h("div", { key: "file", class: "bubble file" }, inside);
}

/// A picture in its own proportions, between 1:2 and 2:1.
export function pictureView({ picture, label, layout }) {
    const ratio = picture.width && picture.height ? picture.width / picture.height : 1;
    const style = { "--ratio": String(Math.min(2, Math.max(0.5, ratio))) };
    if (!picture.here || !picture.url?.startsWith("/pictures/")) {
        return h("div", { key: "picture", class: "picture is-waiting", style },
            "The picture is on its way…");
    }
    return h("img", {
        key: picture.url, class: "picture", src: proved(picture.url), style, loading: "lazy",
        decoding: "async", draggable: "false", alt: label ?? layout?.caption ?? "Picture",
        width: picture.width, height: picture.height, on: { load: fitPicture },
    });
}

/// Gives a picture whose size the node does not know its own proportions, and lets the space beside
/// a very long or high one have the color of its edge.
function fitPicture({ currentTarget: image }) {
    const ratio = image.naturalWidth / image.naturalHeight;
    if (!ratio) return;
    if (!image.hasAttribute("width")) {
        image.style.setProperty("--ratio", String(Math.min(2, Math.max(0.5, ratio))));
    }
    if (ratio >= 0.5 && ratio <= 2) return;
    const area = document.createElement("canvas");
    [area.width, area.height] = [1, 1];
    const context = area.getContext("2d");
    context.drawImage(image, 0, 0, 1, 1, 0, 0, 1, 1);
    const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
    if (alpha === 255) image.style.setProperty("background", `rgb(${red} ${green} ${blue})`);
}

/// The layout of an app's message: the picture with its titles, and the four captions; the URL if
/// there is none of these, so that the card is not empty.
export function layoutView({ layout = {}, picture, file, label, url }) {
    const isEmpty = !picture && !file && !layout.caption && !layout.trailingCaption
        && !layout.subcaption && !layout.trailingSubcaption;
    const side = (name, text) => h("span", { class: name, dir: "auto" }, text);
    const pair = (name, left, right) => (left || right) && h("p", { key: name, class: name },
        side("lead", left), right && side("trail", right));
    return [
        file && !picture && fileView({ file }),
        picture && h("div", { key: "picture", class: "card-picture" },
            pictureView({ picture, label, layout }),
            (layout.imageTitle || layout.imageSubtitle) && h("div", { class: "scrim" },
                h("p", { class: "image-title", dir: "auto" }, layout.imageTitle),
                h("p", { class: "image-subtitle", dir: "auto" }, layout.imageSubtitle))),
        pair("caption", isEmpty ? url : layout.caption, layout.trailingCaption),
        pair("subcaption", layout.subcaption, layout.trailingSubcaption),
    ];
}

function cardView(entry, actions) {
    const app = state.apps.find(({ id }) => id === entry.appID);
    const appName = app?.name ?? entry.appName ?? entry.app ?? "An app";
    const url = entry.appID ? null : webAddress(entry.url);
    return h("div", { key: "card", class: `card${entry.myTurn ? " my-turn" : ""}` },
        entry.layout?.live && entry.appID
            ? liveView(state.current, entry, layoutView(entry)) : layoutView(entry),
        h("div", { key: "foot", class: "card-foot" },
            appIcon(app ?? { name: appName, id: entry.app }),
            h("span", { class: "app-name", dir: "auto" }, appName),
            entry.myTurn && h("span", { key: "turn", class: "turn" }, "Your turn"),
            entry.appID && h("button", {
                key: "open", type: "button", class: "card-open",
                on: { click: () => actions.tap(entry) },
            }, entry.way ? "Watch" : "Open"),
            entry.way === "join" && entry.appID && h("button", {
                key: "join", type: "button", class: "card-join",
                on: { click: () => actions.tap(entry, true) },
            }, "Join"),
            url && h("a", { class: "card-open", ...linkTo(url) }, `Open ${url.host}`, icon("out")),
            !entry.appID && !url && h("span", { class: "meta" }, "not on this device")),
        entry.conflict > 1 && h("button", {
            key: "conflict", type: "button", class: "conflict",
            on: { click: () => actions.showConflict(entry) },
        }, `${entry.conflict} moves at once`));
}

/// How far a message has come, in words. A message that was refused is not in the transcript: it is
/// in the input field again, with the reason.
export function deliveryText({ state: how, nodes, of }) {
    if (how !== "delivered" || !nodes) {
        if (state.guest) return `On ${state.guest.host}’s machine`;
        return of ? "Not delivered yet" : "Kept here";
    }
    if (of === 1) return "Delivered";
    return nodes < of ? `${nodes} of ${of} have it` : "Everybody has it";
}
