// Requests to the node, and what people are told when one fails.

import { fetchProved } from "./proof.js";

/// Called when the node does not know this browser any more.
let signedOut = () => {};

export function whenSignedOut(act) {
    signedOut = act;
}

/// Asks the node; throws a problem with `message` and `hint` for people.
export async function ask(method, path, body) {
    const init = { method, headers: { Accept: "application/json" }, body };
    // The browser sends the type of a file along.
    if (body !== undefined && !(body instanceof Blob)) {
        init.body = JSON.stringify(body);
        init.headers["Content-Type"] = "application/json";
    }
    let response;
    try {
        response = await fetchProved(`/v1/${path}`, init);
    } catch {
        throw {
            error: "noNode", message: "This device's Parley does not answer.",
            hint: "What you have written stays here. Try again when it is back.",
        };
    }
    if (response.status === 401) signedOut();
    // An answer without JSON has nothing to tell beyond its status.
    const answer = await response.json().catch(() => null);
    if (response.ok) return answer;
    throw answer?.message ? answer : {
        error: "internal", message: `The request failed (${response.status}).`, hint: "",
    };
}

/// A problem in one line.
export function words(problem) {
    return [problem?.message ?? String(problem), problem?.hint].filter(Boolean).join(" ");
}

/// The path of a conversation, for `ask`.
export function at(conversation, rest = "") {
    return `conversations/${encodeURIComponent(conversation)}${rest}`;
}
