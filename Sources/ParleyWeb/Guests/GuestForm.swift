import ParleyAPI

/// The page behind a link for guests, which asks for a name and needs no script.
struct GuestForm: Sendable {
    let code: String
    let conversation: String
    let host: String
    /// Why nobody may come now; nil if somebody may.
    let obstacle: String?
    /// Whether the browser is a window of another app.
    let isInApp: Bool

    /// The page sends its form to the node only, and has one style of its own.
    static let policy =
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; "
        + "frame-ancestors 'none'; base-uri 'none'"

    /// The page; the problem stands in the form that a guest has sent, which keeps the name.
    func html(name: String = "", problem: String? = nil, isReturning: Bool = false) -> String {
        let action = "/g/" + HTMLText.pathPart(code)
        let alert =
            problem.map { "<p role=\"alert\" class=\"bad\">\(HTMLText.escaped($0))</p>" } ?? ""
        let name = HTMLText.escaped(name)
        let (new, old) = isReturning ? ("", name) : (name, "")
        let join = """
            <form method="post" action="\(action)">
            <label for="name">Your name</label>
            <input id="name" name="name" value="\(new)" maxlength="64" required
            \(isReturning ? "" : "autofocus") autocomplete="nickname" enterkeyhint="go">
            <button>Join</button>
            </form>
            """
        let back = """
            <details\(isReturning ? " open" : "")><summary>I was here before</summary>
            \(isReturning ? alert : "")
            <p>Your page showed four digits under your name. They give you your seat back.</p>
            <form method="post" action="\(action)">
            <label for="old">The name of your seat</label>
            <input id="old" name="name" value="\(old)" maxlength="64" required>
            <label for="digits">Four digits</label>
            <input id="digits" name="digits" inputmode="numeric" pattern="[0-9]{4}" required
            \(isReturning ? "autofocus" : "")>
            <button>Return to my seat</button>
            </form></details>
            """
        let hint =
            isInApp
            ? "<p class=\"bad\">This window belongs to another app and forgets you. Open the "
                + "address in your browser.</p>"
            : ""
        return GuestWords.document(
            "Join \(HTMLText.escaped(conversation))",
            hint + (isReturning ? "" : alert)
                + (obstacle.map { "<p>\(HTMLText.escaped($0))</p>" } ?? join)
                + "<p class=\"small\">You are a guest on \(HTMLText.escaped(host))'s machine, "
                + "which can see what you write, and a hidden hand too. Others on this Wi-Fi could "
                + "read along.</p>" + back
        )
    }
}

/// Short pages for guests.
enum GuestWords {
    static let locked = "Nobody else can join at the moment. Ask your host to unlock it."
    static let full = "All seats are taken. Ask your host for more."
    static let wrongDigits =
        "There is no seat with this name and these digits. After five wrong tries a seat gets "
        + "other digits, which its page or your host shows."

    static let unknownCode = document(
        "This link does not work",
        "<p>The code was closed, or it was typed wrongly. Ask your host for a new one.</p>"
    )
    static let foreignHost = document(
        "This link does not work here",
        "<p>Open the address that your host shows, as it is.</p>"
    )
    static let noSeat = document(
        "You have no seat here",
        "<p>Scan the code that your host shows. If you had a seat, your host has removed it, or "
            + "this browser has forgotten you.</p>"
    )

    static func wait(_ seconds: Int) -> String {
        document(
            "Too many wrong codes",
            "<p>Try again in \(seconds) \(seconds == 1 ? "second" : "seconds").</p>"
        )
    }

    static func document(_ title: String, _ body: String) -> String {
        """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><title>Parley: \(title)</title>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark"><style>\(style)</style></head>
        <body><main><h1>\(title)</h1>\(body)</main></body></html>

        """
    }

    private static let style = """
        body{font:1.125rem/1.4 system-ui,sans-serif;margin:0;background:Canvas;color:CanvasText}
        main{max-width:24rem;margin:0 auto;padding:1.5rem 1rem}
        h1{font-size:1.6rem;overflow-wrap:anywhere}
        label{display:block;margin:.75rem 0 .25rem;font-weight:600}
        input,button{font:inherit;box-sizing:border-box;width:100%;min-height:3rem}
        input,button{padding:.5rem .75rem;border-radius:.75rem}
        input{border:1px solid GrayText;background:Field;color:FieldText}
        button{margin-top:1rem;border:0;background:#0d6b61;color:#fff;font-weight:600}
        .bad{color:#b3261e}.small{font-size:.9rem;opacity:.8}details{margin-top:1.5rem}
        summary{min-height:2.5rem;cursor:pointer}
        @media(prefers-color-scheme:dark){.bad{color:#ffb4ab}}
        """
}
