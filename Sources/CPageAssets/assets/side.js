// The list of conversations, and what is beside it in the left column.

import { openDialog } from "./dialogs.js";
import { dayText, face, h, iconButton, isolated, plain } from "./elements.js";
import { lastOf } from "./hidden.js";
import { homeHint } from "./home.js";
import { state } from "./model.js";
import { isThere } from "./presence.js";
import { foundView, searchField } from "./search.js";
import { peopleLine } from "./welcome.js";

/// The left column; `go` opens a conversation.
export function sideView(go) {
    return h("nav", { key: "side", class: "side", "aria-label": "Conversations" },
        h("header", { key: "bar", class: "bar" },
            h("h1", { key: "name", class: "brand", dir: "auto" }, state.name),
            iconButton("link", "Join by link", () => openDialog("join"), { key: "join" }),
            iconButton("plus", "New conversation", () => openDialog("create"), { key: "create" })),
        searchField(),
        foundView(go, linkView)
            ?? h("ul", { key: "list", class: "conversations" },
                state.conversations.map((each) => linkView(each, go))),
        homeHint(),
        h("footer", { key: "foot", class: "side-foot" },
            iconButton("nearby", "Nearby", () => openDialog("nearby"), { isNamed: true }),
            state.nearby.length > 0 && h("span", { class: "meta" }, String(state.nearby.length))));
}

function linkView(conversation, go) {
    const { name, participants, myTurn: isTurn } = conversation;
    const last = lastOf(conversation);
    const unread = state.unread.get(name) ?? 0;
    const others = participants.filter((person) => !person.mine);
    const said = last && (last.content === "text" ? last.layout?.caption : last.line);
    const line = said ?? (others.length ? "No messages yet" : peopleLine(conversation));
    const isNamed = last && last.content !== "text" && line.includes(last.sender?.name ?? "\0");
    const who = !last || isNamed ? "" : last.mine ? "You: " : `${last.sender.name ?? "Someone"}: `;
    return h("li", { key: name },
        h("a", {
            class: unread ? "conversation has-unread" : "conversation",
            href: `/c/${encodeURIComponent(name)}`,
            "aria-label": name,
            "aria-description": conversation.open ? "Open: anybody can come in" : null,
            title: [isTurn && "Your turn", unread && `${unread} new`].filter(Boolean).join(", ")
                || null,
            "aria-current": name === state.current ? "page" : null,
            on: {
                click: (event) => {
                    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
                    event.preventDefault();
                    go(name);
                },
            },
        },
            face({ participant: name, name }, others.some(isThere) ? "here" : null),
            h("span", { class: "conversation-text" },
                h("span", { class: "conversation-head" },
                    h("span", { class: "conversation-name", dir: "auto" }, plain(name)),
                    conversation.open && h("span", { key: "open", class: "open-mark" }, "open"),
                    isTurn && h("span", { key: "turn", class: "badge" }, "Your turn"),
                    unread > 0 && h("span", { key: "new", class: "badge" }, String(unread)),
                    !isTurn && !unread && last
                        && h("span", { key: "day", class: "meta" }, dayText(last.sentAt))),
                h("span", { class: "conversation-line", dir: "auto" },
                    who && isolated(who), line))));
}
