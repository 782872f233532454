// The search for messages in all conversations of the page, above their list or the people.

import { openDialog } from "./dialogs.js";
import { dayText, h, isolated, plain } from "./elements.js";
import { isDeleted } from "./hidden.js";
import { changed, state } from "./model.js";
import { reach } from "./quotes.js";
import { ask, words } from "./requests.js";

/// The milliseconds after a key in which another one may follow, and the most characters.
const [PAUSE, CHARACTERS_MAX] = [150, 256];
/// `found` is the last answer, and `number` that of the last question, as answers may overtake
/// each other.
const search = { text: "", found: null, problem: null, number: 0, timer: null };

/// The field for the words.
export function searchField() {
    return state.conversations.length > 0 && h("input", {
        key: "search", class: "search", type: "search", placeholder: "Search",
        "aria-label": "Search all messages", autocomplete: "off", enterkeyhint: "search",
        maxlength: CHARACTERS_MAX, set: { value: search.text },
        on: {
            // The node reads all messages for the first search: it may do so while somebody types.
            focus: () => ask("GET", "search").catch(() => {}),
            input: ({ currentTarget }) => look(currentTarget.value),
            keydown: (event) => {
                if (event.key !== "Escape" || !search.text) return;
                event.preventDefault();
                look("");
            },
        },
    });
}

function look(text) {
    search.text = text;
    clearTimeout(search.timer);
    if (text.trim()) search.timer = setTimeout(find, PAUSE);
    else Object.assign(search, { found: null, problem: null, number: search.number + 1 });
    changed();
}

async function find() {
    search.number += 1;
    const { number, text } = search;
    let answer;
    try {
        const found = await ask("GET", `search?limit=50&text=${encodeURIComponent(text.trim())}`);
        answer = { found, problem: null };
    } catch (problem) {
        answer = { found: null, problem };
    }
    if (number !== search.number) return;
    Object.assign(search, answer);
    changed();
}

/// Describes what was found, in place of the list, of conversations too if `linkView` describes them;
/// null if nothing is searched for.
export function foundView(go, linkView) {
    const text = search.text.trim();
    if (!text) return null;
    const { found, problem } = search;
    const named = linkView ? state.conversations.filter(({ name }) => isIn(name, text)) : [];
    const hits = (found?.hits ?? []).filter(({ conversation, session }) => !isDeleted(
        state.conversations.find(({ name }) => name === conversation), session));
    const note = problem ? words(problem) : !found ? "Searching…"
        : found.hasMore ? "These are the latest. Add a word to find earlier ones."
        : !found.isComplete ? "There is too much text: some was not searched."
        : hits.length + named.length ? `${hits.length + named.length} found` : "Nothing was found.";
    return h("section", { key: "found", class: "conversations", "aria-label": "Found" },
        h("ul", { key: "named" }, named.map((each) => linkView(each, go))),
        h("ul", { key: "hits" }, hits.map((hit) => hitView(hit, text, go))),
        h("p", { key: "note", class: "log-note", role: "status" }, note));
}

function hitView(hit, text, go) {
    const { conversation, session, sender, sentAt } = hit;
    return h("li", { key: `${conversation} ${session}` },
        h("button", {
            type: "button", class: "conversation hit", on: { click: () => open(hit, go) },
        },
            h("span", { class: "conversation-text" },
                h("span", { class: "conversation-head" },
                    h("span", { class: "conversation-name", dir: "auto" },
                        isolated(sender.name ?? "Someone"),
                        state.conversations.length > 1 && [" in ", plain(conversation)]),
                    h("span", { class: "meta" }, dayText(sentAt))),
                h("span", { class: "hit-text", dir: "auto" }, marked(hit.text, text)))));
}

async function open({ conversation, session }, go) {
    go(conversation);
    if (!await reach(conversation, session)) openDialog("found", { conversation, id: session });
}

const letters = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const isIn = (name, text) =>
    text.split(/\s+/).every((word) => letters(name).includes(letters(word)));

/// The text with the words of the search marked, whatever their case and accents.
function marked(text, search) {
    const exactly = (letter) => letter.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&") + "\\p{M}*";
    const some = letters(search.trim()).split(/\s+/).filter(Boolean)
        .map((word) => [...word].map(exactly).join(""));
    const parts = text.normalize("NFD").split(new RegExp(`(${some.join("|")})`, "giu"));
    return parts.map((part, index) => index % 2 ? h("mark", { key: index }, part) : part);
}
