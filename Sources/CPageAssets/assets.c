// The files of the page as bytes of the executable, so that a copied executable serves the page.
//
// `#embed` is C23 and an extension elsewhere; the compiler notes the embedded files as
// dependencies, so that a change of one compiles this file again.
#pragma clang diagnostic ignored "-Wc23-extensions"

#include "page_assets.h"

static const unsigned char shell[] = {
#embed "assets/shell.html"
};

// One asset of several files, each of which ends with a line end.
static const unsigned char style[] = {
#embed "assets/tokens.css"
    ,
#embed "assets/columns.css"
    ,
#embed "assets/panel.css"
    ,
#embed "assets/stickers.css"
    ,
#embed "assets/guests.css"
    ,
#embed "assets/messages.css"
};

// The page of the fault proxy. Its script is not a `.js`, as these become one script of the other
// page.
static const unsigned char network[] = {
#embed "assets/network.html"
};

static const unsigned char network_style[] = {
#embed "assets/network.css"
};

static const unsigned char network_script[] = {
#embed "assets/network.mjs"
};

static const unsigned char icon[] = {
#embed "assets/icon.png"
};

static const unsigned char home_icon[] = {
#embed "assets/home.png"
};

static const unsigned char manifest[] = {
#embed "assets/manifest.json"
};

static const unsigned char home[] = {
#embed "assets/home.js"
};

static const unsigned char window[] = {
#embed "assets/window.js"
};

static const unsigned char page[] = {
#embed "assets/page.js"
};

static const unsigned char elements[] = {
#embed "assets/elements.js"
};

static const unsigned char proof[] = {
#embed "assets/proof.js"
};

static const unsigned char requests[] = {
#embed "assets/requests.js"
};

static const unsigned char stream[] = {
#embed "assets/stream.js"
};

static const unsigned char presence[] = {
#embed "assets/presence.js"
};

static const unsigned char entries[] = {
#embed "assets/entries.js"
};

static const unsigned char model[] = {
#embed "assets/model.js"
};

static const unsigned char stickers[] = {
#embed "assets/stickers.js"
};

static const unsigned char near[] = {
#embed "assets/near.js"
};

static const unsigned char unread[] = {
#embed "assets/unread.js"
};

static const unsigned char notes[] = {
#embed "assets/notes.js"
};

static const unsigned char folds[] = {
#embed "assets/folds.js"
};

static const unsigned char aside[] = {
#embed "assets/aside.js"
};

static const unsigned char hidden[] = {
#embed "assets/hidden.js"
};

static const unsigned char copy[] = {
#embed "assets/copy.js"
};

static const unsigned char drafts[] = {
#embed "assets/drafts.js"
};

static const unsigned char reactions[] = {
#embed "assets/reactions.js"
};

static const unsigned char quotes[] = {
#embed "assets/quotes.js"
};

static const unsigned char search[] = {
#embed "assets/search.js"
};

static const unsigned char side[] = {
#embed "assets/side.js"
};

static const unsigned char transfers[] = {
#embed "assets/transfers.js"
};

static const unsigned char sending[] = {
#embed "assets/sending.js"
};

static const unsigned char own[] = {
#embed "assets/own.js"
};

static const unsigned char toolbar[] = {
#embed "assets/toolbar.js"
};

static const unsigned char bell[] = {
#embed "assets/bell.js"
};

static const unsigned char viewer[] = {
#embed "assets/viewer.js"
};

static const unsigned char transcript[] = {
#embed "assets/transcript.js"
};

static const unsigned char live[] = {
#embed "assets/live.js"
};

static const unsigned char drawer[] = {
#embed "assets/drawer.js"
};

static const unsigned char photos[] = {
#embed "assets/photos.js"
};

static const unsigned char files[] = {
#embed "assets/files.js"
};

static const unsigned char drop[] = {
#embed "assets/drop.js"
};

static const unsigned char composer[] = {
#embed "assets/composer.js"
};

static const unsigned char panel[] = {
#embed "assets/panel.js"
};

static const unsigned char canvas[] = {
#embed "assets/canvas.js"
};

static const unsigned char alerts[] = {
#embed "assets/alerts.js"
};

static const unsigned char countdown[] = {
#embed "assets/countdown.js"
};

static const unsigned char views[] = {
#embed "assets/views.js"
};

static const unsigned char steady[] = {
#embed "assets/steady.js"
};

static const unsigned char invite[] = {
#embed "assets/invite.js"
};

static const unsigned char phones[] = {
#embed "assets/phones.js"
};

static const unsigned char guest[] = {
#embed "assets/guest.js"
};

static const unsigned char members[] = {
#embed "assets/members.js"
};

static const unsigned char dialogs[] = {
#embed "assets/dialogs.js"
};

static const unsigned char pairing[] = {
#embed "assets/pairing.js"
};

static const unsigned char people[] = {
#embed "assets/people.js"
};

static const unsigned char welcome[] = {
#embed "assets/welcome.js"
};

#define HTML "text/html; charset=utf-8"
#define CSS "text/css; charset=utf-8"
#define SCRIPT "text/javascript; charset=utf-8"

static const struct page_asset assets[] = {
    {"shell.html", HTML, shell, sizeof shell},
    {"page.css", CSS, style, sizeof style},
    {"network.html", HTML, network, sizeof network},
    {"network.css", CSS, network_style, sizeof network_style},
    {"network.mjs", SCRIPT, network_script, sizeof network_script},
    {"icon.png", "image/png", icon, sizeof icon},
    {"home.png", "image/png", home_icon, sizeof home_icon},
    {"manifest.json", "application/manifest+json", manifest, sizeof manifest},
    // Each module after those that it imports from.
    {"elements.js", SCRIPT, elements, sizeof elements},
    {"proof.js", SCRIPT, proof, sizeof proof},
    {"requests.js", SCRIPT, requests, sizeof requests},
    {"stream.js", SCRIPT, stream, sizeof stream},
    {"entries.js", SCRIPT, entries, sizeof entries},
    {"model.js", SCRIPT, model, sizeof model},
    {"presence.js", SCRIPT, presence, sizeof presence},
    {"stickers.js", SCRIPT, stickers, sizeof stickers},
    {"canvas.js", SCRIPT, canvas, sizeof canvas},
    {"countdown.js", SCRIPT, countdown, sizeof countdown},
    {"views.js", SCRIPT, views, sizeof views},
    {"steady.js", SCRIPT, steady, sizeof steady},
    {"live.js", SCRIPT, live, sizeof live},
    {"near.js", SCRIPT, near, sizeof near},
    {"unread.js", SCRIPT, unread, sizeof unread},
    {"notes.js", SCRIPT, notes, sizeof notes},
    {"folds.js", SCRIPT, folds, sizeof folds},
    {"aside.js", SCRIPT, aside, sizeof aside},
    {"hidden.js", SCRIPT, hidden, sizeof hidden},
    {"copy.js", SCRIPT, copy, sizeof copy},
    {"drafts.js", SCRIPT, drafts, sizeof drafts},
    {"reactions.js", SCRIPT, reactions, sizeof reactions},
    {"quotes.js", SCRIPT, quotes, sizeof quotes},
    {"own.js", SCRIPT, own, sizeof own},
    {"toolbar.js", SCRIPT, toolbar, sizeof toolbar},
    {"transfers.js", SCRIPT, transfers, sizeof transfers},
    {"sending.js", SCRIPT, sending, sizeof sending},
    {"viewer.js", SCRIPT, viewer, sizeof viewer},
    {"transcript.js", SCRIPT, transcript, sizeof transcript},
    {"alerts.js", SCRIPT, alerts, sizeof alerts},
    {"bell.js", SCRIPT, bell, sizeof bell},
    {"panel.js", SCRIPT, panel, sizeof panel},
    {"drawer.js", SCRIPT, drawer, sizeof drawer},
    {"photos.js", SCRIPT, photos, sizeof photos},
    {"files.js", SCRIPT, files, sizeof files},
    {"members.js", SCRIPT, members, sizeof members},
    {"composer.js", SCRIPT, composer, sizeof composer},
    {"drop.js", SCRIPT, drop, sizeof drop},
    {"phones.js", SCRIPT, phones, sizeof phones},
    {"invite.js", SCRIPT, invite, sizeof invite},
    {"dialogs.js", SCRIPT, dialogs, sizeof dialogs},
    {"search.js", SCRIPT, search, sizeof search},
    {"pairing.js", SCRIPT, pairing, sizeof pairing},
    {"home.js", SCRIPT, home, sizeof home},
    {"guest.js", SCRIPT, guest, sizeof guest},
    {"people.js", SCRIPT, people, sizeof people},
    {"welcome.js", SCRIPT, welcome, sizeof welcome},
    {"side.js", SCRIPT, side, sizeof side},
    {"window.js", SCRIPT, window, sizeof window},
    {"page.js", SCRIPT, page, sizeof page},
};

size_t page_assets_count(void) {
    return sizeof assets / sizeof assets[0];
}

struct page_asset page_asset_at(size_t index) {
    return assets[index];
}
