// Pairing: two people compare six digits, and a conversation is shared without a link.

import { h, iconButton, isolated } from "./elements.js";
import { changed, state } from "./model.js";
import { ask, words } from "./requests.js";

/// The choice of the person before the other device is asked: the device, what to share, and what
/// went wrong; null if nothing is chosen.
let choice = null;
/// The pairings whose end this page tells, by their IDs.
const followed = new Set();

const NOTHING = "nothing";
const ANEW = "anew";
const OWN = "own";

const nameOfDevice = ({ name, device }) => name ?? device.slice(0, 7);

/// Whether an answer is on its way.
let isAnswering = false;

/// Answers the request of another device. Nothing is asked if that device shares a conversation.
async function answer(pairing) {
    if (!pairing.shares || pairing.own) return choosePairing(pairing);
    if (isAnswering) return;
    isAnswering = true;
    try {
        followed.add((await ask("POST", "pairings", { device: pairing.device })).id);
    } catch (problem) {
        choosePairing(pairing);
        choice.problem = problem;
    }
    isAnswering = false;
    changed();
}

/// The device that asks to pair, or undefined.
export function requester() {
    const asking = state.pairings.find(({ stage }) => stage === "asked");
    return asking && nameOfDevice(asking);
}

/// Begins to pair with a device of the list of those nearby.
export function choosePairing({ device, name, shares = false, own: isOwn = false }) {
    const own = state.conversations.filter(({ role, open }) => role !== "relay" && !open);
    const current = own.find((each) => each.name === state.current) ?? own[0];
    choice = {
        device, name, shares, own: own.map((each) => each.name), isBusy: false, problem: null,
        share: isOwn ? OWN : shares ? NOTHING : current ? `=${current.name}` : ANEW,
    };
    changed();
}

async function startPairing(event) {
    event.preventDefault();
    const chosen = choice;
    if (!chosen || chosen.isBusy) return;
    chosen.isBusy = true;
    chosen.problem = null;
    changed();
    try {
        const request = { device: chosen.device };
        if (chosen.share === OWN) request.own = true;
        else if (chosen.share === ANEW) request.conversation = await makeConversation(chosen);
        else if (chosen.share !== NOTHING) request.conversation = chosen.share.slice(1);
        followed.add((await ask("POST", "pairings", request)).id);
        choice = null;
    } catch (problem) {
        chosen.problem = problem;
    }
    chosen.isBusy = false;
    changed();
}

/// Makes a conversation for two; a failed try does not make another one.
async function makeConversation(chosen) {
    chosen.made ??= (await ask("POST", "conversations", { name: nameForTwo(chosen) })).name;
    return chosen.made;
}

function nameForTwo(other) {
    const base = `${state.name} and ${nameOfDevice(other)}`.slice(0, 28);
    const taken = new Set(state.conversations.map(({ name }) => name));
    for (let count = 1; ; count += 1) {
        const name = count === 1 ? base : `${base} ${count}`;
        if (!taken.has(name)) return name;
    }
}

// Views

/// The requests of other devices, which do not take the focus from what is being typed.
export function requestsView() {
    if (choice) return null;
    return state.pairings.filter(({ stage }) => stage === "asked").map((pairing) =>
        h("section", { key: `request ${pairing.id}`, class: "request",
            "aria-label": "Pairing request" },
        h("p", { dir: "auto", role: "alert" }, h("b", null, isolated(nameOfDevice(pairing))),
            pairing.own ? " says it is another device of yours."
                : pairing.shares ? " wants to share a conversation with you." : " wants to pair."),
        h("button", {
            type: "button", class: "button primary",
            on: { click: () => answer(pairing) },
        }, "Answer"),
        h("button", {
            type: "button", class: "button",
            on: { click: () => endPairing(pairing) },
        }, "Not now")));
}

/// The dialog of the pairing that is under way, or whose end this page tells.
export function pairingView(actions) {
    if (choice) return pairingDialog("choice", choice, pairingChoiceView(), () => (choice = null));
    const pairing = state.pairings.find(({ stage }) => ["waiting", "comparing"].includes(stage))
        ?? state.pairings.find(({ id, ended, stage }) =>
            ended && stage !== "cancelled" && followed.has(id));
    if (!pairing) return null;
    if (!pairing.ended) followed.add(pairing.id);
    const { stage } = pairing;
    const view = stage === "waiting" ? waitingView(pairing)
        : stage === "comparing" ? comparingView(pairing)
            : pairingEndView(pairing, actions);
    return pairingDialog(`pairing ${pairing.id}`, pairing, view, () => endPairing(pairing));
}

function pairingDialog(key, other, body, leave) {
    const close = (event) => event.target.closest("dialog").close();
    const verb = other.own === true ? "Link" : "Pair with";
    return h("dialog", {
        key: `dialog ${key}`, class: "dialog dialog-pairing",
        "aria-label": `${verb} ${nameOfDevice(other)}`,
        made: (element) => element.showModal(),
        on: {
            close: () => {
                leave();
                changed();
            },
        },
    },
        h("div", { key: "bar", class: "dialog-bar" },
            h("h2", { key: "title", dir: "auto" }, `${verb} `, isolated(nameOfDevice(other))),
            iconButton("close", "Close", close, { key: "close" })),
        h("div", { key: "body", class: "dialog-body" }, body,
            other.problem && h("p", { key: "problem", class: "problem", role: "alert" },
                words(other.problem))));
}

function pairingChoiceView() {
    const name = isolated(nameOfDevice(choice));
    const option = (value, text) =>
        h("option", { key: value, value, selected: value === choice.share }, text);
    return h("form", { key: "choice", class: "dialog-form", on: { submit: startPairing } },
        h("p", { key: "why" }, choice.share === OWN
            ? "Each of your devices then has all conversations of the other. Compare the six digits."
            : choice.shares
            ? "Both screens will show six digits. Compare them with each other."
            : "You will both see six digits to compare. Then a conversation is shared, "
                + "without a link to copy."),
        !choice.shares && h("label", { key: "share", class: "field" },
            h("span", { class: "field-label" }, "Share"),
            h("select", {
                "aria-label": "Share", autofocus: true,
                on: {
                    change: (event) => {
                        choice.share = event.target.value;
                        changed();
                    },
                },
            },
                choice.own.map((each) => option(`=${each}`, each)),
                option(ANEW, `A new conversation with ${name}`),
                option(NOTHING, `Nothing: ${name} shares one`),
                option(OWN, `Everything: ${name} is mine too`))),
        h("button", { key: "submit", type: "submit", class: "button primary" },
            choice.share === OWN ? "Link my device" : "Pair"));
}

function waitingView(pairing) {
    return [
        h("p", { key: "wait", role: "status" }, "Waiting for ", isolated(nameOfDevice(pairing)),
            ". Somebody has to answer there."),
        h("div", { key: "ways", class: "ways" }, cancelPairingButton(pairing)),
    ];
}

function comparingView(pairing) {
    const digits = `${pairing.digits.slice(0, 3)} ${pairing.digits.slice(3)}`;
    return [
        h("p", { key: "question" }, "Does the screen of ", isolated(nameOfDevice(pairing)),
            " show the same digits?"),
        h("output", {
            key: "digits", class: "digits", "aria-label": `Digits ${[...pairing.digits].join(" ")}`,
        }, digits),
        pairing.own && h("p", { key: "own" }, isolated(nameOfDevice(pairing)),
            " then gets all your conversations, and counts as you."),
        pairing.confirmed
            ? h("p", { key: "wait", role: "status" }, pairing.own
                ? "Waiting for the other device." : "Waiting for the other person to confirm.")
            : h("p", { key: "else", class: "meta" },
                "If they differ, somebody is between you: cancel."),
        h("div", { key: "ways", class: "ways" },
            !pairing.confirmed && h("button", {
                key: "match", type: "button", class: "button primary",
                on: { click: () => askPairing(pairing, "POST", "/confirm") },
            }, "They match"),
            cancelPairingButton(pairing)),
    ];
}

function pairingEndView(pairing, actions) {
    const { joined } = pairing;
    const isLinked = pairing.stage === "linked";
    const isDone = pairing.stage === "done" || isLinked;
    const leave = (event) => event.target.closest("dialog").close();
    return [
        h("p", { key: "end", role: "status", dir: "auto" }, isDone
            ? isLinked ? linkedText(pairing)
                : joined ? `Paired. You are in “${isolated(joined)}” now.`
                : "Paired. The conversation is shared."
            : words(pairing)),
        h("div", { key: "ways", class: "ways" }, h("button", {
            key: "done", type: "button", class: "button primary",
            on: {
                click: (event) => {
                    leave(event);
                    if (joined) actions.choose(joined);
                },
            },
        }, joined ? "Open" : "Done")),
    ];
}

const linkedText = ({ person }) => `Linked. Both devices are ${isolated(person)} now. `
    + "Each gets the conversations of the other.";

function cancelPairingButton(pairing) {
    return h("button", {
        key: "cancel", type: "button", class: "button", on: { click: () => endPairing(pairing) },
    }, "Cancel");
}

// Actions

/// Ends a pairing, or forgets how it ended.
function endPairing(pairing) {
    if (pairing.ended) followed.delete(pairing.id);
    return askPairing(pairing, "DELETE", "");
}

async function askPairing(pairing, method, rest) {
    try {
        await ask(method, `pairings/${encodeURIComponent(pairing.id)}${rest}`);
    } catch (problem) {
        // An event tells if the pairing has ended meanwhile.
        if (problem.error !== "unknownPairing") pairing.problem = problem;
    }
    changed();
}
