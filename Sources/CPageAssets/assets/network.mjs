// The view of the fault proxy: each proxy is a cable, which a click pulls and plugs in again.

// A pulled cable is silence: bytes wait, as TCP keeps them, and pass when it is plugged in.
const PULLED = { name: "pulled", type: "bandwidth", stream: "both", attributes: { rate: 0 } };
const FAULTS = {
    "Late by 200 ms": { type: "latency", attributes: { latency: 200, jitter: 50 } },
    "Slow: 16 KB/s": { type: "bandwidth", attributes: { rate: 16 } },
    "Loses segments: 5 %": { type: "loss", attributes: { loss_rate: 0.05 } },
    "In small pieces": { type: "slicer", attributes: { average_size: 64, delay: 1000 } },
    "Damaged: 1 byte in 1,000": { type: "corrupt", attributes: { rate: 0.001 } },
    "Cut off after 10 KB": { type: "limit_data", attributes: { bytes: 10000 } },
    "Reset at the first byte": { type: "reset_peer", attributes: { timeout: 0 } },
    "Silent for ever": { type: "half_open", attributes: {} },
};

const said = document.getElementById("said");
const cables = new Map();

function say(text, isProblem = false) {
    if (said.textContent !== text) said.textContent = text;
    said.classList.toggle("is-problem", isProblem);
}

function element(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
}

async function ask(method, path, body) {
    const answer = await fetch(path, {
        method,
        body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    if (answer.ok) return text ? JSON.parse(text) : null;
    let reason = text.trim();
    try { reason = JSON.parse(text).error; } catch { /* The text is the reason. */ }
    throw new Error(reason);
}

// Makes a change, says what came of it, and shows it.
async function change(words, method, path, body) {
    try {
        await ask(method, path, body);
        say(words);
    } catch (problem) {
        say(problem.message, true);
    }
    await look();
}

const path = (...parts) => `/proxies/${parts.map(encodeURIComponent).join("/")}`;
const toxics = (name) => `${path(name)}/toxics`;

function words(toxic) {
    const values = Object.entries(toxic.attributes).filter(([, value]) => value)
        .map(([key, value]) => `${key.replaceAll("_", " ")} ${value}`);
    const percent = Math.round(toxic.toxicity * 100);
    const share = percent < 100 ? [`${percent} % of connections`] : [];
    return [toxic.type.replaceAll("_", " "), toxic.stream, ...values, ...share].join(", ");
}

const SIZES = ["B", "KB", "MB", "GB"];
function size(bytes) {
    const step = Math.min(3, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
    return `${(bytes / 1000 ** step).toFixed(step ? 1 : 0)} ${SIZES[step]}`;
}

class Cable {
    constructor(name) {
        this.name = name;
        this.lines = [];
        this.figures = element("p", { className: "meta" });
        this.listen = element("span");
        this.upstream = element("span");
        this.label = element("span");
        this.button = element(
            "button", { className: "cable", onclick: () => this.pull() }, this.label,
        );
        this.faults = element("ul", { className: "faults", ariaLabel: `Faults of ${name}` });
        this.choice = element(
            "select", {}, ...Object.keys(FAULTS).map((label) => element("option", {}, label)),
        );
        this.open = element("button", { className: "button", onclick: () => this.toggle() });
        this.connections = element("ul", {
            className: "lines", ariaLabel: `Connections of ${name}`,
        });
        const end = (label, value) =>
            element("div", { className: "end" }, element("b", {}, label), value);
        this.view = element(
            "article", { ariaLabel: name },
            element("div", { className: "top" }, element("h2", {}, name), this.figures),
            element(
                "div", { className: "way" },
                end("clients connect to", this.listen), this.button, end("server", this.upstream),
            ),
            this.faults,
            element(
                "div", { className: "foot" },
                element("label", {}, `A fault of ${name}`, this.choice),
                element("button", {
                    className: "button", textContent: "Add", onclick: () => this.add(),
                }),
                this.open,
                element("button", {
                    className: "button danger",
                    textContent: `Remove ${name}`,
                    onclick: () => change(`${name} is removed`, "DELETE", path(name)),
                }),
            ),
            this.connections,
        );
    }

    pull() {
        return this.isPulled
            ? change(`${this.name} is plugged in`, "DELETE", `${toxics(this.name)}/pulled`)
            : change(`${this.name} is pulled`, "POST", toxics(this.name), PULLED);
    }

    add() {
        const label = this.choice.value;
        return change(`${this.name}: ${label}`, "POST", toxics(this.name), FAULTS[label]);
    }

    toggle() {
        const words = `${this.name} takes ${this.isEnabled ? "no " : ""}connections`;
        return change(words, "POST", path(this.name), { enabled: !this.isEnabled });
    }

    show(proxy, counters, connections) {
        this.isPulled = proxy.toxics.some((toxic) => toxic.name === PULLED.name);
        this.isEnabled = proxy.enabled;
        const faults = proxy.toxics.filter((toxic) => toxic.name !== PULLED.name);
        this.listen.textContent = proxy.listen;
        this.upstream.textContent = proxy.upstream;
        this.label.textContent = this.isPulled ? "Pulled – plug in" : "Pull the cable";
        this.button.ariaLabel = `${this.isPulled ? "Plug in" : "Pull"} the cable of ${this.name}`;
        this.button.ariaPressed = this.isPulled;
        this.button.classList.toggle("is-faulty", faults.length > 0 || !proxy.enabled);
        this.open.textContent = proxy.enabled ? "Refuse connections" : "Take connections";
        const { open, sent } = counters;
        this.figures.textContent = `${open} open · to the server ${size(sent.upstream)}`
            + ` · to clients ${size(sent.downstream)}`;
        this.list(this.faults, faults.map((toxic) => [
            toxic.name, words(toxic), `Remove ${toxic.name}`,
            () => change(`${toxic.name} is removed`, "DELETE",
                `${toxics(this.name)}/${encodeURIComponent(toxic.name)}`),
        ]));
        this.list(this.connections, connections.map((one) => [
            `${one.id}`,
            `${one.client} · ${Math.round(one.milliseconds / 1000)} s`
                + ` · ${size(one.upstream.sent)} to the server`
                + ` · ${size(one.downstream.sent)} to the client`,
            `Cut ${one.client}`,
            () => change(`${one.client} is cut`, "DELETE", `/connections/${one.id}?reset=true`),
        ]));
    }

    // Rows keep their elements, so that what has the focus keeps it.
    list(view, rows) {
        const before = new Map([...view.children].map((row) => [row.dataset.key, row]));
        view.replaceChildren(...rows.map(([key, text, label, act]) => {
            const row = before.get(key) ?? element(
                "li", {}, element("span"),
                element("button", {
                    className: "small", ariaLabel: label, textContent: label.split(" ")[0],
                }),
            );
            row.dataset.key = key;
            row.firstChild.textContent = text;
            row.lastChild.onclick = act;
            return row;
        }));
    }
}

async function look() {
    let proxies, connections, counters;
    try {
        [proxies, connections] = await Promise.all(
            ["/proxies", "/connections"].map((what) => ask("GET", what)),
        );
        const names = Object.keys(proxies);
        counters = await Promise.all(names.map((name) => ask("GET", `${path(name)}/counters`)));
    } catch {
        return say("The proxy does not answer.", true);
    }
    if (said.textContent === "The proxy does not answer.") say("");
    const names = Object.keys(proxies);
    const main = document.getElementById("proxies");
    for (const [name, cable] of cables) {
        if (names.includes(name)) continue;
        cable.view.remove();
        cables.delete(name);
    }
    names.forEach((name, index) => {
        if (!cables.has(name)) {
            cables.set(name, new Cable(name));
            main.insertBefore(cables.get(name).view, main.children[index] ?? null);
        }
        const own = connections.filter((one) => one.proxy === name).slice(0, 50);
        cables.get(name).show(proxies[name], counters[index], own);
    });
}

document.getElementById("heal").onclick = () => change("All faults have ended", "POST", "/reset");
document.getElementById("new").onsubmit = async (event) => {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(event.target));
    const listen = fields.listen || "127.0.0.1:0";
    const proxy = { ...fields, listen, enabled: true };
    await change(`${fields.name} is there`, "POST", "/proxies", proxy);
    if (!said.classList.contains("is-problem")) event.target.reset();
};

for (;;) {
    if (!document.hidden) await look();
    await new Promise((done) => setTimeout(done, 1000));
}
