/// All items of the store.
public enum Catalogue {
    /// The item with that ID; nil if the store has none.
    public static func item(_ id: String) -> Item? { items.first { $0.id == id } }

    /// The items, in the order in which they are shown.
    public static let items = [
        Item(
            id: "fox",
            name: "Fox",
            words: "For a folder that nobody should get into. It will look innocent.",
            drawing: """
                <path d='M40 40l38 34h44l38-34l2 66q-10 44-62 60q-52-16-62-60z' fill='#f2703a'/>\
                <path d='M40 40l6 46l32-12zM160 40l-6 46l-32-12z' fill='#b8441c'/>\
                <path d='M38 106q24-2 44 26q10 14 18 34q-52-16-62-60zM162 106q-24-2-44 26q-10 14-18\
                 34q52-16 62-60z' fill='#fff4e8'/><circle cx='74' cy='108' r='8' fill='#33211a'/>\
                <circle cx='126' cy='108' r='8' fill='#33211a'/>\
                <ellipse cx='100' cy='156' rx='11' ry='8' fill='#33211a'/>
                """,
            ground: ["#ffe3c2", "#ffc48a"]
        ),
        Item(
            id: "rocket",
            name: "Rocket",
            words: "Points up and to the right, as every plan does.",
            drawing: """
                <g transform='rotate(38 100 100)'><path d='M84 150q16 46 32 0z' fill='#ffb52e'/>\
                <path d='M91 150q9 28 18 0z' fill='#fff1a8'/>\
                <path d='M66 120l-20 34l28-6zM134 120l20 34l-28-6z' fill='#d8374b'/>\
                <path d='M100 20q40 40 36 92l-10 40h-52l-10-40q-4-52 36-92z' fill='#f7f8fc'/>\
                <path d='M100 20q18 18 28 42h-56q10-24 28-42z' fill='#d8374b'/>\
                <path d='M112 34q30 40 24 78l-10 40h-12q14-60-2-118z' opacity='.08'/>\
                <circle cx='100' cy='92' r='17' fill='#3c6bd6'/>\
                <circle cx='95' cy='87' r='6' fill='#cfe0ff'/></g>
                """,
            ground: ["#27306b", "#5a4fb0"]
        ),
        Item(
            id: "cactus",
            name: "Cactus",
            words: "Needs water twice a year, and no updates.",
            drawing: """
                <g fill='#3f9b5c'><rect x='80' y='34' width='40' height='110' rx='20'/>\
                <path d='M40 72a13 13 0 0 1 26 0v16h18v26h-26a18 18 0 0 1-18-18zM160 60a13 13 0 0 \
                0-26 0v22h-18v26h26a18 18 0 0 0 18-18z'/></g>\
                <g stroke='#2b7543' stroke-width='4' stroke-linecap='round'><path d='M92 52v14M108 \
                70v14M92 96v14M108 116v14M53 78v8M147 68v8'/></g>\
                <g fill='#ff7aa2'><circle cx='92' cy='34' r='9'/><circle cx='108' cy='34' r='9'/>\
                <circle cx='100' cy='26' r='9'/></g><circle cx='100' cy='32' r='6' fill='#ffd84d'/>\
                <path d='M60 138h80l-10 42h-60z' fill='#c9673b'/>\
                <path d='M54 130h92v16h-92z' fill='#dd7f50'/>
                """,
            ground: ["#fff2c9", "#ffdf9a"]
        ),
        Item(
            id: "whale",
            name: "Whale",
            words: "Large. Polite. Sings in a key that only servers hear.",
            drawing: """
                <path d='M24 108q4-48 66-48q58 0 66 50l14-24q-18-4-18-26q18 0 22 14q8-14 24-12q0 \
                26-22 28q6 62-62 70q-84 6-90-52z' fill='#3b7dd8' transform='translate(-6 8)'/>\
                <path d='M28 124q30 24 82 18q22-3 34-14q-8 38-52 40q-54 2-64-44z' fill='#e6f1ff' \
                transform='translate(-6 8)'/><circle cx='54' cy='108' r='7' fill='#14274d'/>\
                <circle cx='52' cy='105' r='2.5' fill='#fff'/>\
                <path d='M78 56q-2-22-20-22M82 56q2-22 20-22M80 58v-30' fill='none' stroke='#fff' \
                stroke-width='7' stroke-linecap='round'/>
                """,
            ground: ["#c3ecff", "#7cc9f2"]
        ),
        Item(
            id: "mushroom",
            name: "Mushroom",
            words: "Do not eat. Looks lovely on a toolbar.",
            drawing: """
                <path d='M76 108h48q-6 34 6 62q-30 12-60 0q12-28 6-62z' fill='#fff3de'/>\
                <path d='M100 108h24q-6 34 6 62q-14 6-30 6z' fill='#eedcbd'/>\
                <path d='M30 116q0-80 70-80t70 80q-70 20-140 0z' fill='#dc3a3f'/>\
                <path d='M30 116q70 20 140 0q-2 10-8 12q-62 14-124 0q-6-2-8-12z' fill='#a82530'/>\
                <g fill='#fff'><circle cx='100' cy='66' r='15'/><circle cx='62' cy='90' r='11'/>\
                <circle cx='138' cy='92' r='12'/><circle cx='132' cy='58' r='7'/>\
                <circle cx='72' cy='58' r='6'/></g>
                """,
            ground: ["#dff3d0", "#a9d892"]
        ),
        Item(
            id: "moon",
            name: "Moon",
            words: "For do-not-disturb. Comes with three stars, batteries included.",
            drawing: """
                <path d='M128 36a68 68 0 1 0 38 96a56 56 0 0 1-38-96z' fill='#ffe08a'/>\
                <circle cx='86' cy='92' r='9' fill='#eec75f'/><circle cx='100' cy='136' r='12' \
                fill='#eec75f'/><circle cx='70' cy='124' r='6' fill='#eec75f'/>\
                <g fill='#fff'>\
                <path d='M150 52l5 13l13 5l-13 5l-5 13l-5-13l-13-5l13-5zM168 98l3 8l8\
                 3l-8 3l-3 8l-3-8l-8-3l8-3zM130 92l3 8l8 3l-8 3l-3 8l-3-8l-8-3l8-3z'/></g>
                """,
            ground: ["#1c2350", "#474a94"]
        ),
    ]
}
