import COpenSSL
import Glibc

/// The memory that all TLS streams of one loop share: one runs at a time, so one is enough, and an
/// idle connection holds none.
final class TLSWindow {
    /// Where ciphertext is received.
    let received: UnsafeMutableRawBufferPointer
    /// Where plaintext is opened: all that one read can complete.
    let opened: UnsafeMutableRawBufferPointer
    /// Where short pieces of plaintext become one record.
    let gathered: UnsafeMutableRawBufferPointer
    /// What the BIO of a stream reads and writes.
    let state: UnsafeMutablePointer<parley_window>

    /// - Parameter readBytes: The largest read.
    init(readBytes: Int) {
        received = .allocate(byteCount: readBytes, alignment: 64)
        opened = .allocate(byteCount: readBytes + TLSStream.recordBytes, alignment: 64)
        gathered = .allocate(byteCount: TLSStream.recordBytes, alignment: 64)
        state = .allocate(capacity: 1)
        state.initialize(to: parley_window())
    }

    deinit {
        free(state.pointee.output)
        state.deallocate()
        gathered.deallocate()
        opened.deallocate()
        received.deallocate()
    }

    /// The first `count` received bytes are what the next operation reads.
    func lend(_ count: Int) {
        state.pointee.input = received.baseAddress.map {
            UnsafePointer($0.assumingMemoryBound(to: UInt8.self))
        }
        state.pointee.input_count = count
    }

    /// Ciphertext that the last operations made; gone with `clearOutput`.
    var output: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: state.pointee.output, count: state.pointee.output_count)
    }

    func clearOutput() {
        state.pointee.output_count = 0
    }
}
