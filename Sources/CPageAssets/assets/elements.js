// Elements of the document, made and updated from descriptions. A text only ever becomes a text
// node, so nothing that a peer has written can become markup.

const KEY = Symbol("key");
const PROPS = Symbol("props");
const HEARD = Symbol("heard");
const SHOWN = Symbol("shown");
const SVG = "http://www.w3.org/2000/svg";

/// Describes an element. Properties are attributes, except `key` (its identity among its
/// siblings), `on` (listeners), `style` (custom properties), `set` (DOM properties, which are
/// assigned only when their described value changes), `opaque` (its children belong to somebody
/// else), and the callbacks `made` (once) and `shown` (after every update).
export function h(tag, props, ...children) {
    return { tag, props: props ?? {}, key: props?.key, children: flat(children) };
}

/// Makes the children of `parent` match the descriptions. Elements that stay keep their focus,
/// their selection and what was typed into them.
export function show(parent, ...descriptions) {
    const wanted = flat(descriptions);
    const keys = new Set(wanted.map((description) => description.key));
    const known = new Map();
    for (const child of [...parent.childNodes]) {
        const key = child[KEY];
        if (key === undefined) continue;
        if (keys.has(key)) known.set(key, child);
        else child.remove();
    }
    let next = parent.firstChild;
    for (const description of wanted) {
        const old = description.key === undefined ? next : known.get(description.key);
        const node = matches(old, description) ? old : make(description);
        if (node === next) next = next.nextSibling;
        else place(parent, node, next);
        if (node[SHOWN] === description) continue;
        if (typeof description === "object") {
            update(node, description);
            node[SHOWN] = description;
        } else if (node.data !== description) {
            node.data = description;
        }
    }
    while (next) {
        const rest = next.nextSibling;
        next.remove();
        next = rest;
    }
}

const remembered = new WeakMap();

/// Returns the description that `make` has made for `owner`, as long as the inputs are the same. An
/// element whose description is the same object is not looked at again.
export function remember(owner, inputs, make) {
    const old = remembered.get(owner);
    if (old && inputs.every((input, index) => input === old.inputs[index])) return old.view;
    const view = make();
    remembered.set(owner, { inputs, view });
    return view;
}

function flat(children) {
    return children.flat(Infinity)
        .filter((child) => child !== null && child !== undefined && child !== false && child !== "")
        .map((child) => (typeof child === "object" ? child : String(child)));
}

function matches(node, description) {
    if (!node) return false;
    if (typeof description === "string") return node.nodeType === Node.TEXT_NODE;
    // An element that the server has made has no properties of ours.
    return node[PROPS] && node.localName === description.tag && node[KEY] === description.key;
}

function make(description) {
    if (typeof description === "string") return document.createTextNode(description);
    const isDrawn = ["svg", "path", "circle", "rect"].includes(description.tag);
    const node = isDrawn
        ? document.createElementNS(SVG, description.tag)
        : document.createElement(description.tag);
    if (description.key !== undefined) node[KEY] = description.key;
    node[PROPS] = {};
    node[HEARD] = new Set();
    return node;
}

function place(parent, node, next) {
    // If the browser can move an element without taking it out, the element keeps its focus.
    if (node.parentNode === parent && parent.moveBefore) parent.moveBefore(node, next);
    else parent.insertBefore(node, next);
}

function update(node, { props, children }) {
    const old = node[PROPS];
    const isNew = old.isMade === undefined;
    for (const name of Object.keys(old)) {
        if (!(name in props) && !SPECIAL.has(name)) node.removeAttribute(name);
    }
    for (const [name, value] of Object.entries(props)) {
        if (!SPECIAL.has(name) && value !== old[name]) attribute(node, name, value);
    }
    listen(node, props.on ?? {});
    for (const [name, value] of Object.entries(props.style ?? {})) {
        if (value !== old.style?.[name]) node.style.setProperty(name, value);
    }
    node[PROPS] = { ...props, isMade: true };
    if (!props.opaque) show(node, children);
    for (const [name, value] of Object.entries(props.set ?? {})) {
        if (isNew || value !== old.set?.[name]) node[name] = value;
    }
    if (isNew) props.made?.(node);
    props.shown?.(node);
}

const SPECIAL = new Set(["key", "on", "style", "set", "opaque", "made", "shown", "isMade"]);

function attribute(node, name, value) {
    if (value === null || value === undefined || value === false) node.removeAttribute(name);
    else node.setAttribute(name, value === true ? "" : value);
}

/// The listeners call what the latest description says, so that they are attached only once.
function listen(node, on) {
    for (const name of Object.keys(on)) {
        if (node[HEARD].has(name)) continue;
        node[HEARD].add(name);
        node.addEventListener(name, (event) => node[PROPS].on?.[name]?.(event));
    }
}

const SHAPES = {
    send: "M12 20V5M5.5 11.5 12 5l6.5 6.5",
    attach: "M12 5v14M5 12h14",
    apps: "M5 5h5v5H5zM14 5h5v5h-5zM5 14h5v5H5zM14 14h5v5h-5z",
    back: "M15 5l-7 7 7 7",
    forth: "M9 5l7 7-7 7",
    close: "M6 6l12 12M18 6 6 18",
    expand: "M6 15l6-6 6 6",
    collapse: "M6 9l6 6 6-6",
    people: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c.4-4 3-6 6.5-6s6.1 2 6.5 6"
        + "M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5c2 .8 3.2 2.7 3.5 5.5",
    invite: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c.4-4 3-6 6.5-6s6.1 2 6.5 6"
        + "M19 8v6M16 11h6",
    nearby: "M12 13.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3M8.5 15.5a5 5 0 0 1 0-7"
        + "M15.5 8.5a5 5 0 0 1 0 7M5.6 18.4a9 9 0 0 1 0-12.8M18.4 5.6a9 9 0 0 1 0 12.8",
    link: "M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3"
        + "a4 4 0 0 0 5.7 5.7l1-1",
    plus: "M12 5v14M5 12h14",
    search: "M10 4a6 6 0 1 0 .1 0M15 15l5 5",
    pencil: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
    file: "M7 3h7l5 5v13H7zM14 3v5h5",
    bell: "M6 17V11a6 6 0 0 1 12 0v6l1.5 1.5h-15zM10 21h4",
    silent: "M6 17V11a6 6 0 0 1 9.5-4.9M18 11v6M4.5 18.5h12M10 21h4M4 4l16 16",
    copy: "M9 9h11v11H9zM5 15H4V4h11v1",
    save: "M12 4v11M7 11l5 5 5-5M5 20h14",
    out: "M8 16 17 7M9 7h8v8",
    smile: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M8.5 14.5q3.5 3.5 7 0M9 9.5h0M15 9.5h0",
    reply: "M10 6 4 12l6 6M4 12h9q6 0 7 7",
    undo: "M8 5 4 9l4 4M4 9h10a5 5 0 0 1 0 10H8",
    trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13",
};

/// A drawing that says nothing to a screen reader.
export function icon(name) {
    return h("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
        h("path", { d: SHAPES[name] }));
}

/// The number of the color of a person, the same on every machine.
export function colorOf(participant) {
    let sum = 2_166_136_261;
    for (const character of String(participant).toLowerCase()) {
        sum = Math.imul(sum ^ character.codePointAt(0), 16_777_619) >>> 0;
    }
    return sum % 12;
}

/// The first characters of the first two words of a name.
export function initialsOf(name) {
    const words = String(name).split(/[^\p{L}\p{N}]+/u).filter(Boolean);
    return words.slice(0, 2).map((word) => [...word][0].toUpperCase()).join("") || "?";
}

/// The initials of a device on the color of its person; `presence` is the dot on them, if they have one.
export function face(person, presence) {
    const classes = `face color-${colorOf(person.person?.id ?? person.participant ?? person.device)}`;
    return h("span", { class: classes, "aria-hidden": "true" }, initialsOf(person.name ?? "?"),
        presence && h("span", { class: `dot dot-${presence}` }));
}

/// The icons of apps as pictures of the page itself, by ID, each with its bytes in Base64.
const icons = new Map();

/// Takes the icons of the node's apps, which come in one answer.
export function takeIcons(all) {
    for (const [id, { type, data }] of Object.entries(all)) {
        if (icons.get(id)?.data === data) continue;
        const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
        icons.set(id, { data, src: URL.createObjectURL(new Blob([bytes], { type })) });
    }
}

/// The icon of an app, or its initial on a color of its own.
export function appIcon({ id, name }) {
    const icon = icons.get(id);
    return icon
        ? h("img", { class: "app-icon", src: icon.src, alt: "" })
        : face({ participant: id, name });
}

/// A button with a drawing; the name is spoken, and shown if `isNamed`.
export function iconButton(shape, name, act, { isNamed = false, ...props } = {}) {
    return h("button", {
        type: "button",
        class: isNamed ? "button" : "icon-button",
        "aria-label": isNamed ? null : name,
        title: isNamed ? null : name,
        on: { click: act },
        ...props,
    }, icon(shape), isNamed && name);
}

/// A name with a mark in the place of every character that is hidden or changes the direction of
/// writing; the joiners and selectors of emoji stay.
export function plain(name) {
    return String(name).replace(
        /(?![\u200C\u200D\uFE0E\uFE0F\u{E0100}-\u{E01EF}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/gu,
        "\uFFFD");
}

/// A name between marks that keep its direction from what stands beside it.
export function isolated(name) {
    return `\u2068${name}\u2069`;
}

/// The address of a link that people may follow, or null: only http and https are links, and none
/// that pretends to be another one by a name in front of the host.
export function webAddress(text) {
    try {
        const url = new URL(text);
        const isWeb = url.protocol === "http:" || url.protocol === "https:";
        return isWeb && !url.username && !url.password ? url : null;
    } catch {
        return null;
    }
}

/// A text whose web addresses are links, those that begin with `www.` too.
export function linked(text) {
    const pattern = /((?:https?:\/\/|\bwww\.)[^\s<>"]*[^\s<>".,;:!?)\]])/iu;
    return text.split(pattern).map((part, index) => {
        const address = /^www\./i.test(part) ? `http://${part}` : part;
        const url = index % 2 ? webAddress(address) : null;
        return url ? h("a", linkTo(url), part) : part;
    });
}

/// The attributes of a link that leads away from the page.
export function linkTo(url) {
    return { href: url.href, target: "_blank", rel: "noopener noreferrer" };
}

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });

/// A short text for a moment: its time if it is today, else its day.
export function dayText(date) {
    const time = new Date(date);
    if (Number.isNaN(time.getTime())) return "";
    return (time.toDateString() === new Date().toDateString() ? CLOCK : DAY).format(time);
}

/// The time of day of a moment.
export function clockText(date) {
    const time = new Date(date);
    return Number.isNaN(time.getTime()) ? "" : CLOCK.format(time);
}

/// A time of day, with the day unless that is today.
export function timeText(date) {
    const time = new Date(date);
    if (Number.isNaN(time.getTime())) return "";
    const isToday = time.toDateString() === new Date().toDateString();
    const day = isToday ? {} : { weekday: "short", day: "numeric", month: "short" };
    return new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", ...day })
        .format(time);
}
