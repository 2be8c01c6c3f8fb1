import Bytes

/// An exact decimal number that keeps its spelling.
///
/// `1.50`, `1.5` and `01.5` are equal: comparisons, order and hashes use the value.
public struct ExactDecimal: Sendable {
    /// The number in its original spelling.
    public let text: String

    /// The maximum number of bytes of a number.
    ///
    /// Longer ones are read as text.
    public static let maximumBytes = 1_000

    /// Parses a plain decimal: an optional sign, and digits with at most one point before a digit.
    ///
    /// Returns nil for anything else, such as `1e5`, `0x10`, `1_000`, `5.` and `1,5`.
    public init?(_ text: String) {
        guard Self.isPlain(text.utf8.span) else { return nil }
        self.text = text
    }

    /// Parses a JSON number (RFC 8259 §6), which may have an exponent.
    package init?(json text: String) {
        guard Self.isJSON(text.utf8.span) else { return nil }
        self.text = text
    }

    /// Creates the value of a finite double: exact from ±2⁵³, otherwise its shortest decimal.
    package init(_ real: Double) {
        precondition(real.isFinite, "\(real) is no decimal")
        if real.magnitude >= 0x1p53, real.magnitude < 0x1p127 {
            text = (real < 0 ? "-" : "") + "\(UInt128(real.magnitude))"
        } else {
            text = "\(real)"
        }
    }

    /// A number may have an exponent.
    ///
    /// It has at most ``maximumBytes``.
    package static func isJSON(_ utf8: borrowing Span<UInt8>) -> Bool {
        utf8.count <= maximumBytes && DecimalForm(utf8) != nil
    }

    package static func isPlain(_ utf8: borrowing Span<UInt8>) -> Bool {
        guard utf8.count > 0, utf8.count <= maximumBytes else { return false }
        let first = utf8[0] == UInt8(ascii: "-") || utf8[0] == UInt8(ascii: "+") ? 1 : 0
        var hasPoint = false
        var endsInDigit = false
        for index in first..<utf8.count {
            let byte = utf8[index]
            if byte == UInt8(ascii: "."), !hasPoint {
                hasPoint = true
                endsInDigit = false
            } else if byte &- UInt8(ascii: "0") < 10 {
                endsInDigit = true
            } else {
                return false
            }
        }
        return endsInDigit
    }

    /// The nearest double; infinite if the number is beyond all doubles.
    public var nearestDouble: Double { Double(text) ?? 0 }

    /// Whether the shortest decimal of the nearest double has the same value.
    public var isDouble: Bool {
        let double = nearestDouble
        return double.isFinite && ExactDecimal(double) == self
    }

    /// Whether clients that only support doubles read the number without loss.
    ///
    /// They may round integers beyond ±2⁵³ that are written in digits.
    package var isReadAsDouble: Bool {
        isDouble && (nearestDouble.magnitude <= 0x1p53 || text.utf8.contains { $0 | 0x20 == 0x65 })
    }

    /// The unique spelling of the value: without plus sign, leading zeros and trailing zeros.
    public var canonicalText: String {
        withForm { $0.canonicalText($1) }
    }

    package func withForm<R>(_ body: (DecimalForm, borrowing Span<UInt8>) -> R) -> R {
        let utf8 = text.utf8.span
        guard let form = DecimalForm(utf8) else { preconditionFailure("\(text) is no decimal") }
        return body(form, utf8)
    }
}

extension ExactDecimal: Comparable {
    /// Whether two numbers have the same value.
    public static func == (left: Self, right: Self) -> Bool { left.compare(right) == 0 }

    /// Whether one number is less than another.
    public static func < (left: Self, right: Self) -> Bool { left.compare(right) < 0 }

    /// Compares two numbers by value: less than, equal to or greater than 0.
    ///
    /// - Complexity: O(digits).
    public func compare(_ other: ExactDecimal) -> Int {
        withForm { form, utf8 in
            other.withForm { otherForm, otherUTF8 in
                DecimalForm.compare(form, utf8, otherForm, otherUTF8)
            }
        }
    }
}

extension ExactDecimal: Hashable {
    /// Hashes the nearest double, which equal numbers share.
    public func hash(into hasher: inout Hasher) { hasher.combine(nearestDouble + 0) }
}
