import Bytes

/// Cells of bytes, and of values that are stored as text.
extension CellBuffer {
    /// Appends an exact number.
    @_effects(releasenone)
    public mutating func append(_ decimal: ExactDecimal) {
        append(decimal.text.utf8.span, as: .decimal)
    }

    /// Appends a date with a time of day.
    @_effects(releasenone)
    public mutating func append(_ timestamp: Timestamp) {
        append(timestamp.text.utf8.span, as: .timestamp)
    }

    /// Appends the number of bytes, because pages do not show the bytes.
    @_effects(releasenone)
    public mutating func append(_ bytes: ByteValue) {
        slots.append(Slot(kind: .bytes, payload: UInt64(bytes.count)))
        hasBytes = true
    }

    /// Appends a value that is stored as text.
    ///
    /// - Parameters:
    ///   - utf8: The text. The caller guarantees that it is valid for the kind.
    ///   - kind: A kind with a text.
    @_effects(releasenone)
    package mutating func append(_ utf8: borrowing Span<UInt8>, as kind: TextKind) {
        let start = bytes.count
        bytes.append(utf8)
        appendSlot(textFrom: start, kind.slot)
    }

    /// The kinds of cells that are stored as text.
    package enum TextKind {
        /// A text.
        case text
        /// An exact number.
        case decimal
        /// A date with a time of day.
        case timestamp
        /// An array or object.
        case json

        fileprivate var slot: Slot.Kind {
            switch self {
            case .text: .text
            case .decimal: .decimal
            case .timestamp: .timestamp
            case .json: .json
            }
        }
    }

    borrowing func exactValue(_ index: Int) -> CellValue {
        let text = withText(index) { String(decoding: $0) }
        if self[index] == .decimal, let decimal = ExactDecimal(text) ?? ExactDecimal(json: text) {
            return .decimal(decimal)
        }
        return Timestamp(text).map(CellValue.timestamp) ?? .text(text)
    }
}
