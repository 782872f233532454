import ParleyCore

/// Items of CBOR of any kind, and the values of the core that are one item.
struct CBORTarget: FuzzTarget {
    var heapFactor: Int? { 4 }

    func run(_ bytes: [UInt8]) {
        let slice = Slice(bytes)
        skip(slice)
        numbers(slice)
        if let body = try? MessageBody(decoding: slice) {
            let again = try? MessageBody(decoding: Slice(body.encoded()))
            promise(again == body, "a body that is written is another one")
        }
        if let game = try? MatchGame(decoding: slice) {
            let again = try? MatchGame(decoding: Slice(game.encoded()))
            promise(again?.encoded() == game.encoded(), "a game that is written is another one")
        }
        if let lines = try? SessionLines(decoding: slice) {
            let again = try? SessionLines(decoding: Slice(lines.encoded()))
            promise(again?.encoded() == lines.encoded(), "lines that are written are others")
        }
    }

    /// Skips items until one is refused; each has at least one byte.
    private func skip(_ slice: Slice) {
        var reader = CBORReader(slice)
        do throws(CodecError) {
            while reader.position < slice.count {
                let before = reader.position
                try reader.skip()
                promise(reader.position > before, "an item of no byte")
            }
            try reader.finish()
        } catch {
            promise(reader.position <= slice.count, "a position behind the end")
        }
    }

    /// A number that is read has one encoding only.
    private func numbers(_ slice: Slice) {
        var reader = CBORReader(slice)
        guard let number = try? reader.unsigned() else { return }
        var writer = CBORWriter()
        writer.unsigned(number)
        promise(Slice(writer.finish()) == slice[0..<reader.position], "a number of two encodings")
    }
}
