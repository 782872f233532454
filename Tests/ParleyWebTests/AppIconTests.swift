import Foundation
import Messages
import MessagesHost
import ParleyAPI
import ParleyWeb
import SampleTicTacToe
import StickerSheet
import Testing

/// The icons of apps, and the lines about them.
@Suite(.timeLimit(.minutes(20))) struct AppIconTests {
    @Test func thePageHasTheIconOfAnApp() async throws {
        try await ControlBench.with { bench in
            let answer = try await bench.page.call("GET", "/v1/page")
            let page = try JSON.decode(PageDocument.self, from: answer.body)
            #expect(page.apps.map(\.line) == ["Three in a row win", nil, nil, nil])
            #expect(page.icons.mapValues(\.data) == ["parley.tictactoe": TicTacToe.icon])
            #expect(page.icons.values.map(\.type) == ["image/svg+xml"])
        }
    }

    struct Icon: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: Data
        let isTaken: Bool
    }

    static let icons = [
        Icon(testDescription: "PNG", bytes: StickerSheet.star, isTaken: true),
        Icon(testDescription: "SVG", bytes: TicTacToe.icon, isTaken: true),
        Icon(testDescription: "HTML", bytes: Data("<html></html>".utf8), isTaken: false),
        Icon(testDescription: "nothing", bytes: Data(), isTaken: false),
        Icon(
            testDescription: "the largest",
            bytes: StickerSheet.star
                + Data(count: HostedApp.iconBytesMax - StickerSheet.star.count),
            isTaken: true
        ),
        Icon(
            testDescription: "too large",
            bytes: StickerSheet.star
                + Data(count: HostedApp.iconBytesMax + 1 - StickerSheet.star.count),
            isTaken: false
        ),
    ]

    @Test(arguments: icons)
    func onlySmallPicturesAreIcons(_ icon: Icon) {
        let app = HostedApp(TicTacToe.self, icon: icon.bytes)
        #expect((app.icon != nil) == icon.isTaken)
    }
}
