import Bytes

/// Room for markup and texts that are written at once; see ``HTMLWriter/append(atMost:with:_:)``.
///
/// As with the writer, whatever is handed in as text comes out escaped.
struct HTMLRoom: ~Copyable {
    private var bytes: ByteRoom

    @inline(__always)
    init(_ bytes: consuming ByteRoom) { self.bytes = bytes }

    /// The room as it was handed in.
    @inline(__always)
    consuming func end() -> ByteRoom { bytes }

    /// Appends markup as it is.
    @inline(__always)
    mutating func markup(_ literal: StaticString) { bytes.append(literal) }

    /// Appends a part of markup prepared before.
    @inline(__always)
    mutating func markup(_ range: Range<Int>, of prepared: borrowing Span<UInt8>) {
        bytes.append(prepared.extracting(range))
    }

    /// Appends a text given as UTF-8, escaped.
    @inline(__always)
    mutating func text(_ utf8: borrowing Span<UInt8>) { HTMLEscape.write(utf8, to: &bytes) }

    /// Appends a name of which no byte needs an escape.
    @inline(__always)
    mutating func name(_ name: borrowing Span<UInt8>) { bytes.append(name) }
}
