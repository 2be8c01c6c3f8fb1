public import Bytes

/// An answer to be filled in.
///
/// One is reused for every answer of an event loop, so its buffers grow once. Date, Content-Length,
/// Transfer-Encoding and Connection are written by the server.
public struct HTTPResponse: ~Copyable {
    /// How the answer is meant.
    ///
    /// Default 200.
    public var status: HTTPStatus = .ok

    /// The content.
    ///
    /// Ignored when `stream` is set, left out for HEAD, 204 and 304. For 304 nothing need be filled
    /// in, and no Content-Length is sent.
    public var body = ByteBuffer(minimumCapacity: 1024)

    /// Where the content comes from when it is not in `body`.
    ///
    /// Sent chunked to HTTP/1.1, and up to the close of the connection to HTTP/1.0.
    public var stream: (any HTTPBodyStream)?

    /// The content where it stands elsewhere, and is sent from there; `body` is ignored then.
    package var keptBody: KeptBody?

    /// The part of a file that is the content when neither `body` nor `stream` is.
    package var file: HTTPFilePart?

    /// What makes the answer when it is not made here; everything else is ignored then.
    package var deferral: (any HTTPDeferral)?

    /// Whether `stream` goes on for as long as the client listens, so that there may be so many only
    /// (`HTTPLimits.maximumStreams`).
    package var isLasting = false

    /// Whether `stream` has an end, and waits only while pieces are made elsewhere: whoever has sent
    /// the last is still given all of them.
    package var waitsForPieces = false

    /// What the log is to be told of the answer besides what is sent.
    package var note: HTTPAnswerNote?

    /// Whether the connection closes after this answer, whatever the client asked for.
    ///
    /// Default false.
    public var closesConnection = false

    /// The field lines, ready to be sent.
    package private(set) var fieldLines = ByteBuffer()

    /// The known fields that may have been added: most of those asked for were not.
    ///
    /// Looked at first: a borrow of the whole response is a copy of it.
    package private(set) var addedFields = AddedFields()

    private(set) var lineStarts = FieldLineStarts()

    /// The bytes of the content, where it is no stream.
    package var contentLength: Int { file?.count ?? keptBody?.count ?? body.count }

    private let place = InPlace()

    /// Creates an empty answer of status 200.
    public init() {}

    /// Adds a field.
    ///
    /// - Parameters:
    ///   - name: Not one of Date, Content-Length, Transfer-Encoding and Connection.
    ///   - value: Without control bytes: encode what comes from a client first.
    public mutating func addField(_ name: FieldName, _ value: String) {
        addField(name) { $0.append(value) }
    }

    /// Adds a field whose value is a literal.
    ///
    /// - Parameters:
    ///   - name: Not one of Date, Content-Length, Transfer-Encoding and Connection.
    ///   - value: Without control bytes, which debug builds check: no client has a say in it.
    public mutating func addField(_ name: FieldName, _ value: StaticString) {
        let start = fieldLines.count
        switch name.storage {
        case .known(let field):
            note(field)
            let name = field.wireName
            let length = name.utf8CodeUnitCount + value.utf8CodeUnitCount + 4
            fieldLines.append(atMost: length) { room in
                room.append(name)
                room.append(": " as StaticString)
                room.append(value)
                room.append("\r\n" as StaticString)
            }
        case .other(let name):
            lineStarts.add(nil, at: start)
            fieldLines.append(name)
            fieldLines.append(": " as StaticString)
            fieldLines.append(value)
            fieldLines.append("\r\n" as StaticString)
        }
        assert(
            Self.isFieldValue(start..<fieldLines.count - 2, of: &fieldLines),
            "the value of \(name.name) has a control byte"
        )
    }

    /// Adds a field whose value is written in place.
    ///
    /// - Parameters:
    ///   - name: Not one of Date, Content-Length, Transfer-Encoding and Connection.
    ///   - writing: Appends the value, without control bytes.
    public mutating func addField(_ name: FieldName, writing: (inout ByteBuffer) -> Void) {
        switch name.storage {
        case .known(let field):
            note(field)
            fieldLines.append(field.wireName)
        case .other(let name):
            lineStarts.add(nil, at: fieldLines.count)
            fieldLines.append(name)
        }
        fieldLines.append(": " as StaticString)
        let start = fieldLines.count
        writing(&fieldLines)
        precondition(
            fieldLines.count >= start,
            "bytes before the value of \(name.name) were removed"
        )
        let isClean = Self.isFieldValue(start..<fieldLines.count, of: &fieldLines)
        precondition(isClean, "the value of \(name.name) has a control byte")
        fieldLines.append("\r\n" as StaticString)
    }

    /// Takes note that a field is added to the lines that there are.
    private mutating func note(_ field: KnownField) {
        precondition(!field.belongsToTheServer, "\(field.wireName) is written by the server")
        addedFields.insert(field)
        lineStarts.add(field, at: fieldLines.count)
    }

    /// Whether bytes may stand in a value: no control byte but tabs is among them.
    private static func isFieldValue(_ range: Range<Int>, of lines: inout ByteBuffer) -> Bool {
        lines.reserve(ByteBuffer.padding)
        let first = lines.firstMarked(
            by: { block in
                let controls: ByteMask =
                    (block .< SIMD16(repeating: 0x20)) .| (block .== SIMD16(repeating: 0x7F))
                return controls
            },
            in: range
        )
        if first == range.upperBound { return true }
        // What was found may be a tab.
        return lines.withBytes { bytes in
            let allowed = ByteClass.fieldValue
            for index in first..<range.upperBound where !allowed.contains(bytes[index]) {
                return false
            }
            return true
        }
    }

    /// Adds lines that are whole and clean.
    mutating func append(_ lines: borrowing ByteBuffer) {
        addedFields = .all
        lineStarts.forget()
        fieldLines.append(lines)
    }

    /// Adds fields that were prepared.
    package mutating func addFields(_ prepared: PreparedFields) {
        addedFields.formUnion(prepared.added)
        lineStarts.add(prepared.starts, at: fieldLines.count)
        fieldLines.append(prepared.lines)
    }

    /// The value of a field added before, the first one when there are several; nil without one.
    ///
    /// - Complexity: O(bytes of all fields).
    public borrowing func field(_ name: FieldName) -> String? {
        guard let value = value(of: name) else { return nil }
        return fieldLines.withBytes { $0.extracting(value).text }
    }

    /// Where the value of the first line of a field lies; nil when there is none.
    borrowing func value(of name: FieldName) -> Range<Int>? {
        line(of: name).map { $0.lowerBound + name.length + 2..<$0.upperBound }
    }

    /// Removes every field of a name.
    ///
    /// - Complexity: O(bytes of all fields).
    package mutating func removeField(_ name: FieldName) {
        while let line = line(of: name) {
            replace(line.lowerBound..<line.upperBound + 2, with: "")
        }
    }

    /// Gives the first field of a name another value, at the same place; without one, nothing
    /// changes.
    ///
    /// - Complexity: O(bytes of all fields).
    package mutating func replaceField(_ name: FieldName, _ value: StaticString) {
        guard let line = line(of: name) else { return }
        // The name, a colon and a blank.
        replace(line.lowerBound + name.length + 2..<line.upperBound, with: value)
    }

    private mutating func replace(_ range: Range<Int>, with text: StaticString) {
        lineStarts.forget()
        var rest = ByteBuffer(minimumCapacity: fieldLines.count - range.upperBound)
        rest.append(range.upperBound..<fieldLines.count, of: fieldLines)
        fieldLines.truncate(to: range.lowerBound)
        fieldLines.append(text)
        fieldLines.append(rest)
    }

    /// Where the first line of a field lies, without its end; nil when there is none.
    borrowing func line(of name: FieldName) -> Range<Int>? {
        guard addedFields.mayHold(name) else { return nil }
        if lineStarts.isComplete, case .known(let field) = name.storage {
            return lineStarts.line(of: field, end: fieldLines.count)
        }
        let length = name.length
        return fieldLines.withBytes { bytes in
            var start = 0
            while let end = bytes.firstIndex(of: .carriageReturn, from: start) {
                if end - start > length, bytes[start + length] == UInt8(ascii: ":"),
                    name.isSent(as: bytes.extracting(start..<start + length))
                {
                    return start..<end
                }
                start = end + 2
            }
            return nil
        }
    }

    /// Empties the answer, and gives back memory that an unusually large one took.
    ///
    /// - Parameter maximumCapacity: The bytes of memory that may stay with the body.
    package mutating func reset(keepingAtMost maximumCapacity: Int = 256 * 1024) {
        status = .ok
        body.removeAll(keepingAtMost: maximumCapacity)
        fieldLines.removeAll(keepingAtMost: 16 * 1024)
        // Most have none of these; looking is cheaper than putting nothing in the place of nothing.
        if stream != nil { stream = nil }
        if keptBody != nil { keptBody = nil }
        if file != nil { file = nil }
        if deferral != nil { deferral = nil }
        if note != nil { note = nil }
        isLasting = false
        waitsForPieces = false
        closesConnection = false
        addedFields = AddedFields()
        lineStarts.removeAll()
    }
}

extension FieldName {
    /// The bytes of the name.
    var length: Int {
        switch storage {
        case .known(let field): field.wireName.utf8CodeUnitCount
        case .other(let lowercased): lowercased.utf8.count
        }
    }

    /// Whether bytes are the name as it is sent.
    func isSent(as bytes: borrowing Span<UInt8>) -> Bool {
        switch storage {
        case .known(let field): bytes.equals(field.wireName)
        case .other(let lowercased): bytes.equals(lowercased)
        }
    }

    /// Appends the name as it is sent.
    func write(into buffer: inout ByteBuffer) {
        switch storage {
        case .known(let field): buffer.append(field.wireName)
        case .other(let lowercased): buffer.append(lowercased)
        }
    }
}
