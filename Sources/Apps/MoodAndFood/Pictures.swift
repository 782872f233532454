import Foundation
import Messages

/// How somebody can feel; the raw value is the word in sentences and in URLs.
enum Mood: String, CaseIterable {
    case happy, cosy, excited, tired, grumpy, blue

    /// A face on a ground in the color of the mood.
    var picture: UIImage? {
        SVG.picture(
            """
            <rect width='240' height='240' fill='#fff'/>
            <rect width='240' height='240' fill='\(look.top)' opacity='.3'/>
            <ellipse cx='120' cy='216' rx='62' ry='8' opacity='.12'/>\(face)
            """
        )
    }

    /// The face alone, for a button.
    var icon: UIImage? { SVG.picture(face, side: 96) }

    private var face: String {
        """
        <defs><linearGradient id='g' x1='0' y1='0' x2='0' y2='1'>\
        <stop stop-color='\(look.top)'/><stop offset='1' stop-color='\(look.bottom)'/>\
        </linearGradient></defs><circle cx='120' cy='118' r='88' fill='url(#g)'/>
        <ellipse cx='92' cy='64' rx='34' ry='16' fill='#fff' opacity='.35' \
        transform='rotate(-24 92 64)'/>
        <g fill='none' stroke='#3a2b22' stroke-width='9' stroke-linecap='round'>
        \(look.features)</g>
        """
    }

    private var look: (top: String, bottom: String, features: String) {
        let eyes = "<path d='M90 100v12M150 100v12' stroke-width='15'/>"
        let cheeks = """
            <g stroke='none' fill='#ff6f61' opacity='.4'><circle cx='70' cy='142' r='13'/>\
            <circle cx='170' cy='142' r='13'/></g>
            """
        return switch self {
        case .happy:
            ("#ffe27a", "#ffbe3d", eyes + cheeks + "<path d='M80 140q40 46 80 0'/>")
        case .cosy:
            (
                "#ffd3b6", "#ff9f80",
                "<path d='M76 110q14 -16 28 0M136 110q14 -16 28 0'/>" + cheeks
                    + "<path d='M98 148q22 20 44 0'/>"
            )
        case .excited:
            (
                "#ffb3d1", "#ff6fa5",
                "<path d='M76 92l26 14l-26 14M164 92l-26 14l26 14'/>"
                    + "<path d='M84 138q36 58 72 0z' fill='#7a1f3d'/>"
            )
        case .tired:
            (
                "#cfd8ff", "#98a8ea",
                "<path d='M76 108h28M136 108h28'/><ellipse cx='120' cy='152' rx='14' ry='18' "
                    + "fill='#3a2b52' stroke='none'/>"
                    + "<path d='M176 50h22l-22 24h22' stroke='#7f90e0' stroke-width='7'/>"
            )
        case .grumpy:
            (
                "#ffb199", "#ef6a4c",
                eyes + "<path d='M72 82l34 14M168 82l-34 14M88 158q32 -28 64 0'/>"
            )
        case .blue:
            (
                "#b5e0f7", "#63b2e0",
                eyes + "<path d='M92 158q28 -24 56 0'/>"
                    + "<path d='M160 122q-14 22 0 28q14 -6 0 -28z' fill='#2f7fd1' stroke='none'/>"
            )
        }
    }
}

/// A dish; the raw value is the word in sentences and in URLs.
enum Food: String, CaseIterable {
    case ramen, pizza, salad, pancakes, dumplings, soup

    /// A line about the dish, for the list.
    var words: String {
        switch self {
        case .ramen: "Noodles, egg and spring onions in broth"
        case .pizza: "Tomato, basil and too much cheese"
        case .salad: "Everything green, and one tomato"
        case .pancakes: "A stack of three, with syrup"
        case .dumplings: "Steamed, six of them, do not count"
        case .soup: "Pumpkin, with a swirl of cream"
        }
    }

    /// The dish on a table cloth.
    var picture: UIImage? {
        SVG.picture(
            """
            <rect width='240' height='240' fill='#fdeed9'/>
            <g fill='#f3c9a4' opacity='.35'><path d='M0 0h60v60H0zM120 0h60v60h-60zM60 60h60v60H60z\
            M180 60h60v60h-60zM0 120h60v60H0zM120 120h60v60h-60zM60 180h60v60H60z\
            M180 180h60v60h-60z'/></g>
            \(dish)
            """
        )
    }

    /// The dish alone, for a button and for a list.
    var icon: UIImage? { SVG.picture(dish, side: 96) }
    var thumbnail: UIImage? { SVG.picture(dish, side: 56) }

    private var dish: String {
        let plate = """
            <ellipse cx='120' cy='130' rx='98' ry='92' fill='#c9a27e' opacity='.35'/>\
            <circle cx='120' cy='120' r='96' fill='#fff'/>\
            <circle cx='120' cy='120' r='76' fill='#f1f3f5'/>
            """
        let bowl = """
            <ellipse cx='120' cy='132' rx='98' ry='90' fill='#c9a27e' opacity='.35'/>\
            <circle cx='120' cy='120' r='94' fill='#cf4b3f'/>\
            <circle cx='120' cy='120' r='82' fill='#fff6ea'/>
            """
        return switch self {
        case .ramen:
            bowl + """
                <circle cx='120' cy='120' r='76' fill='#e9b872'/>
                <g fill='none' stroke='#fbe6b5' stroke-width='8' stroke-linecap='round'>\
                <path d='M62 110q30 -30 60 0t54 -4M60 132q32 -28 60 0t58 -2\
                M72 156q28 -24 50 0t44 -4'/>\
                </g><ellipse cx='152' cy='96' rx='26' ry='22' fill='#fff'/>\
                <circle cx='152' cy='97' r='12' fill='#f6a821'/>
                <g fill='#5f9e4b'><circle cx='92' cy='88' r='8'/><circle cx='108' cy='150' r='7'/>\
                <circle cx='150' cy='150' r='8'/><circle cx='80' cy='128' r='6'/></g>
                """
        case .pizza:
            plate + """
                <circle cx='120' cy='120' r='78' fill='#d9964a'/>\
                <circle cx='120' cy='120' r='67' fill='#f7cf63'/>
                <g fill='#cc3f32'><circle cx='92' cy='94' r='15'/><circle cx='146' cy='88' r='15'/>\
                <circle cx='156' cy='142' r='15'/><circle cx='98' cy='150' r='15'/></g>
                <g fill='#4f8f3f'><ellipse cx='120' cy='118' rx='14' ry='7' \
                transform='rotate(-30 120 118)'/><ellipse cx='122' cy='66' rx='11' ry='6'/>\
                <ellipse cx='68' cy='126' rx='11' ry='6' transform='rotate(50 68 126)'/></g>
                """
        case .salad:
            plate + """
                <g fill='#7fbf5a'><circle cx='88' cy='104' r='36'/>\
                <circle cx='144' cy='96' r='38'/>\
                <circle cx='120' cy='148' r='42'/></g>
                <g fill='#a4d878'><circle cx='112' cy='96' r='24'/>\
                <circle cx='148' cy='132' r='24'/><circle cx='92' cy='140' r='22'/></g>\
                <circle cx='120' cy='118' r='22' fill='#e2503f'/>\
                <circle cx='113' cy='110' r='6' fill='#fff' opacity='.5'/>
                """
        case .pancakes:
            plate + """
                <ellipse cx='120' cy='148' rx='66' ry='34' fill='#b9742f'/>\
                <ellipse cx='120' cy='138' rx='66' ry='34' fill='#e6ab5c'/>\
                <ellipse cx='120' cy='124' rx='64' ry='33' fill='#b9742f'/>\
                <ellipse cx='120' cy='114' rx='64' ry='33' fill='#efbd70'/>
                <path d='M74 104q46 -30 92 0q6 30 -10 30q-8 0 -8 -16q-26 12 -48 0q-2 34 -14 30\
                q-14 -6 -12 -44z' fill='#8f4a14' opacity='.85'/>
                <rect x='104' y='88' width='32' height='20' rx='5' fill='#fff1a8'/>
                """
        case .dumplings:
            plate
                + [(84, 96), (136, 86), (166, 130), (74, 144), (122, 138), (140, 178)]
                .map { x, y in
                    """
                    <path d='M\(x - 28) \(y + 12)q28 -52 56 0q-28 14 -56 0z' fill='#fff3da' \
                    stroke='#d9b98a' stroke-width='3'/><path d='M\(x - 10) \(y - 4)l4 10M\(x) \
                    \(y - 8)v12M\(x + 10) \(y - 4)l-4 10' stroke='#d9b98a' stroke-width='3' \
                    stroke-linecap='round'/>
                    """
                }.joined()
        case .soup:
            bowl + """
                <circle cx='120' cy='120' r='76' fill='#ef8f32'/>\
                <path d='M120 120m-40 0a40 34 0 1 1 70 22a26 22 0 1 1 -44 -22' fill='none' \
                stroke='#fff0d6' stroke-width='9' stroke-linecap='round'/>
                <g fill='#4f7f3a'><circle cx='150' cy='84' r='5'/><circle cx='90' cy='168' r='5'/>\
                <circle cx='160' cy='156' r='4'/></g>
                """
        }
    }
}

/// Makes pictures of drawings on an area of 240 by 240.
private enum SVG {
    static func picture(_ drawing: String, side: Int = 240) -> UIImage? {
        let svg = """
            <svg xmlns='http://www.w3.org/2000/svg' width='\(side)' height='\(side)' \
            viewBox='0 0 240 240'>\(drawing)</svg>
            """
        return UIImage(data: Data(svg.utf8))
    }
}
