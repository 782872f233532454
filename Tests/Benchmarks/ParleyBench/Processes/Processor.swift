import Glibc

/// The processors of this machine.
enum Processor {
    /// Pins the process to the processor of its role, or lets it run on all of them.
    ///
    /// A thread inherits the processors of the one that makes it, and a process those of its
    /// parent. So the first thread calls this before there is another one: a thread of libdispatch
    /// that is made earlier would disturb the other process of the measurement.
    static func pin(_ arguments: ArraySlice<String>) {
        switch arguments.first {
        case "node":
            // Arguments that cannot be read end the process later, in `NodeChild.run`.
            let order = try? NodeChild.Order(arguments.dropFirst())
            allow([order?.processor ?? 0])
        case "local", "floor", "broker": allow([0])
        case "program", "page", "strangers": allow(Array(0..<count))
        default: allow([1])
        }
    }

    /// Does nothing if the machine has none of these processors.
    private static func allow(_ numbers: [Int]) {
        typealias Call = @convention(c) (pid_t, Int, UnsafeRawPointer?) -> Int32
        // sched_setaffinity is not imported into Swift.
        guard let symbol = dlsym(nil, "sched_setaffinity") else { return }
        let call = unsafeBitCast(symbol, to: Call.self)
        var set = [UInt8](repeating: 0, count: 128)
        for number in numbers { set[number / 8] |= 1 << (number % 8) }
        _ = set.withUnsafeBytes { call(0, $0.count, $0.baseAddress) }
    }

    /// The model name of the first processor.
    static var name: String {
        TextFile.line(startingWith: "model name", of: "/proc/cpuinfo") ?? "unknown processor"
    }

    static var count: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }
}

/// Reads text files of /proc.
enum TextFile {
    /// The text after the colon in the first line that starts with `key`.
    static func line(startingWith key: String, of path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 1_024)
        while fgets(&buffer, Int32(buffer.count), file) != nil {
            let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            let line = String(decoding: bytes, as: UTF8.self)
            guard line.hasPrefix(key), let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...]
            return String(
                value.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
            )
        }
        return nil
    }
}
