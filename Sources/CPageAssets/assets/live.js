// Bubbles that apps draw themselves, in the cards of the transcript that are near the window.

import { h } from "./elements.js";
import { changed, EVENTS, state } from "./model.js";
import { ask, at, words } from "./requests.js";
import { viewOf } from "./views.js";

const HEIGHT_MAX = 400;
const HEIGHT_LEAST = 64;

/// The bubbles that apps draw, by the ID of the message.
const bubbles = new Map();
/// The last problem in each bubble, by the ID of the message.
const problems = new Map();
/// The messages whose bubbles are near the window, each with its element.
const near = new Map();

/// The values on which the view of a message depends: it is described again when one changes.
export function liveInputs({ id }) {
    return [bubbles.get(id), problems.get(id)];
}

/// Describes the bubble of a message with a live layout; `alternate` is shown until the app draws.
export function liveView(conversation, entry, alternate) {
    const bubble = bubbles.get(entry.id);
    const problem = problems.get(entry.id);
    return h("div", {
        key: `live ${entry.id}`,
        class: "live",
        style: { "--live-height": `${Math.max(HEIGHT_LEAST, bubble?.height ?? 0)}px` },
        made: (element) => {
            element.live = { conversation, message: entry.id };
            watcher.observe(element);
        },
    },
        bubble?.tree
            ? h("div", { key: "drawn", class: "live-drawn" },
                viewOf(bubble.tree, (...action) => act(bubble, ...action)))
            : alternate,
        problem && h("p", { key: "problem", class: "problem live-problem", role: "status" },
            problem));
}

const watcher = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
        const { message } = target.live;
        if (!target.isConnected) watcher.unobserve(target);
        if (!isIntersecting) {
            if (near.get(message) === target) near.delete(message);
            continue;
        }
        near.set(message, target);
        if (!bubbles.get(message)?.tree) draw(target);
    }
}, { rootMargin: "200px" });

/// Asks the app to draw a bubble in the width of its card.
async function draw(element) {
    const { conversation, message } = element.live;
    try {
        await use(conversation, message, element, { deed: "open" });
    } catch {
        // The alternate layout stays, as where the app is missing.
    }
}

async function use(conversation, message, element, request) {
    const width = Math.max(1, Math.round(element?.clientWidth ?? 260));
    const path = at(conversation, `/live/${encodeURIComponent(message)}`);
    take(await ask("POST", path, { ...request, width, height: HEIGHT_MAX }));
}

function take(bubble) {
    const old = bubbles.get(bubble.message);
    if (old && old.serial > bubble.serial) return;
    if (bubble.tree) bubbles.set(bubble.message, bubble);
    else bubbles.delete(bubble.message);
    if (!bubble.tree) problems.delete(bubble.message);
    changed();
}

/// Carries out an action; returns whether the app has taken it.
async function act({ conversation, message, version }, node, kind, value) {
    const request = { deed: "act", node: node.id, version, kind };
    if (kind === "draw") request.stroke = value;
    else if (value !== undefined) request.text = value;
    try {
        await use(conversation, message, near.get(message), request);
        problems.delete(message);
        return true;
    } catch (problem) {
        // A message that was replaced has no bubble any more, which is no failure of the action.
        const isOver = problem.error === "unknownMessage" || problem.error === "nothingThere";
        if (!isOver) {
            problems.set(message, problem.error === "staleAction"
                ? "That has changed a moment ago, so nothing was done." : words(problem));
        }
        return isOver;
    } finally {
        changed();
    }
}

EVENTS.live = (bubble) => {
    take(bubble);
    // The node has closed it, perhaps because no page was there: one in sight is drawn again.
    const element = near.get(bubble.message);
    if (bubble.tree || !element?.isConnected) return;
    const entries = state.transcripts.get(bubble.conversation)?.entries ?? [];
    if (entries.some(({ id, kind }) => id === bubble.message && kind === "message")) draw(element);
};
