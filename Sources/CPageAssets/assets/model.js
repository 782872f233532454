// The page's copy of its node: everything that is drawn follows from `state`.

import { takeIcons } from "./elements.js";
import { inTime, isMessage, take, takeFile } from "./entries.js";
import { ask, at, whenOutdated, whenSignedOut } from "./requests.js";
import { follow, leave, listen } from "./stream.js";

export const state = {
    /// connecting, connected, reconnecting, or signedOut.
    connection: "connecting", isLoaded: false,
    /// The version of the node's page if it is another one than that of this page, or null.
    newVersion: null,
    /// The name of the node, and the seat of the guest whose page this is, or null.
    name: "", guest: null,
    conversations: [],
    apps: [],
    /// The devices nearby, the node's search for them, the pairings that go on or have ended, and
    /// the devices with a present or former link.
    nearby: [], discovery: {}, pairings: [], peers: [],
    /// The screens of apps, by conversation and app.
    panels: new Map(),
    /// The parts of the input fields that apps have staged, by conversation.
    fields: new Map(),
    /// The transcripts that were opened, by conversation.
    transcripts: new Map(),
    /// The numbers of messages that have arrived out of sight, by conversation.
    unread: new Map(),
    /// The name of the conversation that is open, or null.
    current: null,
};

const [watchers, arrivals] = [new Set(), new Set()];
let isDue = false;

/// Calls `watcher` before the next frame after every change.
export const watch = (watcher) => watchers.add(watcher);

/// Calls `arrival(conversation, entry)` with each message of somebody else, and each nudge.
export const whenArrived = (arrival) => arrivals.add(arrival);
const arrived = (...news) => arrivals.forEach((arrival) => arrival(...news));

/// Something that is drawn has changed.
export function changed() {
    if (isDue) return;
    isDue = true;
    // A page out of sight gets no frames, but its title has to change nevertheless.
    if (document.hidden) setTimeout(callWatchers);
    else requestAnimationFrame(callWatchers);
}

function callWatchers() {
    if (!isDue) return;
    isDue = false;
    for (const watcher of watchers) watcher();
}

// A page that is hidden while it waits for a frame does not get that frame.
document.addEventListener("visibilitychange", callWatchers);

// The stream

/// The ID of the last event that `state` includes.
let position = "";
/// The events that came while everything is being loaded, or null.
let waiting = null;

whenSignedOut(() => {
    state.connection = "signedOut";
    leave();
    changed();
});

whenOutdated((version) => {
    state.newVersion = version;
    changed();
});

function connection(value) {
    if (state.connection === "signedOut" || state.connection === value) return;
    state.connection = value;
    changed();
}

/// Loads everything but transcripts, and follows from there.
export async function start() {
    listen({
        types: Object.keys(EVENTS), position: () => position, take: takeEvent,
        connected: () => waiting || connection("connected"),
        refused: () => setTimeout(start, 500),
        lost: () => connection("reconnecting"),
    });
    try {
        await loadAgain();
        follow();
    } catch {
        connection("reconnecting");
        if (state.connection !== "signedOut") setTimeout(start, 1_500);
    }
}

async function load() {
    const page = await ask("GET", "page");
    position = page.event;
    takeIcons(page.icons ?? {});
    Object.assign(state, {
        isLoaded: true, name: page.name, guest: page.guest ?? null, apps: page.apps ?? [],
        conversations: page.conversations ?? [], nearby: page.nearby ?? [],
        pairings: page.pairings ?? [], discovery: page.discovery ?? {}, peers: page.peers ?? [],
    });
    state.panels = new Map((page.panels ?? []).map((panel) => [panelKey(panel), panel]));
    state.fields = new Map((page.fields ?? []).map((field) => [field.conversation, field]));
    changed();
}

/// Loads everything; events that come meanwhile are taken after it.
async function loadAgain() {
    if (waiting) return;
    waiting = [];
    let events = [];
    try {
        await (state.isLoaded ? load().then(loadTranscripts) : load());
        events = waiting;
    } finally {
        waiting = null;
    }
    events.forEach(takeEvent);
}

/// Takes an event unless `state` includes it. The numbers of a node's events have no gap: if there
/// is one, this tab missed something, and loads everything.
function takeEvent(event) {
    if (waiting) return void waiting.push(event);
    const { type, data, id } = event;
    if (!id) return;
    const [[ring, number], [ownRing, ownNumber]] = [id, position].map((each) => each.split("-"));
    const ahead = ring === ownRing ? number - ownNumber : Infinity;
    if (ahead <= 0 && type !== "reset") return;
    if (type === "reset" || ahead > (type === "beat" ? 0 : 1)) {
        // A failed attempt is repeated with the next event.
        return void loadAgain().catch(() => {});
    }
    position = id;
    EVENTS[type](JSON.parse(data));
    changed();
}

export const EVENTS = {
    reset: () => {},
    conversations: (list) => {
        // A guest who has just lost the seat may still read what is there.
        if (state.guest && !list.length) return;
        const last = new Map(state.conversations.map((each) => [each.name, each.last]));
        state.conversations = list.map((each) => ({ last: last.get(each.name), ...each }));
    },
    ...Object.fromEntries(["nearby", "pairings", "discovery", "peers"].map((name) =>
        [name, (value) => (state[name] = value)])),
    entry: ({ conversation, entry, again }) => {
        const transcript = state.transcripts.get(conversation);
        const isLast = becomesLast(conversation, entry, again);
        const isNew = transcript?.isLoaded ? take(transcript, entry, again) : isLast;
        transcript?.missed?.push(() => take(transcript, entry, again));
        if (!isNew || entry.mine || entry.kind !== "message") return;
        if (conversation !== state.current || document.hidden) {
            state.unread.set(conversation, (state.unread.get(conversation) ?? 0) + 1);
        }
        arrived(conversation, entry);
    },
    delivery: ({ conversation, id, delivery }) => change(conversation, ({ entries }) => {
        const at = entries.findLastIndex((entry) => entry.id === id);
        if (at >= 0) entries[at] = { ...entries[at], delivery };
    }),
    file: (event) => change(event.conversation, (transcript) => takeFile(transcript, event)),
    nudge: ({ conversation, session, name }) => {
        const line = `${name} waits for your move.`;
        arrived(conversation, { session, sender: { name }, line, isNudge: true });
    },
    panel: takePanel,
    field: (field) => void state.fields.set(field.conversation, field),
};

/// Changes a transcript, and once more if it is on its way.
function change(name, take) {
    const transcript = state.transcripts.get(name);
    if (transcript) take(transcript);
    transcript?.missed?.push(() => take(transcript));
}

/// Loads the open transcript; the others are loaded when they are opened.
async function loadTranscripts() {
    const { current } = state;
    const others = [...state.transcripts.keys()].filter((name) => name !== current);
    for (const name of others) state.transcripts.delete(name);
    if (current) await loadTranscript(current);
}

/// The conversation that is open, if it is known.
export const conversationNow = () =>
    state.conversations.find(({ name }) => name === state.current);

/// Whether the person can write in it, and not only read.
export const canWrite = () => conversationNow()?.role === "writer" && !conversationNow().absence
    && state.connection !== "signedOut";

// Transcripts

/// Opens a conversation.
export function choose(name) {
    state.current = name;
    if (name) state.unread.delete(name);
    if (name && !state.transcripts.has(name)) loadTranscript(name);
    changed();
}

async function loadTranscript(name) {
    // Entries that change while the answer is on its way are applied after it.
    const old = state.transcripts.get(name);
    const transcript = { entries: old?.entries ?? [], next: null, isLoaded: false, missed: [] };
    state.transcripts.set(name, transcript);
    try {
        const page = await ask("GET", at(name, "/entries?limit=50"));
        transcript.entries = inTime(page.entries);
        transcript.next = page.next ?? null;
        transcript.isLoaded = true;
        for (const takeMissed of transcript.missed) takeMissed();
    } catch (problem) {
        transcript.problem = problem;
        if (problem.error === "noNode") setTimeout(() => loadTranscript(name), 1_500);
    }
    transcript.missed = null;
    changed();
}

/// Loads entries before the ones that are there.
export async function loadEarlier(name) {
    const transcript = state.transcripts.get(name);
    if (!transcript?.next || transcript.isLoading) return;
    transcript.isLoading = true;
    try {
        const before = encodeURIComponent(transcript.next);
        const page = await ask("GET", at(name, `/entries?limit=200&before=${before}`));
        // A session that has moved towards the start is here already.
        const known = new Set(transcript.entries.map((entry) => entry.id));
        for (const entry of transcript.entries.filter(isMessage)) known.add(entry.session);
        const earlier = page.entries.filter((entry) =>
            !known.has(entry.id) && !(isMessage(entry) && known.has(entry.session)));
        transcript.entries.unshift(...inTime(earlier));
        transcript.next = page.next ?? null;
    } catch {
        await new Promise((done) => setTimeout(done, 1_500));
    }
    transcript.isLoading = false;
    changed();
}

/// Keeps the last message of a conversation for the list; returns whether this is a new one.
function becomesLast(conversation, entry, again) {
    const found = state.conversations.find(({ name }) => name === conversation);
    const isSame = found?.last?.session === entry.session;
    if (entry.kind === "gone" && isSame) findLast(found);
    if (!found || !isMessage(entry) || found.last?.sentAt > entry.sentAt) return false;
    const isNew = found.last?.id !== entry.id;
    if (isNew && again && !isSame) return false;
    found.last = entry;
    return isNew && !again;
}

/// Finds the last message of a conversation after its author took the one back that was it.
async function findLast(found) {
    found.last = null;
    const page = await ask("GET", at(found.name, "/entries?limit=50")).catch(() => null);
    found.last ??= page?.entries.findLast(isMessage);
    changed();
}

// Apps

const panelKey = ({ conversation, app }) => `${app.id} ${conversation}`;

/// Takes the screen of an app, unless a later one is there.
export function takePanel(panel) {
    if (state.panels.get(panelKey(panel))?.serial > panel.serial) return;
    state.panels.set(panelKey(panel), panel);
    changed();
}

/// Does something with an app, and shows its screen.
export async function useApp(conversation, app, request) {
    const path = at(conversation, `/apps/${encodeURIComponent(app)}/panel`);
    const panel = await ask("POST", path, request);
    if (panel) takePanel(panel);
    return panel;
}

/// Changes the input field.
export async function useField(conversation, request) {
    const field = await ask("POST", at(conversation, "/field"), request);
    if (field?.parts) state.fields.set(conversation, field);
    changed();
    return field;
}
