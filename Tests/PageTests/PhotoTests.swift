import Foundation
import Glibc
import PageSupport
import TestSupport
import Testing
import WebDriver

/// Photos are sent as large as screens are; what is no photo is sent as it is.
@Suite(
    .serialized,
    .enabled(if: BrowserDriver.isInstalled || geteuid() == 0),
    .timeLimit(.minutes(5)),
    .sharedPair
)
struct PhotoTests {
    private let alice: Browser
    private let bob: Browser
    private let folder: TestDirectory

    init() async throws {
        let pair = try #require(PagePair.current)
        try await pair.begin()
        (alice, bob) = (pair.alicesPage, pair.bobsPage)
        folder = try TestDirectory()
    }

    /// Chooses a file and waits until it is staged; returns its checkbox for the original.
    private func choose(_ name: String, _ bytes: Data, as staged: String? = nil) async throws
        -> Element?
    {
        try alice.first("input[type=file]").type(try folder.write(name, bytes))
        _ = try await alice.find("button", "Remove \(staged ?? name)")
        return try alice.present("checkbox", "Send the original")
    }

    /// The points and the bytes of the picture that has come, as the browser shows it.
    private func received(_ name: String) async throws -> [Double] {
        try await alice.find("button", "Send").click()
        _ = try await bob.find("button", "Show \(name)")
        let script = """
            const [name, done] = arguments;
            const image = [...document.images].find(({ alt }) => alt === name);
            fetch(image.src).then((answer) => answer.blob()).then(async (blob) => {
                const { width, height } = await createImageBitmap(blob);
                done([width, height, blob.size]);
            });
            """
        return try bob.runLater(script, .text(name)).array?.compactMap(\.number) ?? []
    }

    @Test func aLargePhotoIsScaledDownAndStandsUpright() async throws {
        // Its camera was turned by a quarter.
        let photo = try alice.noise("image/jpeg", width: 3_000, height: 1_500).turnedByAQuarter
        let original = try await choose("beach.jpg", photo)
        #expect(original != nil)
        #expect(try alice.present("checkbox", "Keep place, time and camera") == nil)
        try await alice.inspect("photo-scaled", sizes: [(320, 568), (1_440, 900)])
        let got = try await received("beach.jpg")
        #expect(got.prefix(2) == [1_024, 2_048])
        #expect(try #require(got.last) < Double(photo.count))
    }

    @Test func theOriginalIsSentIfThePersonWantsIt() async throws {
        let photo = try alice.noise("image/jpeg", width: 2_400, height: 600, grain: 2)
        let original = try #require(try await choose("wide.jpg", photo))
        try original.click()
        try await eventually("the original") {
            try alice.run("return document.querySelector('.staged input').checked") == true
        }
        #expect(try await received("wide.jpg").prefix(2) == [2_400, 600])
    }

    /// Regression: a photo of a phone, of more than 4 MB, was refused.
    @Test func aPhotoOfMoreThanFourMegabytesIsSent() async throws {
        let photo = try alice.noise("image/jpeg", width: 5_000, height: 4_000, grain: 2)
        try #require(photo.count > 4 << 20)
        let original = try #require(try await choose("phone.jpg", photo))
        try original.click()
        // The original is offered as any large file.
        try await eventually("what happens with the original") {
            try alice.seen.contains("sent to whoever accepts it.")
        }
        try original.click()
        try await eventually("the small one") {
            try !alice.seen.contains("sent to whoever accepts it.")
        }
        #expect(try await received("phone.jpg").prefix(2) == [2_048, 1_638])
    }

    /// A photo that some program has kept as a PNG is one all the same.
    @Test func aPNGIsScaledOnlyIfItIsAPhoto() async throws {
        let photo = try alice.noise("image/png", width: 2_200, height: 300, grain: 1)
        #expect(try await choose("tower.png", photo, as: "tower.jpg") != nil)
        #expect(try await received("tower.jpg").prefix(2) == [2_048, 279])
        let drawing = try alice.drawn(width: 2_200, height: 300)
        #expect(try await choose("drawing.png", drawing) == nil)
        #expect(try await received("drawing.png").prefix(2) == [2_200, 300])
        let clear = try alice.noise("image/png", width: 2_200, height: 300, grain: 1, isClear: true)
        #expect(try await choose("clear.png", clear) == nil)
    }

    @Test func whatIsSmallOrNoPhotoStaysAsItIs() async throws {
        let small = try alice.noise("image/jpeg", width: 2_048, height: 16)
        #expect(try await choose("small.jpg", small) == nil)
        let svg = Data(#"<svg xmlns="http://www.w3.org/2000/svg" width="9000" height="9"/>"#.utf8)
        #expect(try await choose("line.svg", svg) == nil)
        let broken = Data([0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 0x20, 0, 0x20, 0, 3, 1, 2, 3, 4, 5, 6])
        try alice.first("input[type=file]").type(try folder.write("broken.jpg", broken))
        try await eventually("what the node says of it") {
            try alice.run("return document.querySelector('.composer .problem') !== null") == true
        }
    }
}

extension Browser {
    /// A picture of squares of many colors, as the browser makes it; `grain` is the side of one.
    fileprivate func noise(
        _ type: String,
        width: Int,
        height: Int,
        grain: Int = 8,
        isClear: Bool = false
    ) throws -> Data {
        let script = """
            const [type, width, height, grain, isClear] = arguments;
            const small = document.createElement("canvas");
            [small.width, small.height] = [Math.ceil(width / grain), Math.ceil(height / grain)];
            const image = new ImageData(small.width, small.height);
            let state = 1;
            for (let at = 0; at < image.data.length; at += 1) {
                state = Math.imul(state, 1664525) + 1013904223 >>> 0;
                image.data[at] = at % 4 === 3 ? (isClear && at % 8 === 3 ? 0 : 255) : state >>> 24;
            }
            small.getContext("2d").putImageData(image, 0, 0);
            const area = document.createElement("canvas");
            [area.width, area.height] = [width, height];
            const context = area.getContext("2d");
            context.imageSmoothingEnabled = false;
            context.drawImage(small, 0, 0, width, height);
            return area.toDataURL(type, 0.95).split(",")[1];
            """
        let sizes = [width, height, grain].map { JSONValue.number(Double($0)) }
        let answer = try run(script, .text(type), sizes[0], sizes[1], sizes[2], .bool(isClear))
        return Data(base64Encoded: answer.text ?? "") ?? Data()
    }
}
