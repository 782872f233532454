import Foundation
import Messages

extension Sundae {
    /// The sundae as it stands, on a table in the afternoon.
    var picture: UIImage? { Self.picture(of: drawing, box: "0 0 300 300", width: 300, height: 300) }

    /// The part that was chosen last, alone, for a button.
    var icon: UIImage? {
        var alone = Drawing()
        if let topping {
            alone.drawTopScoop(Color(0xFFF0CC))
            alone.draw(topping)
            return Self.picture(of: alone, box: "70 5 160 150", width: 96, height: 90)
        }
        if let scoops {
            alone.draw(scoops)
            return Self.picture(of: alone, box: "50 25 200 187", width: 96, height: 90)
        }
        if let base {
            alone.drawBack(of: base)
            alone.drawFront(of: base)
        }
        return Self.picture(of: alone, box: "60 132 180 169", width: 96, height: 90)
    }

    /// All parts, from back to front.
    var drawing: Drawing {
        var drawing = Drawing()
        if let base { drawing.drawBack(of: base) }
        if let scoops { drawing.draw(scoops) }
        if let base { drawing.drawFront(of: base) }
        if let topping { drawing.draw(topping) }
        return drawing
    }

    private static func picture(
        of drawing: Drawing,
        box: String,
        width: Int,
        height: Int
    ) -> UIImage? {
        let table = """
            <defs><linearGradient id='sky' x1='0' y1='0' x2='0' y2='1'><stop \
            stop-color='#ffe9dc'/><stop offset='1' stop-color='#ffd3d8'/></linearGradient></defs>\
            <rect width='300' height='300' fill='url(#sky)'/>\
            <circle cx='52' cy='58' r='34' fill='#fff' opacity='.45'/>\
            <circle cx='252' cy='92' r='20' fill='#fff' opacity='.4'/>\
            <circle cx='262' cy='204' r='42' fill='#fff' opacity='.25'/>\
            <ellipse cx='150' cy='288' rx='84' ry='9' fill='#b5606e' opacity='.22'/>
            """
        let svg = """
            <svg xmlns='http://www.w3.org/2000/svg' width='\(width)' height='\(height)' \
            viewBox='\(box)'>\(box.hasPrefix("0 0") ? table : "")\(drawing.svg)</svg>
            """
        return UIImage(data: Data(svg.utf8))
    }
}

// MARK: Bases

extension Drawing {
    private static let wafer = Color(0xE2A55E)
    private static let edge = Color(0xB97734)

    mutating func drawBack(of base: Base) {
        switch base {
        case .cone: ellipse(150, 178, 64, 16, Self.edge.darker(0.2))
        case .bowl: ellipse(150, 186, 84, 20, Self.edge.darker(0.2))
        case .cup: ellipse(150, 178, 74, 17, Color(0xD9CFC4))
        case .glass:
            ellipse(150, 284, 44, 9, Color(0x8FB6C8))
            line(150, 246, 150, 282, width: 10, Color(0xA9CCDB))
            ellipse(150, 176, 72, 18, Color(0xBFDDE8))
        }
    }

    mutating func drawFront(of base: Base) {
        switch base {
        case .cone: drawCone()
        case .bowl: drawBowl()
        case .cup: drawCup()
        case .glass: drawGlass()
        }
    }

    private mutating func drawCone() {
        polygon(86, 178, 214, 178, 154, 294, 146, 294, color: Self.wafer)
        // Lines parallel to the two sides of the cone.
        for share in stride(from: 0.16, to: 1, by: 0.17) {
            let end = 180 + 112 * (1 - share)
            line(86 + 128 * share, 180, 150 + 63 * share, end, width: 2.6, Self.edge)
            line(214 - 128 * share, 180, 150 - 63 * share, end, width: 2.6, Self.edge)
        }
        polygon(86, 178, 112, 178, 152, 294, 146, 294, color: Color(0xFFFFFF, 0.18))
        polygon(82, 172, 218, 172, 212, 192, 88, 192, color: Color(0xF0BD7C))
        polygon(82, 172, 218, 172, 216, 178, 84, 178, color: Color(0xFFDDA8))
    }

    private mutating func drawBowl() {
        var outline = (0...36).map { step in
            let angle = Double(step) / 36 * .pi
            return CGPoint(x: 150 + cos(angle) * 88, y: 188 + sin(angle) * 92)
        }
        outline = outline.map { CGPoint(x: $0.x, y: min($0.y, 276)) }
        polygon(outline, Self.wafer)
        for step in 0..<7 {
            let x = 78 + Double(step) * 24
            let depth = 264 - abs(x - 150) * 0.55
            line(x, 196, 150 + (x - 150) * 0.5, depth, width: 3, Self.edge)
        }
        for (y, half) in [(212.0, 82.0), (236, 72), (258, 54)] {
            line(150 - half, y, 150 + half, y, width: 3, Self.edge)
        }
        // The rim is wavy, as it came out of the iron.
        let wave = (0...60).map { step -> CGPoint in
            let x = 56 + Double(step) / 60 * 188
            return CGPoint(x: x, y: 184 + sin(Double(step) * 0.84) * 4)
        }
        polygon(
            wave + wave.reversed().map { CGPoint(x: $0.x, y: $0.y + 16) },
            Color(0xF0BD7C)
        )
        ellipse(100, 222, 10, 24, Color(0xFFFFFF, 0.22), turned: 14)
    }

    private mutating func drawCup() {
        polygon(76, 180, 224, 180, 204, 288, 96, 288, color: Color(0xFFF8F0))
        let stripes = 7
        for stripe in stride(from: 0, to: stripes, by: 2) {
            let (a, b) = (Double(stripe) / 7, Double(stripe + 1) / 7)
            polygon(
                76 + 148 * a,
                180,
                76 + 148 * b,
                180,
                96 + 108 * b,
                288,
                96 + 108 * a,
                288,
                color: Color(0xF2647C)
            )
        }
        polygon(196, 180, 224, 180, 204, 288, 184, 288, color: Color(0x7A1F3D, 0.12))
        polygon(70, 172, 230, 172, 228, 188, 72, 188, color: Color(0xFFFFFF))
        polygon(70, 184, 230, 184, 229, 188, 71, 188, color: Color(0x7A1F3D, 0.1))
    }

    private mutating func drawGlass() {
        polygon(80, 178, 220, 178, 176, 252, 124, 252, color: Color(0xD8EEF6, 0.55))
        polygon(96, 206, 204, 206, 176, 250, 124, 250, color: Color(0xF48FB1, 0.55))
        polygon(104, 218, 196, 218, 176, 250, 124, 250, color: Color(0xC2406B, 0.5))
        polygon(92, 184, 106, 184, 136, 246, 128, 246, color: Color(0xFFFFFF, 0.55))
        polygon(76, 172, 224, 172, 221, 180, 79, 180, color: Color(0xFFFFFF, 0.75))
        ellipse(150, 254, 16, 6, Color(0xA9CCDB))
        ellipse(138, 281, 18, 3, Color(0xFFFFFF, 0.6))
    }
}

// MARK: Scoops

extension Drawing {
    mutating func draw(_ scoops: Scoops) {
        drawScoop(112, 146, 47, scoops.colors[0])
        drawScoop(188, 146, 47, scoops.colors[1])
        drawTopScoop(scoops.colors[2])
    }

    mutating func drawTopScoop(_ color: Color) { drawScoop(150, 92, 50, color) }

    private mutating func drawScoop(_ x: Double, _ y: Double, _ radius: Double, _ color: Color) {
        // The skirt, where the scoop was pressed down.
        polygon(
            (0..<72).map { step in
                let angle = Double(step) / 72 * 2 * .pi
                let ripple = 1 + sin(angle * 9 + x) * 0.045
                return CGPoint(
                    x: x + cos(angle) * radius * 1.1 * ripple,
                    y: y + radius * 0.66 + sin(angle) * radius * 0.36 * ripple
                )
            },
            color.darker(0.1)
        )
        // The lower right side lies in the shade.
        ellipse(x, y, radius, radius, color.darker(0.08))
        ellipse(x - radius * 0.05, y - radius * 0.07, radius * 0.94, radius * 0.92, color)
        ellipse(
            x - radius * 0.34,
            y - radius * 0.46,
            radius * 0.32,
            radius * 0.2,
            Color(0xFFFFFF, 0.5),
            turned: -32
        )
        ellipse(
            x - radius * 0.62,
            y - radius * 0.06,
            radius * 0.08,
            radius * 0.13,
            Color(0xFFFFFF, 0.45),
            turned: 10
        )
        for (dx, dy) in [(0.3, -0.5), (0.55, -0.05), (-0.1, 0.1), (0.15, 0.45), (-0.5, 0.4)] {
            ellipse(x + radius * dx, y + radius * dy, 2.6, 2, color.darker(0.22), turned: 30)
        }
    }
}
