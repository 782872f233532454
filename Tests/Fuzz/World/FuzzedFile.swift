import Glibc

/// Files in memory for readers that take no bytes.
enum FuzzedFile {
    static func read(_ path: String) -> [UInt8] {
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Int(lseek(descriptor, 0, SEEK_END)))
        pread(descriptor, &bytes, bytes.count, 0)
        return bytes
    }

    static func write(_ bytes: [UInt8], to path: String) {
        let descriptor = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0o600)
        pwrite(descriptor, bytes, bytes.count, 0)
        close(descriptor)
    }
}
