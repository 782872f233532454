// Replies: the message that is replied to above the input field, and the quotes over bubbles.

import { draftOf, focusText } from "./drafts.js";
import { h, iconButton, isolated } from "./elements.js";
import { isMessage } from "./entries.js";
import { canWrite, changed, loadEarlier, state } from "./model.js";
import { goTo } from "./near.js";
import { tell } from "./notes.js";

/// The most pages of earlier entries in which a message is looked for, and the pause while one is
/// on its way.
const [PAGES_MAX, PAUSE] = [40, 100];

/// The button that has the text in the input field reply to an entry.
export function replyButton(entry, bar) {
    return canWrite() && iconButton("reply", "Reply", () => {
        bar.close();
        draftOf(state.current).reply = entry;
        changed();
        focusText();
    }, { key: "reply" });
}

/// Replies to nothing any more.
export function endReply(name) {
    draftOf(name).reply = null;
    changed();
    focusText();
}

const whoIn = ({ mine, sender }) => mine ? "You" : sender.name ?? "Someone";

/// An entry in one line.
const lineOf = ({ label, layout, url, line }) => layout?.caption || label || url || line;

const words = (entry) => [
    h("b", { key: "who", dir: "auto" }, entry ? whoIn(entry) : null),
    h("span", { key: "line", dir: "auto" }, entry ? lineOf(entry) : "An earlier message"),
];

/// The message to which the text in the input field replies.
export function replyView(name) {
    const { reply } = draftOf(name);
    return reply && h("div", {
        key: "reply", class: "purpose", role: "group", "aria-label": "Reply",
    },
        h("p", { key: "quote", class: "quote" }, words(reply)),
        iconButton("close", "Cancel reply", () => endReply(name), { key: "cancel" }));
}

/// The entry to which another one replies, if it is among `entries`.
export function quotedBy({ reply }, entries) {
    return reply && entries.findLast((entry) => isMessage(entry) && entry.session === reply);
}

/// The quote over the bubble of a reply, which leads to its message.
export function quoteView(entry, quoted) {
    return entry.reply && h("button", {
        key: "quote", type: "button", class: "quote",
        "aria-label": quoted ? `Reply to ${isolated(whoIn(quoted))}: ${lineOf(quoted)}`
            : "Reply to an earlier message",
        on: { click: () => find(state.current, entry.reply) },
    }, words(quoted));
}

/// The number of the last way to a message: a newer one is where the person wants to go.
let lastWay = 0;

/// Goes to the message of a session, and loads earlier entries until it is there. Returns whether
/// it is, unless another conversation was opened meanwhile.
export async function reach(name, session) {
    const isHere = () => quotedBy({ reply: session }, state.transcripts.get(name)?.entries ?? []);
    let pages = 0;
    const way = ++lastWay;
    while (!isHere() && state.current === name) {
        const transcript = state.transcripts.get(name);
        if (transcript?.isLoading || !transcript?.isLoaded && !transcript?.problem) {
            await new Promise((done) => setTimeout(done, PAUSE));
        } else if (!transcript.next || pages === PAGES_MAX) {
            return false;
        } else {
            pages += 1;
            await loadEarlier(name);
        }
    }
    if (state.current === name && way === lastWay) goTo(session);
    return true;
}

async function find(name, session) {
    if (!await reach(name, session)) tell("That message is not on this device any more.");
}
