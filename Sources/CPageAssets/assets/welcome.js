// First steps: what to do where there is no conversation, nobody else, or no message yet.

import { discoveryTrouble, openDialog } from "./dialogs.js";
import { tilesView } from "./drawer.js";
import { h, iconButton, isolated } from "./elements.js";
import { state } from "./model.js";
import { isThere, presenceText } from "./presence.js";

/// The state of a conversation that was joined and whose people are not there yet.
function joiningText() {
    return discoveryTrouble() ? "The others were not found yet" : "Looking for the others…";
}

/// The people in a conversation in one line.
export function peopleLine(conversation) {
    const line = othersLine(conversation);
    return state.guest ? `You are ${isolated(state.guest.name)} · ${line}` : line;
}

function othersLine({ participants, joining }) {
    const others = participants.filter((person) => !person.mine);
    if (!others.length) return joining ? joiningText() : "Only you";
    const here = others.filter(isThere).length;
    const names = others.map((person) => isolated(person.name ?? "Someone")).join(", ");
    if (here && here < others.length) return `${names} – ${here} of ${others.length} here`;
    if (here || state.connection !== "connected") return names;
    const [silent] = others.filter(({ presence }) => presence === "unresponsive");
    return `${names} – ${silent && others.length === 1 ? presenceText(silent) : "away"}`;
}

/// Describes the first steps in a conversation without messages. `open` opens an app; it is null
/// while the apps are offered elsewhere or one is open.
export function emptyView({ name, participants, joining }, open) {
    const own = participants.find(({ mine }) => mine)?.person?.id;
    const isAlone = participants.every(({ mine, person }) => mine || own && person?.id === own);
    const [title, line] = joining
        ? [joiningText(), discoveryTrouble() ?? "You are in. As soon as this device "
            + "finds one of theirs on this network, they are here."]
        : isAlone
            ? ["Nobody else is here yet", "Invite somebody with a link, or let phones in."]
            : [state.guest ? `Hello, ${isolated(state.guest.name)}` : "Say hello, or play", "Write something below, or begin with one of the apps."];
    return h("div", { key: "empty", class: "empty" },
        h("h2", { key: "title" }, title),
        h("p", { key: "line" }, line),
        isAlone && !joining && !state.guest && iconButton("invite", "Invite", () =>
            openDialog("invite", { conversation: name }),
        { key: "invite", isNamed: true, class: "button primary" }),
        open && tilesView(open, true));
}

/// Describes the middle column while no conversation is open.
export function welcomeView() {
    const isGone = state.current !== null;
    return h("main", { key: "welcome", class: "main welcome" },
        h("div", { class: "empty" },
            h("h2", { key: "title" }, isGone ? "That conversation is not on this device"
                : state.conversations.length ? "Choose a conversation" : "Welcome to Parley"),
            h("p", { key: "line" }, "Messages and games between the devices of this network."),
            !state.guest && h("div", { key: "ways", class: "ways" },
                iconButton("plus", "New conversation", () => openDialog("create"),
                    { isNamed: true, class: "button primary" }),
                iconButton("link", "Join by link", () => openDialog("join"), { isNamed: true }),
                !state.conversations.length
                    && iconButton("nearby", "Nearby", () => openDialog("nearby"),
                        { key: "nearby", isNamed: true }))));
}
