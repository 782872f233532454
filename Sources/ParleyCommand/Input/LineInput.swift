import Dispatch
import Foundation
import Glibc
import ParleyAPI

/// The lines of a file or of standard input, read on a queue of its own because reading may block.
///
/// A byte-order mark at the beginning, which some editors write, is dropped.
///
/// Only one task may read at a time.
actor LineInput {
    private let queue = DispatchQueue(label: "parley.input")
    private let descriptor: Int32
    private var splitter = LineSplitter()
    private var lines: ArraySlice<[UInt8]> = []
    private var hasBegun = false
    private var hasEnded = false

    /// The limit of a line, in bytes: a picture of 4 MiB in base64 and its message.
    private static let lineBytesMax = 6 << 20

    /// Reads the lines of an open file, which stays open.
    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// The next line without its line end, nil after the last one.
    ///
    /// - Throws: a `Problem` if the file cannot be read, is UTF-16, or has a line that is too long.
    func next() async throws -> [UInt8]? {
        guard let line = try await nextLine() else { return nil }
        guard !hasBegun else { return line }
        hasBegun = true
        return try Self.first(line)
    }

    /// The text of the next line, nil after the last one.
    ///
    /// - Throws: as `next`, and a `Problem` if the line is not UTF-8.
    func nextText() async throws -> String? {
        guard let line = try await next() else { return nil }
        guard let text = String(validating: line, as: UTF8.self) else {
            throw Problem.badInput("The input is not UTF-8.", hint: "Save it as UTF-8.")
        }
        return text
    }

    private static func first(_ line: [UInt8]) throws(Problem) -> [UInt8] {
        if line.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(line.dropFirst(3)) }
        // Text in UTF-8 has no zero byte, and each line in UTF-16 has one.
        guard !line.contains(0), !line.starts(with: [0xFF, 0xFE]), !line.starts(with: [0xFE, 0xFF])
        else { throw .badInput("The input is not UTF-8; it looks like UTF-16.", hint: conversion) }
        return line
    }

    private static let conversion = "Convert it first, for example with: iconv -f UTF-16 -t UTF-8"

    private func nextLine() async throws -> [UInt8]? {
        while lines.isEmpty {
            guard !hasEnded else { return nil }
            let bytes = try await read()
            if bytes.isEmpty {
                hasEnded = true
                if let rest = splitter.finish() { lines = [rest] }
            } else {
                lines = splitter.add(bytes)[...]
                guard splitter.restCount <= Self.lineBytesMax else {
                    throw Problem(
                        .tooLarge,
                        "A line of the input has more than \(Self.lineBytesMax) bytes."
                    )
                }
            }
        }
        return lines.popFirst()
    }

    private func read() async throws -> [UInt8] {
        let descriptor = descriptor
        return try await withCheckedThrowingContinuation { done in
            queue.async {
                done.resume(with: Result { try Self.read(descriptor) })
            }
        }
    }

    private static func read(_ descriptor: Int32) throws -> [UInt8] {
        while true {
            var code: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
                let got = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                code = got < 0 ? errno : 0
                count = max(0, got)
            }
            if code == 0 { return bytes }
            guard code == EINTR else {
                let reason = String(cString: strerror(code))
                throw Problem(.unreadableInput, "The input cannot be read: \(reason).")
            }
        }
    }
}
