// The column of people, and notifications of one's turn.

import { openDialog } from "./dialogs.js";
import { face, h, iconButton, isolated, presenceOf, timeText } from "./elements.js";
import { changed } from "./model.js";

const PRESENCES = { here: "here", reachable: "does not answer at the moment", away: "away" };

function presenceText(person) {
    if (person.mine) return "this device";
    return person.seen ? `last seen ${timeText(person.seen)}` : PRESENCES[presenceOf(person)];
}

/// Describes the people of a conversation.
export function peopleView({ name, participants }, close) {
    return h("aside", { key: "people", class: "people", "aria-label": "People" },
        h("header", { key: "bar", class: "bar" }, h("h2", null, "People"),
            iconButton("close", "Close people", close, { key: "close" })),
        h("ul", { key: "list", class: "devices" }, participants.map((person) =>
            h("li", { key: person.participant, class: "device" },
                face(person, presenceOf(person)),
                h("span", { class: "device-text" },
                    h("b", { dir: "auto" }, isolated(person.name ?? "Someone"),
                        person.mine && " (you)"),
                    h("span", { class: "meta" }, presenceText(person)))))),
        h("div", { key: "ways", class: "ways" },
            window.Notification?.permission === "default" && h("button", {
                key: "notify", type: "button", class: "button",
                on: { click: askToNotify },
            }, "Notify me on my turn"),
            h("button", {
                key: "leave", type: "button", class: "button danger",
                on: { click: () => openDialog("leave", { conversation: name }) },
            }, "Leave conversation")));
}

async function askToNotify() {
    await Notification.requestPermission();
    changed();
}

/// Notifies of a message that makes it this person's turn, unless the page is looked at; `show`
/// opens its conversation.
export function notifyOfTurn(conversation, entry, show) {
    if (!entry.myTurn || window.Notification?.permission !== "granted") return;
    if (!document.hidden && document.hasFocus()) return;
    const note = new Notification(`Your turn – ${conversation}`,
        { body: entry.line, tag: `turn ${entry.session}` });
    note.onclick = () => {
        window.focus();
        note.close();
        show(conversation);
    };
}
