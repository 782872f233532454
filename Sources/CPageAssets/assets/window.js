// The title of the window, and its way back.

import { plain } from "./elements.js";
import { state } from "./model.js";
import { openPanel, useStyle } from "./panel.js";
import { requester } from "./pairing.js";

/// The title of the window: requests that wait for the person, or the name of the place.
export function titleText() {
    const asking = requester();
    if (asking) return `${plain(asking)} wants to pair – Parley`;
    const turn = turns()[0];
    if (turn) return `Your turn – ${plain(turn)}`;
    const unread = [...state.unread.values()].reduce((sum, count) => sum + count, 0);
    return `${unread ? `(${unread}) ` : ""}${plain(state.current ?? state.name)} – Parley`;
}

/// The conversations in which it is this person's turn.
function turns() {
    return state.conversations.filter(({ myTurn }) => myTurn).map(({ name }) => name);
}

/// Whether an app covers the transcript, as of the last drawing.
let wasCovered = false;

/// Lets Back lead from an app that covers the transcript to the transcript: such an app has a place
/// of its own in the history of the window.
export function keepWayBack() {
    const isCovered = openPanel(state.current)?.style === "expanded";
    if (isCovered === wasCovered) return;
    wasCovered = isCovered;
    if (isCovered && !history.state?.covers) history.pushState({ covers: true }, "");
    else if (!isCovered && history.state?.covers) history.back();
}

/// Uncovers the transcript if the window has gone back to that; returns whether it is still in the
/// conversation `name`.
export function uncovered(name) {
    if (name !== state.current) return false;
    const panel = openPanel(name);
    if (panel?.style === "expanded" && !history.state?.covers) useStyle(panel, "collapse");
    return true;
}
