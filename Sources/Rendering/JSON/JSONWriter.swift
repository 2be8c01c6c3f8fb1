package import Bytes
package import Listings

/// A member name that is escaped once and written many times.
package struct JSONKey: Sendable {
    let bytes: [UInt8]

    /// Prepares a name.
    package init(_ name: String) {
        var buffer = ByteBuffer()
        JSONWriter.write(to: &buffer) { $0.string(name) }
        buffer.append(UInt8(ascii: ":"))
        bytes = buffer.array()
    }
}

/// A writer of JSON (RFC 8259) that escapes all texts.
///
/// The writer adds commas. Closures ensure that brackets are closed.
package struct JSONWriter: ~Copyable {
    var buffer = ByteBuffer(minimumCapacity: 0)
    /// A buffer for texts that need escapes.
    private var scratch = ByteBuffer(minimumCapacity: 0)
    /// Whether the next value needs a comma before it.
    var needsComma = false

    /// Calls a closure with a writer that appends to a buffer.
    package static func write(
        to buffer: inout ByteBuffer,
        _ body: (inout JSONWriter) -> Void
    ) {
        var writer = JSONWriter()
        swap(&buffer, &writer.buffer)
        body(&writer)
        swap(&buffer, &writer.buffer)
    }

    mutating func separate() {
        if needsComma { buffer.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    // MARK: Structure

    /// Appends an object.
    package mutating func object(_ members: (inout JSONWriter) -> Void) {
        separate()
        buffer.append(UInt8(ascii: "{"))
        needsComma = false
        members(&self)
        buffer.append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// Appends an array.
    package mutating func array(_ elements: (inout JSONWriter) -> Void) {
        separate()
        buffer.append(UInt8(ascii: "["))
        needsComma = false
        elements(&self)
        buffer.append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// Appends the name of the next value's member.
    ///
    /// - Parameter name: The name, of which no character may need an escape.
    @inline(__always)
    package mutating func key(_ name: StaticString) {
        let follows = needsComma
        buffer.append(atMost: name.utf8CodeUnitCount + 4) { room in
            room.append(follows ? ",\"" : "\"" as StaticString)
            room.append(name)
            room.append("\":" as StaticString)
        }
        needsComma = false
    }

    /// Appends a literal between two values of an object: the end of the first, a comma, and the
    /// quoted name of the second with its colon.
    ///
    /// It is faster than ``key(_:)``, for members that are on every page.
    mutating func lead(_ text: StaticString) {
        buffer.append(text)
        needsComma = false
    }

    /// Appends the name of the next value's member.
    package mutating func key(_ name: JSONKey) {
        separate()
        buffer.append(name.bytes)
        needsComma = false
    }

    /// Appends the name of the next value's member from a range of a text.
    ///
    /// The range must have quotes, escapes and the colon.
    mutating func key(_ range: Range<Int>, of text: borrowing ByteBuffer) {
        separate()
        buffer.append(range, of: text)
        needsComma = false
    }

    /// Ends a line of newline-delimited JSON.
    ///
    /// The next value starts a new document.
    package mutating func endLine() {
        buffer.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    // MARK: Values

    /// Appends an already rendered value unchanged.
    package mutating func drawn(_ value: [UInt8]) {
        separate()
        buffer.append(value)
    }

    /// Appends a value that a closure writes as JSON.
    package mutating func value(_ write: (inout ByteBuffer) -> Void) {
        separate()
        write(&buffer)
    }

    /// Appends members that all pages of a request share.
    ///
    /// The closure renders uncached ones.
    mutating func fragment(
        _ fragment: FragmentCache.Fragment,
        in context: RenderContext,
        _ render: (inout JSONWriter) -> Void
    ) {
        guard let fragments = context.fragments else { return render(&self) }
        if fragments.write(fragment, to: &buffer) {
            needsComma = true
            return
        }
        let start = buffer.count
        render(&self)
        fragments.keep(fragment, start..<buffer.count, of: buffer)
    }

    /// Appends `null`.
    package mutating func null() {
        separate()
        JSONValueEncoder.writeNull(to: &buffer)
    }

    /// Appends `true` or `false`.
    package mutating func boolean(_ value: Bool) {
        separate()
        JSONValueEncoder.write(value, to: &buffer)
    }

    /// Appends an integer.
    ///
    /// Beyond ±2⁵³ it is a text, because readers with only binary64 would change it (RFC 8259 §6).
    package mutating func integer(_ value: Int64) {
        separate()
        JSONValueEncoder.write(value, to: &buffer)
    }

    /// Appends a number with the fewest digits that parse to the same number.
    ///
    /// - Parameter value: The number, which must be finite.
    package mutating func real(_ value: Double) {
        separate()
        JSONValueEncoder.write(value, to: &buffer)
    }

    /// Appends a text.
    package mutating func string(_ text: String) {
        string(text.utf8.span)
    }

    /// Appends a UTF-8 text.
    package mutating func string(_ utf8: borrowing Span<UInt8>) {
        separate()
        JSONValueEncoder.write(utf8, to: &buffer)
    }

    /// Appends a text that needs no escape.
    mutating func plainString(_ text: borrowing ByteBuffer) {
        separate()
        buffer.append(UInt8(ascii: "\""))
        buffer.append(text)
        buffer.append(UInt8(ascii: "\""))
    }

    /// Appends a text that a closure writes, with escaping.
    ///
    /// - Parameter text: Appends to the buffer. It must not change the existing bytes.
    package mutating func string(writing text: (inout ByteBuffer) -> Void) {
        separate()
        buffer.append(UInt8(ascii: "\""))
        let start = buffer.count
        text(&buffer)
        precondition(buffer.count >= start, "bytes before a text were removed")
        // Most texts need no escape.
        if !buffer.withBytes({ JSONEscape.isPlain($0.extracting(start...)) }) {
            scratch.removeAll()
            scratch.append(start..<buffer.count, of: buffer)
            buffer.truncate(to: start)
            scratch.withBytes { JSONEscape.write($0, to: &buffer) }
        }
        buffer.append(UInt8(ascii: "\""))
    }

    /// Appends a day as a text (ISO 8601).
    package mutating func date(_ date: CalendarDate) {
        separate()
        JSONValueEncoder.write(date, to: &buffer)
    }
}

extension JSONWriter {
    /// Appends a member that is a text, or null for nil.
    package mutating func member(_ name: StaticString, _ text: String?) {
        key(name)
        if let text { string(text) } else { null() }
    }

    /// Appends a member that is an integer.
    package mutating func member(_ name: StaticString, _ number: Int) {
        key(name)
        integer(Int64(number))
    }

    /// Appends a member that is a Boolean value.
    package mutating func member(_ name: StaticString, _ value: Bool) {
        key(name)
        boolean(value)
    }

    /// Appends a member that is an object.
    package mutating func object(
        _ name: StaticString,
        _ members: (inout JSONWriter) -> Void
    ) {
        key(name)
        object(members)
    }

    /// Appends a member that is an array.
    package mutating func array(
        _ name: StaticString,
        _ elements: (inout JSONWriter) -> Void
    ) {
        key(name)
        array(elements)
    }

    /// Appends a member that is a text written by a closure.
    package mutating func string(
        _ name: StaticString,
        writing text: (inout ByteBuffer) -> Void
    ) {
        key(name)
        string(writing: text)
    }
}
