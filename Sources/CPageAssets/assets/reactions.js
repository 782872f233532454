// Emoji on messages: the choice in the bar of a message, and the chips below the bubble.

import { h, iconButton } from "./elements.js";
import { canWrite, conversationNow, state } from "./model.js";
import { tell } from "./notes.js";
import { ask, at, words } from "./requests.js";

const EMOJI = ["👍", "❤️", "😂", "😮", "😢", "🎉"];
const LIST = new Intl.ListFormat("en-GB");

/// The emoji that this person has put on an entry; undefined if there is none.
const ownOn = ({ reactions = [] }) => reactions.find(isOwn)?.emoji;

const isOwn = ({ senders }) => senders.includes(conversationNow()?.me);

/// Puts an emoji on the message of an entry, or takes it off if it is this person's there.
async function toggle(entry, emoji) {
    const path = at(state.current, `/reactions/${encodeURIComponent(entry.id)}`);
    try {
        if (ownOn(entry) === emoji) await ask("DELETE", path);
        else await ask("PUT", path, { emoji });
    } catch (problem) {
        tell(words(problem));
    }
}

/// The button that opens the choice.
export function reactButton({ end }, bar) {
    return canWrite() && !end
        && iconButton("smile", "React", () => bar.turn("react"), { key: "react" });
}

/// The choice of an emoji, in the bar of a message.
export function choiceView(entry, bar) {
    const own = ownOn(entry);
    const choose = (emoji) => {
        bar.close();
        toggle(entry, emoji);
    };
    return [
        h("div", { key: "menu", class: "emoji-menu", role: "menu", "aria-label": "Emoji" },
            EMOJI.map((emoji) => h("button", {
                key: emoji, type: "button", class: "icon-button", role: "menuitemradio",
                "aria-checked": String(emoji === own), on: { click: () => choose(emoji) },
            }, emoji))),
        h("input", {
            key: "other", type: "text", class: "emoji-other", "aria-label": "Another emoji",
            placeholder: "😀", maxlength: "40", autocomplete: "off", enterkeyhint: "done",
            set: { value: own && !EMOJI.includes(own) ? own : "" },
            on: { keydown: (event) => {
                const text = event.target.value.trim();
                if (event.key !== "Enter" || event.isComposing || !text) return;
                event.preventDefault();
                choose(text);
            } },
        }),
    ];
}

/// The chips below the bubble of an entry.
export function chipsView(entry, participants) {
    if (!entry.reactions) return null;
    return h("div", { key: "chips", class: "chips", role: "group", "aria-label": "Reactions" },
        entry.reactions.map((reaction) => {
            const { emoji, senders } = reaction;
            const names = namesOf(senders, participants);
            return h("button", {
                key: emoji, type: "button", class: "chip", title: names,
                "aria-label": `${emoji}, ${names}`, "aria-pressed": String(isOwn(reaction)),
                on: { click: () => toggle(entry, emoji) },
            }, `${emoji} ${senders.length}`);
        }));
}

/// The names of those who chose an emoji, this person last.
function namesOf(senders, participants) {
    const people = senders.map((sender) =>
        participants.find(({ participant }) => participant === sender));
    const names = people.filter((each) => !each?.mine).map((each) => each?.name ?? "Someone");
    return LIST.format(names.length < people.length ? [...names, "you"] : names);
}
