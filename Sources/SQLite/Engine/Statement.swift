import CSQLite
package import Database
package import Listings

/// The caller binds values, steps until there is no further record, and resets.
///
/// As everywhere in SQLite, placeholders count from 1 and columns from 0.
@safe
package final class Statement {
    let core: ConnectionHandle
    let pointer: OpaquePointer

    init(_ sql: String, core: ConnectionHandle) throws(SQLiteError) {
        self.core = core
        var prepared: OpaquePointer?
        var sql = sql
        let code = sql.withUTF8 { utf8 in
            // SAFETY: the text lives for the call and its length is given.
            unsafe utf8.withMemoryRebound(to: CChar.self) { text in
                unsafe sqlite3_prepare_v3(
                    core.pointer,
                    text.baseAddress,
                    Int32(text.count),
                    UInt32(SQLITE_PREPARE_PERSISTENT),
                    &prepared,
                    nil
                )
            }
        }
        guard code == SQLITE_OK else { throw core.error(.prepare, code: code) }
        // SAFETY: the engine has filled the pointer; this statement alone owns and finalises it.
        guard let prepared = unsafe prepared else {
            throw .engine(.prepare, code: SQLITE_MISUSE, message: "no statement in the text")
        }
        unsafe pointer = unsafe prepared
    }

    deinit {
        // SAFETY: prepared in init, and no other object uses it.
        unsafe _ = sqlite3_finalize(pointer)
    }

    /// False, with the statement reset, if there is no further record.
    package func step() throws(SQLiteError) -> Bool {
        // SAFETY: prepared in init.
        let code = unsafe sqlite3_step(pointer)
        if code == SQLITE_ROW { return true }
        // The error must be read before the reset, which reports it again.
        let error = code == SQLITE_DONE ? nil : core.error(.step, code: code)
        reset()
        if let error { throw error }
        return false
    }

    package func run() throws(SQLiteError) {
        while try step() {}
    }

    /// Bound values stay bound.
    package func reset() {
        // The reset repeats the error of the last step, which was already thrown.
        // SAFETY: prepared in init.
        unsafe _ = sqlite3_reset(pointer)
    }

    package func clearBindings() {
        // SAFETY: prepared in init.
        unsafe _ = sqlite3_clear_bindings(pointer)
    }

    func check(_ code: Int32) throws(SQLiteError) {
        guard code == SQLITE_OK else { throw core.error(.bind, code: code) }
    }
}

extension Statement {
    package var columnCount: Int {
        // SAFETY: prepared in init.
        unsafe Int(sqlite3_column_count(pointer))
    }

    package func integer(_ column: Int) -> Int64 { held(column).integer }

    /// Malformed UTF-8 becomes U+FFFD, null becomes an empty text.
    package func text(_ column: Int) -> String {
        held(column).withText { String(decoding: $0) }
    }
}

extension Statement {
    package func bindNull(_ placeholder: Int) throws(SQLiteError) {
        // SAFETY: prepared in init; the engine checks the number of the placeholder.
        try check(unsafe sqlite3_bind_null(pointer, Int32(placeholder)))
    }

    package func bind(_ placeholder: Int, _ integer: Int64) throws(SQLiteError) {
        // SAFETY: prepared in init; the engine checks the number of the placeholder.
        try check(unsafe sqlite3_bind_int64(pointer, Int32(placeholder), integer))
    }

    /// NaN becomes null.
    package func bind(_ placeholder: Int, _ real: Double) throws(SQLiteError) {
        // SAFETY: prepared in init; the engine checks the number of the placeholder.
        try check(unsafe sqlite3_bind_double(pointer, Int32(placeholder), real))
    }

    package func bind(_ placeholder: Int, _ text: String) throws(SQLiteError) {
        try bind(placeholder, utf8: text.utf8.span)
    }

    package func bind(_ placeholder: Int, utf8: borrowing Span<UInt8>) throws(SQLiteError) {
        let code = unsafe utf8.withUnsafeBufferPointer { bytes in
            // SAFETY: the engine copies the text before it returns.
            unsafe csqlite_bind_text_copy(
                pointer,
                Int32(placeholder),
                bytes.baseAddress,
                UInt64(bytes.count)
            )
        }
        try check(code)
    }

    package func bind(_ placeholder: Int, blob: [UInt8]) throws(SQLiteError) {
        let code = unsafe blob.withUnsafeBufferPointer { bytes in
            // SAFETY: the engine copies the bytes before it returns.
            unsafe csqlite_bind_blob_copy(
                pointer,
                Int32(placeholder),
                bytes.baseAddress,
                UInt64(bytes.count)
            )
        }
        try check(code)
    }

    /// A decimal becomes an integer or the nearest floating-point number.
    package func bind(_ placeholder: Int, _ value: CellValue) throws(SQLiteError) {
        switch value {
        case .null: try bindNull(placeholder)
        case .text(let text): try bind(placeholder, text)
        case .integer(let integer): try bind(placeholder, integer)
        case .real(let real): try bind(placeholder, real)
        case .boolean(let boolean): try bind(placeholder, boolean ? 1 as Int64 : 0)
        case .date(let date): try bind(placeholder, date.description)
        case .timestamp(let timestamp): try bind(placeholder, timestamp.text)
        case .json(let text): try bind(placeholder, text)
        case .decimal(let decimal):
            if let integer = Int64(decimal.canonicalText) {
                try bind(placeholder, integer)
            } else {
                try bind(placeholder, decimal.nearestDouble)
            }
        case .bytes(let bytes): try bind(placeholder, blob: bytes.bytes ?? [])
        }
    }

    /// Placeholders that are not in `texts` keep their values.
    ///
    /// The texts are unbound in any case.
    package func run(
        lending utf8: borrowing Span<UInt8>,
        texts: [(placeholder: Int, range: Range<Int>)]
    ) throws(SQLiteError) {
        defer {
            // No pointer to a borrowed text may stay bound.
            reset()
            for text in texts {
                // SAFETY: prepared in init; the place was accepted before or is refused again.
                unsafe _ = sqlite3_bind_null(pointer, Int32(text.placeholder))
            }
        }
        for text in texts {
            precondition(
                text.range.lowerBound >= 0 && text.range.upperBound <= utf8.count,
                "\(text.range) of \(utf8.count) bytes"
            )
            let code = unsafe utf8.withUnsafeBufferPointer { bytes in
                // SAFETY: the text is unbound before this function returns, and `utf8` is borrowed
                // for as long; the range was checked.
                unsafe csqlite_bind_text_lent(
                    pointer,
                    Int32(text.placeholder),
                    bytes.baseAddress.map { unsafe $0 + text.range.lowerBound },
                    UInt64(text.range.count)
                )
            }
            try check(code)
        }
        while try step() {}
    }
}

extension Statement: EngineStatement {
    package func collect(
        _ values: [CellValue],
        into collector: inout RecordCollector
    ) throws(ReadingError) -> Int {
        var count = 0
        defer {
            reset()
            report(records: count)
        }
        do {
            try bindKeys(values)
            while try step() {
                collector.append(self)
                count += 1
            }
        } catch {
            throw ReadingError(error)
        }
        // Two rows without a key would have the same id.
        guard !collector.lacksKey else {
            throw .engine(.duplicateRow("", first: 0, second: 0))
        }
        return count
    }

    package func values(
        _ values: [CellValue],
        as forms: [ValueForm]
    ) throws(ReadingError) -> [CellValue] {
        var count = 0
        defer {
            reset()
            report(records: count)
        }
        do {
            try bindKeys(values)
            var found: [CellValue] = []
            while try step() {
                count += 1
                for (column, form) in forms.enumerated() { found.append(value(column, as: form)) }
            }
            return found
        } catch {
            throw ReadingError(error)
        }
    }

    private func bindKeys(_ values: [CellValue]) throws(SQLiteError) {
        try core.watch.checkTime()
        for (index, value) in values.enumerated() { try bindKey(index + 1, value) }
    }
}

extension Statement {
    /// Binds a value of a position, which may be an encoded one that no cell can hold.
    private func bindKey(_ placeholder: Int, _ value: CellValue) throws(SQLiteError) {
        guard case .text(let text) = value, let key = EncodedKey.read(text) else {
            return try bind(placeholder, value)
        }
        try bind(placeholder, utf8: key.span)
    }
}

extension RecordCollector {
    fileprivate mutating func append(_ statement: Statement) {
        let parts = layout.keyTypes.count
        if layout.mayLackKey {
            for part in 0..<parts where statement.held(part).storage == .null { lacksKey = true }
        }
        if parts == 1 {
            appendCell(statement, 0, as: .stored(layout.keyTypes[0]))
        } else {
            let values = (0..<parts).map { statement.value($0, as: .stored(layout.keyTypes[$0])) }
            cells.append(CompositeID.text(of: values))
        }
        appendCell(statement, parts, as: .stored(.integer))
        for (index, form) in layout.columnForms.enumerated() {
            appendCell(statement, parts + 1 + index, as: form)
        }
        if layout.selectsSection {
            appendCell(statement, parts + 1 + layout.columnForms.count, as: .stored(.text))
        }
    }

    private mutating func appendCell(_ statement: Statement, _ column: Int, as form: ValueForm) {
        let cell = cells.count
        if let storedKey = statement.writeCell(column, as: form, to: &cells) {
            storedKeys[cell] = storedKey
        }
    }
}
