public import Bytes

/// A response to be filled in.
///
/// One is reused for all responses of an event loop, so its buffers grow once. The server writes
/// Date, Content-Length, Transfer-Encoding and Connection.
public struct HTTPResponse: ~Copyable {
    /// The status code.
    ///
    /// Default 200.
    public var status: HTTPStatus = .ok

    /// The content.
    ///
    /// It is ignored if `stream` is set, and omitted for HEAD, 204 and 304. A 304 needs no content,
    /// and no Content-Length is sent.
    public var body = ByteBuffer(minimumCapacity: 1024)

    /// The source of the content if it is not in `body`.
    ///
    /// It is sent in chunks to HTTP/1.1, and up to the close of the connection to HTTP/1.0.
    public var stream: (any HTTPBodyStream)?

    /// Sent without a copy, instead of `body`.
    package var sharedBody: SharedBody?

    /// The content, instead of `body` or `stream`.
    package var file: HTTPFilePart?

    /// Takes the place of all other properties.
    package var deferral: (any DeferredResponse)?

    /// Whether `stream` is endless, so that `HTTPLimits.maximumStreams` applies.
    package var isLasting = false

    /// Whether `stream` ends, and waits only while other threads make pieces.
    ///
    /// A client that has ended its input still receives all of them.
    package var waitsForPieces = false

    package var note: AccessLogMetadata?

    /// Whether the connection closes after this response, even if the client wants to keep it.
    ///
    /// Default false.
    public var closesConnection = false

    package private(set) var fieldLines = ByteBuffer()

    /// The known fields that may have been added.
    ///
    /// Lookups check it first, because most are for missing fields and borrowing the response
    /// copies it.
    package private(set) var addedFields = FieldNameSet()

    private(set) var lineStarts = FieldLineOffsets()

    /// A stream does not count.
    package var contentLength: Int { file?.count ?? sharedBody?.count ?? body.count }

    private let addressOnly = AddressOnly()

    /// Creates an empty response of status 200.
    public init() {}

    /// Adds a field.
    ///
    /// - Parameters:
    ///   - name: Not one of Date, Content-Length, Transfer-Encoding and Connection.
    ///   - value: The value, without control bytes. Encode text from a client first.
    public mutating func addField(_ name: FieldName, _ value: String) {
        addField(name) { $0.append(value) }
    }

    /// Adds a field whose value is a literal.
    ///
    /// - Parameters:
    ///   - name: Not one of Date, Content-Length, Transfer-Encoding and Connection.
    ///   - value: The value, without control bytes, which only debug builds check.
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

    private mutating func note(_ field: WellKnownFieldName) {
        precondition(!field.belongsToTheServer, "\(field.wireName) is written by the server")
        addedFields.insert(field)
        lineStarts.add(field, at: fieldLines.count)
    }

    /// Whether bytes are valid in a value: they contain no control byte except tabs.
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
        // The first marked byte may be a tab.
        return lines.withBytes { bytes in
            let allowed = ByteClass.fieldValue
            for index in first..<range.upperBound where !allowed.contains(bytes[index]) {
                return false
            }
            return true
        }
    }

    /// The lines are complete and checked.
    mutating func append(_ lines: borrowing ByteBuffer) {
        addedFields = .all
        lineStarts.forget()
        fieldLines.append(lines)
    }

    package mutating func addFields(_ prepared: PreencodedFields) {
        addedFields.formUnion(prepared.added)
        lineStarts.add(prepared.starts, at: fieldLines.count)
        fieldLines.append(prepared.lines)
    }

    /// Returns the value of the first line of a field; nil without one.
    ///
    /// - Complexity: O(bytes of all fields).
    public borrowing func field(_ name: FieldName) -> String? {
        guard let value = value(of: name) else { return nil }
        return fieldLines.withBytes { $0.extracting(value).text }
    }

    /// The range of the value in the first line; nil if there is none.
    borrowing func value(of name: FieldName) -> Range<Int>? {
        line(of: name).map { $0.lowerBound + name.length + 2..<$0.upperBound }
    }

    /// O(bytes of all fields).
    package mutating func removeField(_ name: FieldName) {
        while let line = line(of: name) {
            replace(line.lowerBound..<line.upperBound + 2, with: "")
        }
    }

    /// Only the first line is replaced, if there is one.
    ///
    /// O(bytes of all fields).
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

    /// Without its end; nil if there is none.
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

    /// Keeps at most this capacity for the body.
    package mutating func reset(keepingAtMost maximumCapacity: Int = 256 * 1024) {
        status = .ok
        body.removeAll(keepingAtMost: maximumCapacity)
        fieldLines.removeAll(keepingAtMost: 16 * 1024)
        // Most responses have none of these, and a check is cheaper than an assignment.
        if stream != nil { stream = nil }
        if sharedBody != nil { sharedBody = nil }
        if file != nil { file = nil }
        if deferral != nil { deferral = nil }
        if note != nil { note = nil }
        isLasting = false
        waitsForPieces = false
        closesConnection = false
        addedFields = FieldNameSet()
        lineStarts.removeAll()
    }
}

extension FieldName {
    var length: Int {
        switch storage {
        case .known(let field): field.wireName.utf8CodeUnitCount
        case .other(let lowercased): lowercased.utf8.count
        }
    }

    func isSent(as bytes: borrowing Span<UInt8>) -> Bool {
        switch storage {
        case .known(let field): bytes.equals(field.wireName)
        case .other(let lowercased): bytes.equals(lowercased)
        }
    }

    func write(into buffer: inout ByteBuffer) {
        switch storage {
        case .known(let field): buffer.append(field.wireName)
        case .other(let lowercased): buffer.append(lowercased)
        }
    }
}

extension HTTPResponse {
    package mutating func addFields(_ lines: borrowing ByteBuffer) {
        append(lines)
    }

    /// In exactly that spelling, in the first line.
    package borrowing func holds(_ text: String, in name: FieldName) -> Bool {
        guard let line = line(of: name) else { return false }
        let wanted = text.utf8.span
        return fieldLines.withBytes { bytes in
            let line = bytes.extracting(line)
            guard !wanted.isEmpty else { return true }
            var start = 0
            while let location = line.firstIndex(of: wanted[0], from: start),
                location + wanted.count <= line.count
            {
                let part = line.extracting(location..<location + wanted.count)
                if part.equals(wanted) { return true }
                start = location + 1
            }
            return false
        }
    }

    /// In exactly that spelling, in the first line.
    package borrowing func isField(_ name: FieldName, _ value: String) -> Bool {
        guard let range = self.value(of: name) else { return false }
        return fieldLines.withBytes { $0.extracting(range).equals(value) }
    }

    /// O(bytes of all fields · names).
    package borrowing func writeFields(except names: [FieldName], to buffer: inout ByteBuffer) {
        let names = names.map { name in
            var beginning = ByteBuffer(minimumCapacity: 32)
            name.write(into: &beginning)
            beginning.append(UInt8(ascii: ":"))
            return beginning.array()
        }
        fieldLines.withBytes { bytes in
            var start = 0
            while let end = bytes.firstIndex(of: .lineFeed, from: start) {
                let line = bytes.extracting(start...end)
                var isWanted = true
                for name in names where line.count >= name.count {
                    let beginning = line.extracting(..<name.count)
                    if beginning.equals(name.span) { isWanted = false }
                }
                if isWanted { buffer.append(line) }
                start = end + 1
            }
        }
    }
}

/// A body that is made once and sent by many responses without copies.
package final class SharedBody: Sendable {
    package let bytes: ByteBuffer

    package init(_ bytes: consuming ByteBuffer) { self.bytes = bytes }

    package var count: Int { bytes.count }
}

/// Fields shared by many responses, with their lines written once.
package final class PreencodedFields: Sendable {
    let lines: ByteBuffer
    let added: FieldNameSet
    let starts: FieldLineOffsets

    /// Prepares the fields that a closure adds to an empty response.
    package init(_ add: (inout HTTPResponse) -> Void) {
        var response = HTTPResponse()
        add(&response)
        var lines = ByteBuffer(minimumCapacity: response.fieldLines.count)
        lines.append(response.fieldLines)
        self.lines = lines
        added = response.addedFields
        starts = response.lineStarts
    }
}

/// A part of an open file, which the kernel copies to the socket.
package struct HTTPFilePart {
    /// Keeps the file open while the part exists.
    package let owner: AnyObject

    package let rawDescriptor: Int32

    package private(set) var offset: Int64

    package private(set) var count: Int

    /// The owner closes the file when it is released.
    package init(owner: AnyObject, rawDescriptor: Int32, offset: Int64, count: Int) {
        precondition(offset >= 0 && count >= 0, "\(count) bytes from \(offset)")
        self.owner = owner
        self.rawDescriptor = rawDescriptor
        self.offset = offset
        self.count = count
    }

    /// The bytes have been sent.
    mutating func removeFirst(_ sent: Int) {
        precondition(sent >= 0 && sent <= count, "\(sent) of \(count) bytes sent")
        offset += Int64(sent)
        count -= sent
    }
}

/// A response that a worker or a task makes, not the event loop.
package protocol DeferredResponse: AnyObject {
    /// Called once, on the loop's thread.
    ///
    /// The waker notifies the loop that `take(into:)` has a response. False if there is no capacity
    /// for it: nothing was started then.
    func begin(waker: HTTPStreamWaker) -> Bool

    /// Called on the loop's thread.
    ///
    /// The empty response is exchanged for the one that was made. False if that is not ready.
    /// Throws the error of the handler.
    func take(into response: inout HTTPResponse) throws -> Bool

    /// Handles the end of the client's input, after which most clients have gone but some still
    /// read.
    func clientLeft()

    /// Cancels the response, because the client has disconnected or has received a timeout.
    func cancel()
}
