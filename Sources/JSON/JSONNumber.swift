/// Reads a number in the grammar of RFC 8259 §6, across chunks.
package struct JSONNumber: Sendable {
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

    package init() {}

    package init(_ first: UInt8) { state = next(first) ?? .start }

    package static func isNumber(_ utf8: borrowing Span<UInt8>) -> Bool {
        var number = JSONNumber()
        var index = 0
        number.read(utf8, &index)
        return index == utf8.count && number.isComplete
    }

    /// Reads the bytes that continue the number.
    ///
    /// Advances the index to the first byte that does not continue the number.
    package mutating func read(_ chunk: borrowing Span<UInt8>, _ index: inout Int) {
        while index < chunk.count {
            guard let next = next(chunk[index]) else { return }
            state = next
            index += 1
            guard state == .integer || state == .fraction else { continue }
            while index < chunk.count, isDigit(chunk[index]) { index += 1 }
        }
    }

    private func next(_ byte: UInt8) -> State? {
        switch state {
        case .start where byte == UInt8(ascii: "-"): .minus
        case .start, .minus: isDigit(byte) ? (byte == UInt8(ascii: "0") ? .zero : .integer) : nil
        case .integer where isDigit(byte): .integer
        case .zero, .integer:
            byte == UInt8(ascii: ".") ? .point : isExponent(byte) ? .exponent : nil
        case .point: isDigit(byte) ? .fraction : nil
        case .fraction where isDigit(byte): .fraction
        case .fraction: isExponent(byte) ? .exponent : nil
        case .exponent where byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-"): .exponentSign
        case .exponent, .exponentSign, .exponentDigits: isDigit(byte) ? .exponentDigits : nil
        }
    }

    private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    private func isExponent(_ byte: UInt8) -> Bool { byte | 0x20 == UInt8(ascii: "e") }

    package var isComplete: Bool {
        switch state {
        case .zero, .integer, .fraction, .exponentDigits: true
        case .start, .minus, .point, .exponent, .exponentSign: false
        }
    }

    package var hasExponent: Bool { state == .exponentDigits }
}
