// Requests to the node, and what people are told when one fails.

import { fetchProved } from "./proof.js";

/// Called when the node does not know this browser any more.
let signedOut = () => {};

export function whenSignedOut(act) {
    signedOut = act;
}

/// Called with the version of the node's page when it is not the one of this page.
let outdated = () => {};

export function whenOutdated(act) {
    outdated = act;
}

/// How people are told of the node: on the page of a guest it is that of somebody else.
export const node = { name: "This device’s Parley" };

/// The lead of the node's clock over the one here, in milliseconds; answers tell it in seconds.
export const clock = { ahead: 0, isKnown: false };

function setClock(date) {
    const ahead = Date.parse(date) - Date.now();
    if (Number.isNaN(ahead)) return;
    // A second is told from its start on, so the latest is the best, unless a clock was set.
    const isSet = ahead < clock.ahead - 2_000;
    if (!clock.isKnown || isSet || ahead > clock.ahead) {
        Object.assign(clock, { ahead, isKnown: true });
    }
}

/// The time after which a request is given up, and that of one with a file.
const PATIENCE = 15_000;
export const PATIENCE_WITH_FILE = 60_000;

/// The sentence for people about a node that does not answer in time.
export const late = (patience) => `${node.name} has not answered for ${patience / 1_000} seconds.`;

/// Asks the node; throws a problem with `message` and `hint` for people.
export async function ask(method, path, body) {
    const giveUp = new AbortController();
    const init = { method, headers: { Accept: "application/json" }, body, signal: giveUp.signal };
    // The browser sends the type of a file along.
    const isFile = body instanceof Blob;
    if (body !== undefined && !isFile) {
        init.body = JSON.stringify(body);
        init.headers["Content-Type"] = "application/json";
    }
    const patience = isFile ? PATIENCE_WITH_FILE : PATIENCE;
    const timer = setTimeout(() => giveUp.abort(), patience);
    let response, answer;
    try {
        response = await fetchProved(`/v1/${path}`, init);
        // An answer without JSON has nothing to tell beyond its status.
        answer = await response.text().then(JSON.parse).catch((error) => {
            if (!(error instanceof SyntaxError)) throw error;
            return null;
        });
    } catch {
        const isLate = giveUp.signal.aborted;
        throw {
            error: "noNode",
            message: isLate
                ? late(patience)
                : `${node.name} does not answer.`,
            hint: isLate && method !== "GET"
                ? "It may have done it nevertheless. What you have written stays here."
                : "What you have written stays here. Try again when it is back.",
        };
    } finally {
        clearTimeout(timer);
    }
    setClock(response.headers.get("Date"));
    const version = response.headers.get("X-Parley-Version");
    if (version && version !== document.documentElement.dataset.version) outdated(version);
    if (response.status === 401) signedOut();
    if (response.ok) return answer;
    throw answer?.message ? answer : {
        error: "internal", message: `The request failed (${response.status}).`, hint: "",
    };
}

/// A problem in one line, without the commands of a hint, which are for terminals.
export function words(problem) {
    const hint = problem?.hint?.replace(/(^See)?: parley (?!node).*/, (_, see) => see ? "" : ".");
    return [problem?.message ?? String(problem), hint].filter(Boolean).join(" ");
}

/// The path of a conversation, for `ask`.
export function at(conversation, rest = "") {
    return `conversations/${encodeURIComponent(conversation)}${rest}`;
}
