// The proofs of the page and its node for one another, so that a cookie alone opens nothing.

/// The page's proof, for the last run of the node that has given its own; null before that.
let proof = null;
/// Whether it is still the node that answers, as far as the page can know.
let isSure = false;

/// Says that something else may answer from now on, as after the stream has broken.
export function doubt() {
    isSure = false;
}

/// A path of the node with the page's proof. The browser loads some paths without our header.
export const proved = (path) => `${path}${path.includes("?") ? "&" : "?"}proof=${proof}`;

/// Makes sure that the node has proved itself.
export const sure = async () => isSure || await prove({});

/// Fetches from the node, which has to prove itself first. The status is 401 if this browser is not
/// signed in; throws if something else answers in place of the node.
export async function fetchProved(path, init) {
    try {
        const response = isSure && await fetch(proved(path), init);
        // A node that has started anew does not know the proof of an earlier run.
        if (response && response.status !== 401) return response;
        if (!await prove(init)) return new Response(null, { status: 401 });
        return await fetch(proved(path), init);
    } catch (error) {
        doubt();
        throw error;
    }
}

/// Has the node prove that it has the key of this origin, and makes the page's proof. Returns
/// whether this browser is signed in.
async function prove({ signal }) {
    doubt();
    const nonce = hex(crypto.getRandomValues(new Uint8Array(16)));
    const response = await fetch(`/proof?nonce=${nonce}`, { signal });
    // A guest whose seat is gone is told so by a page for people.
    if (response.status === 401) return false;
    const answer = await response.json();
    // A refusal names no node.
    const key = localStorage.getItem(answer.node);
    if (!key) return false;
    const made = (...parts) => hmac(key, [location.origin, ...parts].join("\n"));
    if (answer.proof !== made("node", nonce, answer.run)) throw new Error("not the node");
    proof = made("page", answer.run);
    isSure = true;
    return true;
}

const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

// HMAC-SHA-256 of texts in ASCII. The browser's own exists at addresses of the loopback only.

function hmac(key, text) {
    const inner = sha256([...pad(key, 0x36), ...new TextEncoder().encode(text)]);
    return hex(sha256([...pad(key, 0x5c), ...inner]));
}

function pad(key, byte) {
    return Array.from({ length: 64 }, (_, at) => byte ^ (key.charCodeAt(at) || 0));
}

/// The first 32 bits of the fractional parts of roots of the first primes.
function roots(count, power) {
    const primes = [];
    for (let next = 2; !primes[count - 1]; next += 1) {
        if (primes.every((prime) => next % prime)) primes.push(next);
    }
    return primes.map((prime) => (prime ** power % 1) * 2 ** 32 | 0);
}

const ROUNDS = roots(64, 1 / 3);

/// The sum of a word that is turned to the right by each number of bits.
const turned = (word, ...bits) =>
    bits.reduce((sum, by) => sum ^ (word >>> by | word << 32 - by), 0);

function sha256(bytes) {
    const view = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64));
    [...bytes, 0x80].forEach((byte, at) => view.setUint8(at, byte));
    view.setUint32(view.byteLength - 4, bytes.length * 8);
    let state = roots(8, 1 / 2);
    for (let start = 0; start < view.byteLength; start += 64) {
        const words = [];
        let [a, b, c, d, e, f, g, i] = state;
        ROUNDS.forEach((round, at) => {
            const [two, old] = [words[at - 2], words[at - 15]];
            words[at] = at < 16 ? view.getInt32(start + at * 4)
                : words[at - 16] + words[at - 7] + (turned(old, 7, 18) ^ old >>> 3)
                    + (turned(two, 17, 19) ^ two >>> 10) | 0;
            const first = i + turned(e, 6, 11, 25) + (e & f ^ ~e & g) + round + words[at];
            const second = turned(a, 2, 13, 22) + (a & b ^ a & c ^ b & c);
            [a, b, c, d, e, f, g, i] = [first + second | 0, a, b, c, d + first | 0, e, f, g];
        });
        state = [a, b, c, d, e, f, g, i].map((word, at) => state[at] + word | 0);
    }
    return state.flatMap((word) => [24, 16, 8, 0].map((by) => word >>> by & 255));
}
