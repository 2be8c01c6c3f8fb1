internal import Bytes
internal import JSON
internal import Listings

/// The memory is reused for all records of a file.
///
/// A value is null, or bytes in a ``FieldForm``.
package struct FileRecord: ~Copyable {
    package private(set) var location = FileLocation.start
    /// The position of its first byte in the text, in UTF-8.
    package private(set) var offset = 0
    var bytes = ByteBuffer(minimumCapacity: 4096)
    private var fields: [Field] = []

    fileprivate struct Field {
        var start = 0
        /// -1 for null.
        var end = -1
        var line = 0
        var column = 0
        var form = FieldForm.plain

        var isPresent: Bool { line > 0 }
    }

    struct Copy {
        let location: FileLocation
        fileprivate let offset: Int
        fileprivate let bytes: [UInt8]
        fileprivate let fields: [Field]
    }

    package init() {}

    /// Columns that became known later are null.
    package var count: Int { fields.count }

    /// Differs between records with other values, and between processes.
    package borrowing func fingerprint() -> Int {
        var hasher = Hasher()
        hasher.combine(bytes.hashOfProcess())
        hasher.combine(fields.count { $0.end >= 0 })
        return hasher.finalize()
    }

    package func form(of column: Int) -> FieldForm {
        column < fields.count ? fields[column].form : .plain
    }

    package func isNull(_ column: Int) -> Bool {
        column >= fields.count || fields[column].end < 0
    }

    /// That of the record if it lacks the column.
    package func location(of column: Int) -> FileLocation {
        guard column < fields.count, fields[column].isPresent else { return location }
        return FileLocation(line: fields[column].line, column: fields[column].column)
    }

    package borrowing func withField<R, E: Error>(
        _ column: Int,
        _ body: (borrowing Span<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        let range = range(of: column) ?? 0..<0
        return try bytes.withBytes { (all) throws(E) -> R in
            let field = all.extracting(range)
            return try body(field)
        }
    }

    package func range(of column: Int) -> Range<Int>? {
        isNull(column) ? nil : fields[column].start..<fields[column].end
    }

    package borrowing func withBytes<R, E: Error>(
        _ body: (borrowing Span<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        try bytes.withBytes(body)
    }

    package borrowing func text(_ column: Int) -> String? {
        guard !isNull(column) else { return nil }
        return withField(column) { utf8 in utf8.text }
    }
}

extension FileRecord {
    mutating func begin(at location: FileLocation, offset: Int = 0) {
        (self.location, self.offset) = (location, offset)
        bytes.removeAll()
        fields.removeAll(keepingCapacity: true)
    }

    borrowing func copy() -> Copy {
        Copy(location: location, offset: offset, bytes: bytes.array(), fields: fields)
    }

    mutating func take(_ copy: Copy) {
        begin(at: copy.location, offset: copy.offset)
        bytes.append(copy.bytes)
        fields = copy.fields
    }

    mutating func beginField(at location: FileLocation) {
        fields.append(Field(start: bytes.count, line: location.line, column: location.column))
    }

    mutating func beginField(_ column: Int, at location: FileLocation, as form: FieldForm) {
        while fields.count <= column { fields.append(Field()) }
        fields[column] = Field(
            start: bytes.count,
            line: location.line,
            column: location.column,
            form: form
        )
    }

    /// JSON objects may omit members.
    package func holds(_ column: Int) -> Bool { column < fields.count && fields[column].isPresent }

    mutating func append(_ run: borrowing Span<UInt8>) { bytes.append(run) }

    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    borrowing func withBytes<R, E: Error>(
        from offset: Int,
        _ body: (borrowing Span<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        try bytes.withBytes { (all) throws(E) -> R in
            let tail = all.extracting(offset...)
            return try body(tail)
        }
    }

    mutating func removeFields(from column: Int) { fields.removeSubrange(column...) }

    /// Replaces escapes of NUL and of surrogates without counterpart in the current JSON value.
    mutating func replaceInvalidEscapes(of column: Int) {
        var json = withBytes(from: fields[column].start) { (utf8) in
            var json: [UInt8] = []
            for index in utf8.indices { json.append(utf8[index]) }
            return json
        }
        JSONText.replaceInvalidEscapes(in: &json)
        bytes.truncate(to: fields[column].start)
        bytes.append(json)
    }

    /// Rewrites the current value in the usual spelling, if it is a number with a decimal comma.
    mutating func readDecimalComma(_ column: Int) {
        let start = fields[column].start
        guard let number = withBytes(from: start, { DecimalComma.number($0) }) else { return }
        bytes.truncate(to: start)
        bytes.append(number)
    }

    /// Spells the value of a column as usual.
    ///
    /// Returns the spelling of exports if it is another than that of the file.
    package mutating func read(_ column: Int, as reading: ColumnReading) -> Respelling? {
        guard let range = range(of: column), form(of: column) == .plain, reading != .text else {
            return nil
        }
        guard !range.isEmpty else {
            fields[column].end = -1
            return nil
        }
        guard reading.readSpelling != nil else { return nil }
        let usual = withField(column) { reading.usual($0) }
        let respelling = withField(column) { utf8 -> Respelling? in
            let value =
                usual.map { FieldValue.value($0.text.span, $0.form) }
                ?? FieldValue.value(utf8, .plain)
            let text =
                if let spelling = reading.spelling { spelling.text(of: value) } else {
                    usual.map { _ in value.plainText }
                }
            guard let text, !utf8.equals(text) else { return nil }
            return Respelling(text: utf8.text, exported: text)
        }
        guard let usual else { return respelling }
        fields[column].start = bytes.count
        bytes.append(usual.text)
        fields[column].end = bytes.count
        fields[column].form = usual.form
        return respelling
    }

    /// Ends the value of a column, which is not null even if it is empty.
    mutating func endField(_ column: Int) { fields[column].end = bytes.count }

    /// False, without a change, if the open field has other bytes than blanks, or none.
    mutating func dropBlanks(ofOpenField column: Int) -> Bool {
        let start = fields[column].start
        let areBlanks = withBytes(from: start) { utf8 in
            utf8.count > 0 && utf8.indices.allSatisfy { utf8[$0] == UInt8(ascii: " ") }
        }
        if areBlanks { bytes.truncate(to: start) }
        return areBlanks
    }

    func openFieldCount(_ column: Int) -> Int { bytes.count - fields[column].start }

    var byteCount: Int { bytes.count }

    /// Checks a value that has begun and not ended, and the record.
    borrowing func checkSize(of column: Int) throws(FileError) {
        let limit = FileLimits.maximumFieldBytes
        guard openFieldCount(column) <= limit else {
            throw FileError(.fieldTooLarge(limit: limit), at: location(of: column))
        }
        try checkSize()
    }

    borrowing func checkSize() throws(FileError) {
        let limit = FileLimits.maximumRecordBytes
        guard byteCount <= limit else {
            throw FileError(.recordTooLarge(limit: limit), at: location)
        }
    }
}
