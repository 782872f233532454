// The column of people.

import { notifyingView } from "./bell.js";
import { openDialog } from "./dialogs.js";
import { face, h, iconButton, isolated } from "./elements.js";
import { seatView } from "./guest.js";
import { homeHint } from "./home.js";
import { mayChangeKeys } from "./members.js";
import { state } from "./model.js";
import { isThere, presenceOf, presenceText } from "./presence.js";
import { foundView, searchField } from "./search.js";

/// When each participant has written the last of the messages that were loaded.
function lastWritten(conversation) {
    const { entries } = state.transcripts.get(conversation) ?? { entries: [] };
    return new Map(entries.filter(({ sender }) => sender)
        .map(({ sender, sentAt }) => [sender.participant, sentAt]));
}

/// Describes the people of a conversation. A guest, who has no list of conversations, searches here.
export function peopleView(conversation, close, go) {
    const { name, participants } = conversation;
    const written = lastWritten(name);
    const found = state.guest && foundView(go);
    const inviters = new Map(state.peers.map(({ device, invitedBy }) =>
        [device, invitedBy?.[name]]));
    return h("aside", { key: "people", class: "people", "aria-label": "People" },
        h("header", { key: "bar", class: "bar" }, h("h2", null, found ? "Search" : "People"),
            iconButton("close", "Close people", close, { key: "close" })),
        state.guest && searchField(),
        found || h("ul", { key: "list", class: "devices" },
            listed(conversation, written, inviters)),
        !found && h("div", { key: "ways", class: "ways" },
            homeHint(),
            notifyingView(),
            mayChangeKeys(conversation) && h("button", {
                key: "keys", type: "button", class: "button",
                on: { click: () => openDialog("members", { conversation: name }) },
            }, "New keys…"),
            state.guest ? seatView() : h("button", {
                key: "leave", type: "button", class: "button danger",
                on: { click: () => openDialog("leave", { conversation: name }) },
            }, "Leave conversation")));
}

/// The participants, with the further devices of a person as `devices` of the first.
function grouped(participants) {
    const first = new Map();
    return participants.flatMap((each) => {
        const leader = each.person && first.get(each.person.id);
        if (leader) {
            leader.devices.push(each);
            return [];
        }
        const copy = { ...each, devices: [] };
        if (each.person) first.set(each.person.id, copy);
        return [copy];
    });
}

/// The people in rows, in which many guests of one device are folded below it.
function listed(conversation, written, inviters) {
    const participants = grouped(conversation.participants);
    const mayRemove = mayChangeKeys(conversation);
    const isFolded = ({ host, mine }) => host && !mine
        && participants.filter((other) => other.host === host && !other.mine).length > GUESTS_MAX;
    const row = (person) => person.devices.length
        ? ownerView(person, [person, ...person.devices].map((device) =>
            deviceRow({ ...device, isGrouped: true })))
        : deviceRow(person);
    const deviceRow = (person) =>
        personView(person, isFolded(person), written.get(person.participant),
            !person.host && !person.mine && inviters.get(person.device),
            mayRemove && !person.host && !person.mine && conversation.name);
    const folded = participants.filter(isFolded);
    const hosts = new Set(folded.map(({ host }) => host));
    const fold = (host) => hosts.delete(host)
        && foldView(host, folded.filter((person) => person.host === host), row);
    return [
        participants.filter((person) => !isFolded(person)).map((person) =>
            [row(person), !person.host && fold(person.name)]),
        [...hosts].map(fold),
    ];
}

/// The most guests of a device that are listed one by one.
const GUESTS_MAX = 8;

function foldView(host, guests, row) {
    const here = guests.filter(isThere).length;
    return h("li", { key: `guests of ${host}` }, h("details", { class: "fold" },
        h("summary", { key: "sum" }, `${guests.length} guests of ${isolated(host)}, ${here} here`),
        h("ul", { key: "list", class: "devices" }, guests.map(row))));
}

/// Describes a person with several devices, whose rows follow.
function ownerView({ person, mine, devices }, rows) {
    const isMe = mine || devices.some((each) => each.mine);
    return h("li", { key: `person ${person.id}`, class: "person" },
        h("b", { key: "name", dir: "auto" }, isolated(person.name),
            isMe && " (you)"),
        h("ul", { key: "list", class: "devices" }, rows));
}

/// Describes a person, who can be removed from `removable`, if that is a conversation.
function personView(person, isFolded, written, inviter, removable) {
    const { device } = person;
    return h("li", { key: person.participant, class: "device" },
        face(person, presenceOf(person)),
        h("span", { class: "device-text" },
            h("b", { dir: "auto" }, isolated(person.name ?? "Someone"),
                person.mine ? !person.isGrouped && " (you)"
                    : person.host && !isFolded && h("span", { class: "host" },
                        `, guest of ${isolated(person.host)}`)),
            h("span", { class: "meta" }, presenceText(person, written)),
            inviter && h("span", { class: "meta" }, `invited by ${isolated(inviter)}`)),
        removable && h("button", {
            key: "remove", type: "button", class: "button danger remove",
            "aria-label": `Remove ${person.name ?? "someone"}…`,
            on: { click: () => openDialog("members", { conversation: removable, device }) },
        }, "Remove…"));
}
