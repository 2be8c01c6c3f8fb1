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

    /// The known fields that may have been added, one bit each: most of those asked for were not.
    private var addedFields: UInt64 = 0

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
    public mutating func addField(_ name: FieldName, _ value: StaticString) {
        addField(name) { $0.append(value) }
    }

    /// Adds a field whose value is written in place.
    ///
    /// - Parameters:
    ///   - name: Not one of Date, Content-Length, Transfer-Encoding and Connection.
    ///   - writing: Appends the value, without control bytes.
    public mutating func addField(_ name: FieldName, writing: (inout ByteBuffer) -> Void) {
        precondition(!name.belongsToTheServer, "\(name.name) is written by the server")
        if case .known(let field) = name.storage { addedFields |= field.bit }
        name.write(into: &fieldLines)
        fieldLines.append(": " as StaticString)
        let start = fieldLines.count
        writing(&fieldLines)
        precondition(
            fieldLines.count >= start,
            "bytes before the value of \(name.name) were removed"
        )
        let isClean = fieldLines.withBytes { Self.isFieldValue($0.extracting(start..<$0.count)) }
        precondition(isClean, "the value of \(name.name) has a control byte")
        fieldLines.append("\r\n" as StaticString)
    }

    /// Whether bytes may stand in a value: no control byte but tabs is among them.
    ///
    /// Eight are looked at a time.
    private static func isFieldValue(_ bytes: borrowing Span<UInt8>) -> Bool {
        var index = 0
        while index <= bytes.count - 8 {
            let word = bytes.word(at: index)
            let found =
                WordSearch.bytes(below: 0x20, in: word)
                | WordSearch.bytes(equalTo: 0x7F, in: word)
            guard found == 0 else { break }
            index += 8
        }
        let allowed = ByteClass.fieldValue
        while index < bytes.count {
            guard allowed.contains(bytes[index]) else { return false }
            index += 1
        }
        return true
    }

    /// Adds lines that are whole and clean.
    mutating func append(_ lines: borrowing ByteBuffer) {
        addedFields = .max
        fieldLines.append(lines)
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
            let rest = fieldLines.withBytes { bytes in
                (line.upperBound + 2..<bytes.count).map { bytes[$0] }
            }
            fieldLines.truncate(to: line.lowerBound)
            fieldLines.append(rest)
        }
    }

    /// Where the first line of a field lies, without its end; nil when there is none.
    borrowing func line(of name: FieldName) -> Range<Int>? {
        if case .known(let field) = name.storage, addedFields & field.bit == 0 { return nil }
        let beginning = name.lineBeginning
        return fieldLines.withBytes { bytes in
            var start = 0
            while let end = bytes.firstIndex(of: .carriageReturn, from: start) {
                if end - start >= beginning.count {
                    let name = bytes.extracting(start..<start + beginning.count)
                    if name.equals(beginning.span) { return start..<end }
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
        stream = nil
        file = nil
        deferral = nil
        isLasting = false
        waitsForPieces = false
        note = nil
        closesConnection = false
        addedFields = 0
    }
}

extension FieldName {
    /// Whether the server writes the field itself.
    fileprivate var belongsToTheServer: Bool {
        self == .date || self == .contentLength || self == .transferEncoding || self == .connection
    }

    /// What a line of the field begins with.
    fileprivate var lineBeginning: [UInt8] {
        switch storage {
        case .known(let field): KnownField.lineBeginnings[Int(field.rawValue)]
        case .other(let lowercased): Array("\(lowercased):".utf8)
        }
    }

    /// The bytes of the name.
    var length: Int {
        switch storage {
        case .known(let field): field.wireName.utf8CodeUnitCount
        case .other(let lowercased): lowercased.utf8.count
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
