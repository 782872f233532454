// The drawer of apps, and its tiles.

import { appIcon, h } from "./elements.js";
import { state } from "./model.js";

/// Describes the drawer of apps.
export function drawerView(open) {
    return h("section", { key: "drawer", class: "drawer", "aria-label": "Apps" }, tilesView(open));
}

/// Describes the apps as tiles; large ones have a line about the app.
export function tilesView(open, isLarge = false) {
    const apps = state.apps.filter((app) => !app.headless && app.hasScreen !== false);
    return h("div", { key: "tiles", class: isLarge ? "tiles is-large" : "tiles" },
        apps.length
            ? apps.map((app) => h("button", {
                key: app.id, type: "button", class: "tile", "aria-label": app.name,
                "aria-description": isLarge ? app.line : null, on: { click: () => open(app) },
            }, appIcon(app), h("span", { class: "tile-name", dir: "auto" }, app.name),
                isLarge && app.line
                    && h("span", { class: "tile-line", dir: "auto" }, app.line)))
            : h("p", { class: "empty-note" }, "This Parley has no apps."));
}
