import Foundation

extension Drawing {
    mutating func draw(_ topping: Topping) {
        switch topping {
        case .cherry:
            drawCherry(150, 38, 19)
        case .sprinkles: drawSprinkles()
        case .sauce: drawSauce()
        case .cream: drawCream()
        case .fruit: drawFruit()
        }
    }

    private mutating func drawCherry(_ x: Double, _ y: Double, _ radius: Double) {
        line(x + 1, y - radius * 0.7, x + 9, y - radius * 1.5, width: 3.4, Color(0x5C7A29))
        line(x + 8.6, y - radius * 1.45, x + 22, y - radius * 1.95, width: 3.4, Color(0x5C7A29))
        ellipse(x, y, radius, radius * 0.95, Color(0xD3122F))
        ellipse(x + 3, y + 5, radius * 0.7, radius * 0.55, Color(0x7C0018, 0.25))
        ellipse(x - 7, y - 7, radius * 0.3, radius * 0.2, Color(0xFFFFFF, 0.75), turned: -35)
    }

    private mutating func drawSprinkles() {
        let colors = [0xFF4F79, 0xFFD23F, 0x3BCEAC, 0x4F86F7, 0xFF8C42, 0xB15DFF] as [UInt32]
        let places = [
            (128, 58), (150, 52), (172, 60), (116, 78), (140, 74), (163, 78), (186, 84), (128, 98),
            (152, 98), (176, 104), (112, 106), (92, 122), (84, 146), (108, 138), (126, 156),
            (170, 136), (190, 122), (208, 134), (222, 150), (186, 152), (100, 162), (206, 164),
        ]
        for (index, place) in places.enumerated() {
            let angle = Double(index * 67 % 180) / 180 * .pi
            let (x, y) = (Double(place.0), Double(place.1))
            let (dx, dy) = (cos(angle) * 6.5, sin(angle) * 6.5)
            let color = Color(colors[index % colors.count])
            line(x - dx, y - dy, x + dx, y + dy, width: 5.4, color)
            ellipse(x - dx, y - dy, 2.7, 2.7, color)
            ellipse(x + dx, y + dy, 2.7, 2.7, color)
        }
    }

    private mutating func drawSauce() {
        let sauce = Color(0x4A2413)
        // The upper half of the top scoop, with drops that run down from it.
        let drops = [16.0, 4, 26, 8, 20, 2, 30, 10, 14]
        let cap = (0...40).map { step -> CGPoint in
            let angle = .pi + Double(step) / 40 * .pi
            return CGPoint(x: 150 + cos(angle) * 52, y: 92 + sin(angle) * 52)
        }
        let hem = (0...54).map { step -> CGPoint in
            let share = Double(step) / 54
            let drop = drops[min(Int(share * 9), 8)]
            let bump = abs(sin(share * 9 * .pi))
            return CGPoint(x: 202 - share * 104, y: 94 + drop * bump + 4 * (1 - bump))
        }
        polygon(cap + hem, sauce)
        ellipse(130, 66, 16, 8, Color(0xFFFFFF, 0.35), turned: -32)
        ellipse(172, 112, 3, 6, Color(0xFFFFFF, 0.2))
        for (x, y) in [(150.0, 46.0), (132, 52), (168, 52), (150, 62)] {
            ellipse(x, y, 6, 4.4, Color(0xC98F4E), turned: x)
            ellipse(x - 1.4, y - 1.2, 2.4, 1.4, Color(0xFFFFFF, 0.4), turned: x)
        }
    }

    private mutating func drawCream() {
        // The wafer stands behind the cream.
        polygon(176, 4, 196, 12, 176, 70, 158, 62, color: Color(0xE2A55E))
        line(178, 16, 190, 21, width: 2.6, Color(0xB97734))
        line(173, 30, 185, 35, width: 2.6, Color(0xB97734))
        line(168, 44, 180, 49, width: 2.6, Color(0xB97734))
        let (cream, shadow) = (Color(0xFFFDF7), Color(0xE3D5C5))
        for (x, y, size) in [
            (122.0, 66.0, 19.0), (178, 66, 19), (150, 70, 22), (136, 48, 18), (163, 48, 18),
            (150, 32, 14),
        ] {
            ellipse(x, y + 3, size, size * 0.8, shadow)
            ellipse(x, y, size, size * 0.8, cream)
        }
        polygon(139, 28, 161, 28, 153, 10, color: cream)
        ellipse(144, 30, 5, 3, Color(0xFFFFFF), turned: -30)
    }

    private mutating func drawFruit() {
        ellipse(196, 58, 22, 9, Color(0x74B85E), turned: 12)
        line(180, 55, 212, 61, width: 1.8, Color(0x3F7A34))
        // A strawberry between blueberries.
        polygon(
            (0..<48).map { step in
                let angle = Double(step) / 48 * 2 * .pi
                let narrow = 1 - max(0, sin(angle)) * 0.42
                return CGPoint(x: 150 + cos(angle) * 23 * narrow, y: 42 + sin(angle) * 26)
            },
            Color(0xE8304A)
        )
        for (x, y) in [(142.0, 38.0), (157, 36), (150, 50), (140, 50), (160, 48), (150, 60)] {
            ellipse(x, y, 1.5, 2.4, Color(0xFFE08A))
        }
        for x in stride(from: 134.0, through: 166, by: 8) {
            polygon(x - 5, 22, x + 5, 22, x + (x - 150) * 0.1, 31, color: Color(0x5FA04E))
        }
        ellipse(141, 32, 5, 3, Color(0xFFFFFF, 0.5), turned: -40)
        for (x, y, radius) in [(184.0, 70.0, 14.0), (178, 50, 12)] {
            ellipse(x, y, radius, radius, Color(0x4257B2))
            ellipse(x + 3, y - 3, radius * 0.36, radius * 0.3, Color(0x2C3A80))
            ellipse(x - 5, y - 6, 4, 2.4, Color(0xFFFFFF, 0.5), turned: -30)
        }
        // A slice of an orange leans on the other side.
        ellipse(114, 66, 19, 19, Color(0xF58A1F))
        ellipse(114, 66, 16, 16, Color(0xFFF1D0))
        ellipse(114, 66, 14, 14, Color(0xFFAE42))
        for angle in stride(from: 0.0, to: 180, by: 45) {
            let (dx, dy) = (cos((angle + 12) / 180 * .pi) * 14, sin((angle + 12) / 180 * .pi) * 14)
            line(114 - dx, 66 - dy, 114 + dx, 66 + dy, width: 2, Color(0xFFF1D0))
        }
    }
}
