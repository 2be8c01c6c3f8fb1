import Bytes
import CSQLite
import Database
import Listings

extension DatabaseConnection {
    /// Registers the functions of texts.
    ///
    /// - `roster_initial` is the first letter as sections name it, and `roster_initial_key` is the
    ///   key by which they are sorted. It is null for null and bytes.
    /// - `roster_folded` is the text of a value without case and accents. It is null for null and
    ///   bytes.
    /// - `roster_words` is the folded words of a value. It is null for null and bytes. Both are
    ///   null if the value certainly lacks a folded part, the second argument.
    /// - `roster_trigrams` is the FTS5 query for a folded text (``TrigramIndex``).
    /// - `roster_order` is the sort key of a text (``TextKey``). It is null for null and plain texts.
    /// - `roster_value_order` and `roster_text` are the sort key (``OrderingKey``) and text of a value
    ///   in a column of all types (``KeyedValue``). The key is null for null and plain texts.
    /// - `roster_key` is the text by which a value names a row, null for bytes. Its form adds 1 for
    ///   the spelling of numbers, and 2 for a value in a column of all types.
    /// - `roster_time_key` is the key of a value in a foreign column, and `roster_time_form` is the
    ///   number of the format of a time (``TimeForm``), null for other values.
    /// - `roster_byte_order` is the key of a value in the form of a column of all types. Like
    ///   `roster_time_key`, it compares texts byte by byte.
    /// - `roster_member` is the value at a path of JSON, in the form of a column of all types. The
    ///   names of the path are hexadecimal, with dots between them.
    /// - `roster_elements` is the elements of an array at such a path (``ElementList``).
    /// - `roster_digest` is a number of 47 bits, so that JSON readers keep every digit. Equal values
    ///   have equal numbers.
    /// - `roster_period` is the first characters of the text of a time in UTC.
    func registerFunctions() throws(SQLiteError) {
        // SAFETY: the engine calls it with arguments that live for the call.
        try unsafe register("roster_initial") { context, _, arguments in
            // SAFETY: the engine passes exactly one argument, valid for the call.
            guard let value = unsafe arguments?[0] else { return }
            guard unsafe sqlite3_value_type(value) != SQLITE_NULL else {
                return unsafe sqlite3_result_null(context)
            }
            var letter = unsafe DatabaseConnection.withText(of: value) {
                // SAFETY: the argument is valid for the call.
                TextCollation.initial(ofUTF8: $0)
            }
            letter.withUTF8 { utf8 in
                // SAFETY: the engine copies the letter before it returns.
                unsafe csqlite_result_text_copy(context, utf8.baseAddress, UInt64(utf8.count))
            }
        }
        // SAFETY: the engine calls each function with arguments that live for the call.
        try unsafe register("roster_initial_key") {
            unsafe DatabaseConnection.setResult($0, $2) {
                let letter = TextCollation.initial(ofUTF8: $0)
                $1 += Array(TextKey.key(ofInitial: letter).utf8)
            }
        }
        try unsafe register("roster_folded", arguments: -1) {
            unsafe DatabaseConnection.setResult($0, $2, $1) {
                TextCollation.appendFolded($0, to: &$1)
            }
        }
        // SAFETY: as above.
        try unsafe register("roster_words", arguments: -1) {
            unsafe DatabaseConnection.setResult($0, $2, $1) {
                TextSearch.appendWords(of: $0, to: &$1)
            }
        }
        try unsafe register("roster_trigrams") {
            unsafe DatabaseConnection.setResult($0, $2) {
                $1 += Array(TrigramIndex.query(for: $0.text).utf8)
            }
        }
        // SAFETY: as above.
        try unsafe register("roster_order") {
            unsafe DatabaseConnection.setResult($0, $2) { value in value.orderKey }
        }
        try unsafe register("roster_value_order") {
            unsafe DatabaseConnection.setResult($0, $2) { value in value.keyedOrderKey }
        }
        // SAFETY: as above.
        try unsafe register("roster_text") {
            unsafe DatabaseConnection.setResult($0, $2) { value in
                value.keyedValue.searchedText.map(CellValue.text) ?? .null
            }
        }
        // SAFETY: as above.
        try unsafe register("roster_key", arguments: 2) {
            unsafe DatabaseConnection.setResult($0, $2) { value, form in
                value.keyText(isKeyed: form.integer >= 2, isSpelled: form.integer % 2 == 1)
            }
        }
        // SAFETY: as above.
        try unsafe register("roster_time_key") {
            unsafe DatabaseConnection.setResult($0, $2) { value in
                OrderingKey.key(of: value.timeValue, comparingBytes: true)
            }
        }
        // SAFETY: as above.
        try unsafe register("roster_time_form") {
            unsafe DatabaseConnection.setResult($0, $2) { value in
                let form = value.storage == .text ? value.withText { TimeForm.number(of: $0) } : nil
                return form.map { .integer(Int64($0)) } ?? .null
            }
        }
        // SAFETY: as above.
        try unsafe register("roster_byte_order") {
            unsafe DatabaseConnection.setResult($0, $2) { value in
                OrderingKey.key(of: value.keyedValue, comparingBytes: true)
            }
        }
        // SAFETY: as above.
        try unsafe register("roster_member", arguments: 2) {
            unsafe DatabaseConnection.setResult($0, $2) { value, path in
                let document = value.keyedValue.plainText
                return KeyedValue.stored(CellValue.member(path.hexadecimalNames, of: document))
            }
        }
        // SAFETY: as above.
        try unsafe register("roster_elements", arguments: 2) {
            unsafe DatabaseConnection.setResult($0, $2) { value, path in
                let document = value.keyedValue.plainText
                return ElementList.text(of: CellValue.elements(path.hexadecimalNames, of: document))
            }
        }
        // SAFETY: as above.
        try unsafe register("roster_digest", arguments: -1) { context, count, arguments in
            var digest = RowDigest()
            for index in 0..<Int(count) {
                // SAFETY: the engine passes as many arguments as the count, valid for the call.
                if let value = unsafe arguments?[index] { digest.add(unsafe SQLiteValue(value)) }
            }
            // SAFETY: the context is the engine's own, for the call.
            unsafe sqlite3_result_int64(context, digest.value)
        }
        // SAFETY: as above.
        try unsafe register("roster_period", arguments: 2) {
            unsafe DatabaseConnection.setResult($0, $2) { value, length in
                TimeSpan(value.timeValue)?.start.text
                    .map { .text(String($0.prefix(Int(length.integer)))) } ?? .null
            }
        }
    }

    /// The context must live as long as the connection, and is nil for a pure function.
    @unsafe
    func register(
        _ name: String,
        arguments count: Int32 = 1,
        _ context: UnsafeMutableRawPointer? = nil,
        _ function:
            @convention(c) (
                OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
            ) -> Void
    ) throws(SQLiteError) {
        // SAFETY: the callback keeps nothing, and the context outlives the connection.
        let isPure = unsafe context == nil
        let code = unsafe sqlite3_create_function_v2(
            core.pointer,
            name,
            count,
            SQLITE_UTF8 | SQLITE_INNOCUOUS | (isPure ? SQLITE_DETERMINISTIC : 0),
            context,
            function,
            nil,
            nil,
            nil
        )
        guard code == SQLITE_OK else { throw core.error(.configure, code: code) }
    }

    /// Null and bytes become an empty text.
    private static func withText<R>(
        of value: OpaquePointer,
        _ body: (borrowing Span<UInt8>) -> R
    ) -> R {
        // SAFETY: the value is valid for the call.
        let held = unsafe SQLiteValue(value)
        switch held.storage {
        case .text: return held.withText(body)
        case .integer: return body("\(held.integer)".utf8.span)
        case .real: return body(CellValue.text(of: held.real).utf8.span)
        case .null, .blob: return body("".utf8.span)
        }
    }

    private static func setResult(
        _ context: OpaquePointer?,
        _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
        _ count: Int32 = 1,
        _ make: (borrowing Span<UInt8>, inout [UInt8]) -> Void
    ) {
        // SAFETY: the engine passes at least one argument, valid for the call.
        guard let value = unsafe arguments?[0] else { return }
        let type = unsafe sqlite3_value_type(value)
        guard type != SQLITE_NULL, type != SQLITE_BLOB else {
            return unsafe sqlite3_result_null(context)
        }
        // SAFETY: the engine passes as many arguments as the count, valid for the call.
        if let part = unsafe count > 1 ? arguments?[1] : nil,
            unsafe SQLiteValue(value).lacks(SQLiteValue(part))
        {
            // A text would be copied.
            return unsafe sqlite3_result_null(context)
        }
        var made: [UInt8] = []
        unsafe withText(of: value) { make($0, &made) }
        unsafe made.withUnsafeBufferPointer { bytes in
            // SAFETY: the engine copies the text before it returns.
            unsafe csqlite_result_text_copy(context, bytes.baseAddress, UInt64(bytes.count))
        }
    }

    private static func setResult(
        _ context: OpaquePointer?,
        _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
        _ make: (SQLiteValue, SQLiteValue) -> CellValue
    ) {
        // SAFETY: the engine passes exactly two arguments, valid for the call.
        guard let second = unsafe arguments?[1] else { return }
        // SAFETY: the argument is valid for the call.
        let other = unsafe SQLiteValue(second)
        unsafe setResult(context, arguments) { value in make(value, other) }
    }

    private static func setResult(
        _ context: OpaquePointer?,
        _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
        _ make: (SQLiteValue) -> CellValue
    ) {
        // SAFETY: the engine passes exactly one argument, valid for the call.
        guard let value = unsafe arguments?[0] else { return }
        // SAFETY: the argument is valid for the call.
        switch make(unsafe SQLiteValue(value)) {
        case .text(var text):
            text.withUTF8 { utf8 in
                // SAFETY: the engine copies the text before it returns.
                unsafe csqlite_result_text_copy(context, utf8.baseAddress, UInt64(utf8.count))
            }
        case .bytes(let bytes):
            unsafe (bytes.bytes ?? []).withUnsafeBufferPointer { bytes in
                // SAFETY: the engine copies the bytes before it returns.
                unsafe csqlite_result_blob_copy(context, bytes.baseAddress, UInt64(bytes.count))
            }
        // SAFETY: the context is the engine's own, for the call.
        case .integer(let integer): unsafe sqlite3_result_int64(context, integer)
        // SAFETY: the context is the engine's own, for the call.
        default: unsafe sqlite3_result_null(context)
        }
    }
}

/// FNV-1a (RFC 9923) over the values of a row with their kinds.
private struct RowDigest {
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    /// From 1 on.
    var value: Int64 { Int64(hash >> 17) | 1 }

    mutating func add(_ value: SQLiteValue) {
        switch value.storage {
        case .null: add(0 as UInt8)
        case .integer: add(1, number: UInt64(bitPattern: value.integer))
        case .real: add(2, number: value.real.bitPattern)
        case .text: value.withText { add(3, $0) }
        case .blob: value.withBlob { add(4, $0) }
        }
    }

    private mutating func add(_ kind: UInt8, number: UInt64) {
        add(kind)
        for shift in 0..<8 { add(UInt8(truncatingIfNeeded: number >> (8 * UInt64(shift)))) }
    }

    private mutating func add(_ kind: UInt8, _ bytes: borrowing Span<UInt8>) {
        add(kind, number: UInt64(bytes.count))
        for index in bytes.indices { add(bytes[index]) }
    }

    private mutating func add(_ byte: UInt8) {
        hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
}

extension SQLiteValue {
    fileprivate var keyedValue: CellValue {
        switch storage {
        case .null: .null
        case .integer: .integer(integer)
        case .real: .real(real)
        case .text: withText { KeyedValue.value(ofText: $0) }
        case .blob: withBlob { KeyedValue.value(ofBlob: $0) }
        }
    }

    /// Folding only changes the case of ASCII, so that most texts need not be folded.
    fileprivate func lacks(_ part: SQLiteValue) -> Bool {
        guard storage == .text, part.storage == .text else { return false }
        return withText { text in
            part.withText { part in
                var (word, start) = (0..<0, 0)
                for end in 0...part.count where end == part.count || part[end] == 0x20 {
                    if end - start > word.count { word = start..<end }
                    start = end + 1
                }
                guard let first = word.first else { return false }
                for index in text.indices {
                    let byte = text[index]
                    guard byte > 0, byte < 0x80 else { return false }
                    guard byte | 0x20 == part[first] | 0x20, text.count - index >= word.count
                    else { continue }
                    let position = index - first
                    if word.allSatisfy({ text[position + $0] | 0x20 == part[$0] | 0x20 }) {
                        return false
                    }
                }
                return true
            }
        }
    }

    fileprivate var hexadecimalNames: [String] {
        withText { utf8 in
            guard !utf8.isEmpty else { return [] }
            var names: [[UInt8]] = [[]]
            var high: UInt8?
            for index in utf8.indices {
                guard let digit = utf8[index].hexadecimalValue else {
                    names.append([])
                    continue
                }
                if let first = high {
                    names[names.count - 1].append(first << 4 | digit)
                    high = nil
                } else {
                    high = digit
                }
            }
            return names.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    fileprivate func keyText(isKeyed: Bool, isSpelled: Bool) -> CellValue {
        let value: CellValue =
            switch storage {
            case .text where !isKeyed: withText { .text($0.text) }
            case .blob where !isKeyed: .null
            default: keyedValue
            }
        switch value.kind {
        case .null, .bytes: return .null
        case .number where !isSpelled: return .text(value.canonicalText)
        default: return .text(value.plainText)
        }
    }

    fileprivate var orderKey: CellValue {
        switch storage {
        case .null, .integer, .real: .null
        case .text:
            withText { utf8 in
                TextKey.isPlain(utf8) ? .null : OrderingKey.key(of: .text(utf8.text))
            }
        case .blob: OrderingKey.least(of: .text)
        }
    }

    fileprivate var keyedOrderKey: CellValue {
        let value = keyedValue
        if storage == .text, case .text(let text) = value, TextKey.isPlain(text.utf8.span) {
            return .null
        }
        return OrderingKey.key(of: value)
    }

    fileprivate var timeValue: CellValue {
        switch storage {
        case .null: .null
        case .integer: .integer(integer)
        case .real: .real(real)
        case .text:
            withText { utf8 in
                let text = utf8.text
                let value = CellValue.natural(text)
                return value.kind == .time ? value : .text(text)
            }
        case .blob: withBlob { bytes in .bytes(ByteValue(bytes.indices.map { bytes[$0] })) }
        }
    }
}
