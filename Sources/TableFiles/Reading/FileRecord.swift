internal import Bytes
internal import JSON

/// A record of a file: the bytes of its values by column.
///
/// The memory is reused for all records of a file. A value is null, or bytes in a ``FieldForm``.
package struct FileRecord: ~Copyable {
    package private(set) var place = FileLocation.start
    var bytes = ByteBuffer(minimumCapacity: 4096)
    private var fields: [Field] = []

    fileprivate struct Field {
        var start = 0
        /// -1 for null.
        var end = -1
        var line = 0
        var column = 0
        var form = FieldForm.plain

        /// JSON objects may omit members.
        var isPresent: Bool { line > 0 }
    }

    struct Copy {
        let place: FileLocation
        fileprivate let bytes: [UInt8]
        fileprivate let fields: [Field]
    }

    package init() {}

    /// The number of columns known when the record was read.
    ///
    /// Later columns are null.
    package var count: Int { fields.count }

    /// Plain for null.
    package func form(of column: Int) -> FieldForm {
        column < fields.count ? fields[column].form : .plain
    }

    package func isNull(_ column: Int) -> Bool {
        column >= fields.count || fields[column].end < 0
    }

    /// That of the record if it lacks the column.
    package func place(of column: Int) -> FileLocation {
        guard column < fields.count, fields[column].isPresent else { return place }
        return FileLocation(line: fields[column].line, column: fields[column].column)
    }

    /// In UTF-8, empty for null.
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

    /// Nil for null.
    package func range(of column: Int) -> Range<Int>? {
        isNull(column) ? nil : fields[column].start..<fields[column].end
    }

    package borrowing func withBytes<R, E: Error>(
        _ body: (borrowing Span<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        try bytes.withBytes(body)
    }

    /// Nil for null.
    package borrowing func text(_ column: Int) -> String? {
        guard !isNull(column) else { return nil }
        return withField(column) { utf8 in utf8.text }
    }
}

extension FileRecord {
    mutating func begin(at place: FileLocation) {
        self.place = place
        bytes.removeAll()
        fields.removeAll(keepingCapacity: true)
    }

    borrowing func copy() -> Copy { Copy(place: place, bytes: bytes.array(), fields: fields) }

    mutating func take(_ copy: Copy) {
        begin(at: copy.place)
        bytes.append(copy.bytes)
        fields = copy.fields
    }

    mutating func beginField(at place: FileLocation) {
        fields.append(Field(start: bytes.count, line: place.line, column: place.column))
    }

    /// In any order.
    mutating func beginField(_ column: Int, at place: FileLocation, as form: FieldForm) {
        while fields.count <= column { fields.append(Field()) }
        fields[column] = Field(
            start: bytes.count,
            line: place.line,
            column: place.column,
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

    /// Ends the value of a column, which is not null even if it is empty.
    mutating func endField(_ column: Int) { fields[column].end = bytes.count }

    /// The number of bytes of a value that has begun and not ended.
    func openFieldCount(_ column: Int) -> Int { bytes.count - fields[column].start }

    var byteCount: Int { bytes.count }
}
