// What is told of a message that has come, for each conversation: by a notification, or by a sound,
// a vibration and a badge where browsers allow none.

import { h, icon } from "./elements.js";
import { changed, state } from "./model.js";
import { tell } from "./notes.js";

/// Two tones: each with its frequency, and its start and length in seconds.
const TONES = [[880, 0, 0.12], [1_175, 0.1, 0.22]];
/// The time for which a sound keeps the other tabs of the browser silent.
const SILENCE = 1_000;

const key = (name) => `bell ${name}`;

/// `on`, `off`, or null for what the page does by itself: it tells of one's turn.
const bellOf = (name) => localStorage.getItem(key(name));

/// Whether notifications are allowed. To read that waits for another process of the browser, which
/// takes 1 ms and much more on a busy machine, so it is not read while something is drawn.
let permission = window.Notification?.permission;
navigator.permissions?.query({ name: "notifications" }).then((status) => {
    status.onchange = () => {
        ({ permission } = Notification);
        changed();
    };
}, () => {});

async function askToNotify() {
    permission = await Notification.requestPermission();
    changed();
}

/// The bell of a conversation, which is off and on.
export function bellView({ name }) {
    const isOn = bellOf(name) === "on";
    const title = isOn ? "You are told of every message"
        : bellOf(name) ? "You are told of nothing" : "You are told of your turn only";
    return h("button", {
        key: "bell", type: "button", class: "icon-button", "aria-label": "Tell me of messages",
        "aria-pressed": String(isOn), title, on: { click: () => ring(name, !isOn) },
    }, icon(bellOf(name) === "off" ? "silent" : "bell"));
}

function ring(name, isOn) {
    // Where nothing can be kept, it is so until the page is closed.
    try {
        localStorage.setItem(key(name), isOn ? "on" : "off");
    } catch {
        // There is nothing else to do.
    }
    if (isOn && permission === "default" && isSecureContext) askToNotify();
    if (isOn) {
        wake();
        sound();
    }
    tell(isOn ? "You are told of every message here." : "You are told of nothing here.");
}

const NOTIFYING = {
    granted: "You are notified when it is your turn.",
    denied: "This browser does not let Parley notify you. Its settings for this page change that.",
};

/// Offers notifications, or says whether there are any.
export function notifyingView() {
    return permission === "default"
        ? h("button", {
            key: "notify", type: "button", class: "button", on: { click: askToNotify },
        }, "Notify me on my turn")
        // Over http nobody can allow notifications.
        : permission && isSecureContext
            && h("p", { key: "notifying", class: "meta", role: "status" }, NOTIFYING[permission]);
}

/// Tells of a message of somebody else, unless it is looked at, or of a nudge; `show` opens its
/// conversation.
export function tellOf(conversation, entry, show) {
    const bell = bellOf(conversation);
    const isOn = bell === "on" || entry.isNudge;
    const isOfTurn = entry.myTurn && permission === "granted";
    if (bell === "off" || !isOn && !isOfTurn) return;
    if (entry.isNudge) tell(entry.line);
    const isInSight = !document.hidden && document.hasFocus();
    if (isInSight && (conversation === state.current || !isOn)) return;
    if (!notify(conversation, entry, show) && isOn) sound();
}

/// Shows a notification; returns whether that is possible.
function notify(conversation, entry, show) {
    if (permission !== "granted") return false;
    const title = entry.myTurn ? `Your turn – ${conversation}`
        : `${entry.sender.name ?? "Someone"} – ${conversation}`;
    let note;
    try {
        note = new Notification(title, {
            body: entry.line, icon: "/assets/icon.png", renotify: !entry.myTurn,
            tag: entry.myTurn ? `turn ${entry.session}` : `messages ${conversation}`,
        });
    } catch {
        // Chrome on Android has the class, but makes notifications for service workers only.
        return false;
    }
    note.onclick = () => {
        window.focus();
        note.close();
        show(conversation);
    };
    return true;
}

// Sound, where there are no notifications

let audio = null;

/// Browsers let a page sound once somebody has touched it.
function wake() {
    audio ??= window.AudioContext ? new AudioContext() : null;
    if (audio?.state === "suspended") audio.resume();
}

function sound() {
    navigator.vibrate?.(100);
    const last = Number(localStorage.getItem("sounded"));
    if (!audio || Math.abs(Date.now() - last) < SILENCE) return;
    localStorage.setItem("sounded", String(Date.now()));
    for (const [frequency, start, length] of TONES) {
        const [from, to] = [audio.currentTime + start, audio.currentTime + start + length];
        const [tone, volume] = [audio.createOscillator(), audio.createGain()];
        tone.frequency.value = frequency;
        volume.gain.setValueAtTime(0, from);
        volume.gain.linearRampToValueAtTime(0.2, from + 0.02);
        volume.gain.exponentialRampToValueAtTime(0.001, to);
        tone.connect(volume).connect(audio.destination);
        tone.start(from);
        tone.stop(to);
    }
}

for (const type of ["pointerup", "keydown"]) {
    document.addEventListener(type, () => bellOf(state.current ?? "") === "on" && wake(), true);
}

// The badge

let isBadged = false;

/// Puts a point on the icon of the window while there are messages that were not seen.
export async function badge() {
    const isNow = state.unread.size > 0;
    if (isNow === isBadged) return;
    isBadged = isNow;
    const link = document.querySelector("link[rel=icon]");
    if (link.href.startsWith("blob:")) URL.revokeObjectURL(link.href);
    const plain = "/assets/icon.png";
    if (!isNow) return link.setAttribute("href", plain);
    const image = new Image();
    image.src = plain;
    await image.decode().catch(() => {});
    const area = document.createElement("canvas");
    [area.width, area.height] = [64, 64];
    const context = area.getContext("2d");
    if (image.naturalWidth) context.drawImage(image, 0, 0, 64, 64);
    context.fillStyle = "#d93025";
    context.beginPath();
    context.arc(48, 16, 16, 0, 7);
    context.fill();
    area.toBlob((blob) => isBadged && link.setAttribute("href", URL.createObjectURL(blob)));
}
