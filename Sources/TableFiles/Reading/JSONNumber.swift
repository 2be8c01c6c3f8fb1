/// A state machine for numbers in the grammar of RFC 8259 §6.
struct JSONNumber {
    private enum State {
        case start
        case minus
        case zero
        case integer
        case point
        case fraction
        case exponent
        case exponentSign
        case exponentDigits
    }

    private var state = State.start

    /// Takes the next byte.
    ///
    /// - Returns: Whether the byte continues the number. If not, the number ended before it.
    mutating func take(_ byte: UInt8) -> Bool {
        guard let next = next(byte) else { return false }
        state = next
        return true
    }

    private func next(_ byte: UInt8) -> State? {
        let isDigit = byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
        switch state {
        case .start:
            if byte == UInt8(ascii: "-") { return .minus }
            return isDigit ? (byte == UInt8(ascii: "0") ? .zero : .integer) : nil
        case .minus:
            return isDigit ? (byte == UInt8(ascii: "0") ? .zero : .integer) : nil
        case .zero:
            return afterInteger(byte)
        case .integer:
            return isDigit ? .integer : afterInteger(byte)
        case .point:
            return isDigit ? .fraction : nil
        case .fraction:
            return isDigit ? .fraction : isExponent(byte) ? .exponent : nil
        case .exponent:
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { return .exponentSign }
            return isDigit ? .exponentDigits : nil
        case .exponentSign, .exponentDigits:
            return isDigit ? .exponentDigits : nil
        }
    }

    private func afterInteger(_ byte: UInt8) -> State? {
        if byte == UInt8(ascii: ".") { return .point }
        return isExponent(byte) ? .exponent : nil
    }

    private func isExponent(_ byte: UInt8) -> Bool { byte | 0x20 == UInt8(ascii: "e") }

    /// Whether the bytes form a complete number.
    var isComplete: Bool {
        switch state {
        case .zero, .integer, .fraction, .exponentDigits: true
        case .start, .minus, .point, .exponent, .exponentSign: false
        }
    }

    /// Whether the bytes form a number without fraction and exponent.
    var isInteger: Bool { state == .zero || state == .integer }

    /// Whether the bytes form a number with an exponent.
    var hasExponent: Bool { state == .exponentDigits }
}
