import COpenSSL
import Glibc

/// The buffers that all TLS streams of one loop share.
///
/// Only one stream runs at a time, so one set of buffers is enough, and idle connections hold none.
final class TLSWindow {
    /// The buffer for received ciphertext.
    let received: UnsafeMutableRawBufferPointer
    /// The buffer for decrypted plaintext, as large as one read can complete.
    let opened: UnsafeMutableRawBufferPointer
    /// The buffer in which short pieces of plaintext are joined to one record.
    let gathered: UnsafeMutableRawBufferPointer
    /// The state that the BIO of a stream reads from and writes to.
    let state: UnsafeMutablePointer<parley_window>

    /// - Parameter readBytes: The greatest number of bytes of one read.
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

    /// Makes the first `count` received bytes the input of the next operations, of which at most
    /// `records` records are opened; the rest stays in `input`.
    func lend(_ count: Int, records: Int = 0) {
        state.pointee.input = received.baseAddress.map {
            UnsafePointer($0.assumingMemoryBound(to: UInt8.self))
        }
        state.pointee.input_count = count
        state.pointee.records_max = records
        state.pointee.records = 0
        state.pointee.key_updates = 0
        state.pointee.key_requests = 0
        state.pointee.tickets = 0
    }

    /// The lent ciphertext that is left.
    var input: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: state.pointee.input, count: state.pointee.input_count)
    }

    /// Fills the buffer for ciphertext with bytes left from an earlier turn; returns their number.
    func refill(with bytes: [UInt8]) -> Int {
        received.copyBytes(from: bytes)
        return bytes.count
    }

    /// The records that were opened since the last `lend`, or begun.
    var records: Int { min(state.pointee.records, state.pointee.records_max) }

    /// The ciphertext that the last operations made; valid until `clearOutput`.
    var output: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: state.pointee.output, count: state.pointee.output_count)
    }

    func clearOutput() {
        state.pointee.output_count = 0
    }
}
