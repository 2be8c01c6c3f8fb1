import CSQLite
package import Listings

extension Statement {
    /// Binds null to a placeholder.
    package func bindNull(_ place: Int) throws(SQLiteError) {
        // SAFETY: prepared in init; the engine checks the place.
        try check(unsafe sqlite3_bind_null(pointer, Int32(place)))
    }

    /// Binds an integer to a placeholder.
    package func bind(_ place: Int, _ integer: Int64) throws(SQLiteError) {
        // SAFETY: prepared in init; the engine checks the place.
        try check(unsafe sqlite3_bind_int64(pointer, Int32(place), integer))
    }

    /// Binds a number to a placeholder.
    ///
    /// NaN becomes null.
    package func bind(_ place: Int, _ real: Double) throws(SQLiteError) {
        // SAFETY: prepared in init; the engine checks the place.
        try check(unsafe sqlite3_bind_double(pointer, Int32(place), real))
    }

    /// Binds a text to a placeholder.
    package func bind(_ place: Int, _ text: String) throws(SQLiteError) {
        var text = text
        let code = text.withUTF8 { utf8 in
            // SAFETY: the engine copies the text before it returns.
            unsafe csqlite_bind_text_copy(
                pointer,
                Int32(place),
                utf8.baseAddress,
                UInt64(utf8.count)
            )
        }
        try check(code)
    }

    /// Binds a UTF-8 text to a placeholder.
    ///
    /// SQLite copies it.
    package func bind(_ place: Int, utf8: borrowing Span<UInt8>) throws(SQLiteError) {
        let code = unsafe utf8.withUnsafeBufferPointer { bytes in
            // SAFETY: the engine copies the text before it returns.
            unsafe csqlite_bind_text_copy(
                pointer,
                Int32(place),
                bytes.baseAddress,
                UInt64(bytes.count)
            )
        }
        try check(code)
    }

    /// Binds a blob to a placeholder.
    ///
    /// SQLite copies it.
    package func bind(_ place: Int, blob: [UInt8]) throws(SQLiteError) {
        let code = unsafe blob.withUnsafeBufferPointer { bytes in
            // SAFETY: the engine copies the bytes before it returns.
            unsafe csqlite_bind_blob_copy(
                pointer,
                Int32(place),
                bytes.baseAddress,
                UInt64(bytes.count)
            )
        }
        try check(code)
    }

    /// Binds any value to a placeholder.
    ///
    /// Booleans become 1 and 0, times and JSON become texts. A decimal becomes an integer or the
    /// nearest floating-point number.
    package func bind(_ place: Int, _ value: CellValue) throws(SQLiteError) {
        switch value {
        case .null: try bindNull(place)
        case .text(let text): try bind(place, text)
        case .integer(let integer): try bind(place, integer)
        case .real(let real): try bind(place, real)
        case .boolean(let boolean): try bind(place, boolean ? 1 as Int64 : 0)
        case .date(let date): try bind(place, date.description)
        case .timestamp(let timestamp): try bind(place, timestamp.text)
        case .json(let text): try bind(place, text)
        case .decimal(let decimal):
            if let integer = Int64(decimal.canonicalText) {
                try bind(place, integer)
            } else {
                try bind(place, decimal.nearestDouble)
            }
        case .bytes(let bytes): try bind(place, blob: bytes.bytes ?? [])
        }
    }

    /// Binds texts of one buffer without copying them and runs the statement once.
    ///
    /// - Parameters:
    ///   - utf8: The buffer with all texts.
    ///   - texts: The range of each text in `utf8`, by its placeholder. Other placeholders keep
    ///     their values.
    /// - Throws: ``SQLiteError``. The texts are unbound in any case.
    package func run(
        lending utf8: borrowing Span<UInt8>,
        texts: [(place: Int, range: Range<Int>)]
    ) throws(SQLiteError) {
        defer {
            // No pointer to a borrowed text may stay bound.
            reset()
            for text in texts {
                // SAFETY: prepared in init; the place was accepted before or is refused again.
                unsafe _ = sqlite3_bind_null(pointer, Int32(text.place))
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
                    Int32(text.place),
                    bytes.baseAddress.map { unsafe $0 + text.range.lowerBound },
                    UInt64(text.range.count)
                )
            }
            try check(code)
        }
        while try step() {}
    }
}
