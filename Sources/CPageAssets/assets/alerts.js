// The dialogs of an app, over its panel: questions, lists of choices, and presented controllers.
// They cover the panel only, so that no app can keep a person from the rest of the page.

import { h, linked } from "./elements.js";
import { viewOf } from "./views.js";

/// The element that had the focus before the dialogs of a panel came up.
let before = null;

/// Describes the dialogs of a panel. `act(node, kind, value, fields)` carries out an action on a
/// view; `fields` are the texts that the app is told before it.
export function alertsView({ dialogs = [] }, act) {
    if (!dialogs.length) return null;
    return h("div", { key: "alerts", class: "alerts" },
        dialogs.map((dialog, index) => alertView(dialog, index < dialogs.length - 1, act)));
}

function alertView(node, isCovered, act) {
    const children = node.children ?? [];
    const choices = children.filter(({ kind }) => kind === "choice");
    const texts = children.filter(({ kind }) => kind === "text");
    const others = children.filter(({ kind }) => kind !== "choice" && kind !== "text");
    const about = `about ${node.id}`.replaceAll(/\W/g, "-");
    const isPage = node.style === "page";
    return h("div", {
        key: node.id,
        class: `alert alert-${node.style}`,
        role: isPage ? "dialog" : "alertdialog",
        "aria-label": node.label ?? "Question",
        "aria-describedby": texts.length ? about : null,
        inert: isCovered,
        made: (element) => {
            before ??= document.activeElement;
            firstOf(element).focus({ preventScroll: true });
        },
        tabindex: "-1",
        on: { keydown: (event) => keyPressed(event, choices, act) },
    },
        texts.length > 0 && h("div", { key: "texts", id: about, class: "alert-texts" },
            texts.map((text) => viewOf({ ...text, text: linked(text.text ?? "") }))),
        // The app is told what was typed together with the choice.
        others.map((other) => viewOf(other, other.kind === "textField" ? async () => true : act)),
        h("div", { key: "choices", class: "alert-choices" },
            choices.map((choice) => choiceView(choice, act))));
}

function choiceView(choice, act) {
    const classes = ["button", choice.style === "destructive" && "danger",
        choice.preferred && "primary"];
    return h("button", {
        key: choice.id,
        type: "button",
        class: classes.filter(Boolean).join(" "),
        dir: "auto",
        "data-node": choice.id,
        "data-preferred": choice.preferred,
        "aria-disabled": choice.enabled === false ? "true" : null,
        on: { click: (event) => choose(choice, event.currentTarget, act) },
    }, choice.text);
}

function choose(choice, element, act) {
    if (!choice || choice.enabled === false) return;
    const inputs = element.closest(".alert").querySelectorAll(":scope > input[data-node]");
    const fields = Object.fromEntries([...inputs].map((input) =>
        [input.dataset.node, input.value]));
    act(choice, "press", undefined, fields);
}

/// Escape cancels, and Enter in a text field chooses the answer that is preferred or the only one.
function keyPressed(event, choices, act) {
    const answers = choices.filter(({ style }) => style !== "cancel");
    const isField = event.target.matches(".alert > input");
    if (event.key === "Escape") {
        choose(choices.find(({ style }) => style === "cancel"), event.currentTarget, act);
    } else if (event.key === "Enter" && isField && !event.isComposing) {
        const only = answers.length === 1 ? answers[0] : null;
        choose(choices.find(({ preferred }) => preferred) ?? only, event.currentTarget, act);
    } else {
        return;
    }
    event.preventDefault();
}

function firstOf(element) {
    return element.querySelector("input") ?? element.querySelector("[data-preferred]")
        ?? element.querySelector("button:not([aria-disabled], .danger)") ?? element;
}

/// Gives the focus back when the last dialog of a panel is gone.
export function alertsShown({ dialogs = [] }) {
    if (!before || dialogs.length) return;
    const { activeElement } = document;
    const isFree = !activeElement || activeElement === document.body;
    if (isFree && before.isConnected) before.focus({ preventScroll: true });
    before = null;
}
