import GRDB
import GRDBSQLite
import ParleyCore

/// A prepared statement whose parameters and columns are accessed without boxing.
///
/// A statement is valid inside the database access in which it was made; GRDB caches the compiled
/// form. As in SQLite, the indices of parameters start at 1 and those of columns at 0. The bytes
/// passed to `bind(borrowed:)` must stay valid until `run` or `reset`.
struct BoundStatement {
    private let statement: Statement
    private let handle: SQLiteStatement
    private let connection: SQLiteConnection
    private let path: String

    /// `SQLITE_TRANSIENT`: tells SQLite to copy the bound value.
    private static var transient: sqlite3_destructor_type {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }

    init(_ sql: String, in database: Database, path: String) throws {
        guard let connection = database.sqliteConnection else { throw StoreError.closed }
        statement = try database.cachedStatement(sql: sql)
        handle = statement.sqliteStatement
        self.connection = connection
        self.path = path
    }

    // MARK: Parameters

    func bind(_ value: Int64, at index: Int32) throws(StoreError) {
        try check(sqlite3_bind_int64(handle, index, value))
    }

    func bind(_ value: UInt64, at index: Int32) throws(StoreError) {
        try bind(Int64(bitPattern: value), at: index)
    }

    func bind(_ bytes: [UInt8]?, at index: Int32) throws(StoreError) {
        guard let bytes else { return try check(sqlite3_bind_null(handle, index)) }
        let code = bytes.withUnsafeBytes { buffer in
            buffer.baseAddress.map { address in
                sqlite3_bind_blob64(handle, index, address, UInt64(buffer.count), Self.transient)
            } ?? sqlite3_bind_zeroblob(handle, index, 0)
        }
        try check(code)
    }

    func bind(_ text: String, at index: Int32) throws(StoreError) {
        var text = text
        let code = text.withUTF8 { buffer in
            buffer.withMemoryRebound(to: CChar.self) { characters in
                sqlite3_bind_text64(
                    handle,
                    index,
                    characters.baseAddress,
                    UInt64(characters.count),
                    Self.transient,
                    UInt8(SQLITE_UTF8)
                )
            }
        }
        try check(code)
    }

    /// Binds `bytes` without a copy.
    func bind(borrowed bytes: UnsafeRawBufferPointer, at index: Int32) throws(StoreError) {
        guard let address = bytes.baseAddress, !bytes.isEmpty else {
            return try check(sqlite3_bind_zeroblob(handle, index, 0))
        }
        try check(sqlite3_bind_blob64(handle, index, address, UInt64(bytes.count), nil))
    }

    // MARK: Steps

    /// Steps to the next row; false at the end.
    ///
    /// The caller must call `reset` afterwards in any case.
    func step() throws(StoreError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw error(code)
        }
    }

    /// Executes a statement that returns no rows.
    func run() throws(StoreError) {
        let code = sqlite3_step(handle)
        // `sqlite3_reset` repeats the error of the step, so its own result is ignored.
        sqlite3_reset(handle)
        guard code == SQLITE_DONE || code == SQLITE_ROW else { throw error(code) }
    }

    /// Makes the statement ready for new parameters, whether or not the last step succeeded.
    func reset() {
        sqlite3_reset(handle)
    }

    /// Calls `body` for each row.
    func forEach(_ body: (borrowing BoundStatement) throws -> Void) throws {
        defer { reset() }
        while try step() { try body(self) }
    }

    // MARK: Columns; nil when the type is another one

    func integer(_ column: Int32) -> Int64? {
        guard sqlite3_column_type(handle, column) == SQLITE_INTEGER else { return nil }
        return sqlite3_column_int64(handle, column)
    }

    func unsigned(_ column: Int32) -> UInt64? {
        integer(column).map { UInt64(bitPattern: $0) }
    }

    func bytes(_ column: Int32) -> [UInt8]? {
        guard sqlite3_column_type(handle, column) == SQLITE_BLOB else { return nil }
        let count = Int(sqlite3_column_bytes(handle, column))
        guard count > 0, let address = sqlite3_column_blob(handle, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: address, count: count))
    }

    func slice(_ column: Int32) -> Slice? {
        bytes(column).map { $0.isEmpty ? .empty : Slice($0) }
    }

    func bytes16(_ column: Int32) -> Bytes16? {
        guard sqlite3_column_type(handle, column) == SQLITE_BLOB,
            sqlite3_column_bytes(handle, column) == Bytes16.count,
            let address = sqlite3_column_blob(handle, column)
        else { return nil }
        let first = address.loadUnaligned(as: UInt64.self)
        let second = address.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        return Bytes16(UInt64(bigEndian: first), UInt64(bigEndian: second))
    }

    func signature(_ column: Int32) -> Signature? {
        guard let bytes = bytes(column), bytes.count == Signature.count else { return nil }
        return Signature(reading: Slice(bytes), at: 0)
    }

    /// The first column as text for damage reports.
    var key: String {
        text(0) ?? integer(0).map(String.init) ?? bytes(0).map(Hexadecimal.text) ?? "without key"
    }

    func value<Value: FixedBytes>(_ column: Int32, as type: Value.Type) -> Value? {
        bytes(column).flatMap { Value($0) }
    }

    func text(_ column: Int32) -> String? {
        guard sqlite3_column_type(handle, column) == SQLITE_TEXT,
            let address = sqlite3_column_text(handle, column)
        else { return nil }
        let count = Int(sqlite3_column_bytes(handle, column))
        let bytes = UnsafeBufferPointer(start: address, count: count)
        return String(validating: bytes, as: UTF8.self)
    }

    // MARK: Errors

    private func check(_ code: Int32) throws(StoreError) {
        guard code == SQLITE_OK else { throw error(code) }
    }

    private func error(_ code: Int32) -> StoreError {
        StoreError.sqlite(
            path: path,
            code: code,
            detail: String(cString: sqlite3_errmsg(connection))
        )
    }
}
