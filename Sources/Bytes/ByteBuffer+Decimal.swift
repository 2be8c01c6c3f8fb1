extension ByteBuffer {
    /// Appends an integer in decimal digits.
    public mutating func append(decimal value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(decimal: value.magnitude)
    }

    /// Appends an integer in decimal digits.
    public mutating func append(decimal value: Int) {
        append(decimal: Int64(value))
    }

    /// Appends an unsigned integer in decimal digits.
    public mutating func append(decimal value: UInt64) {
        append(atMost: 20) { $0.append(decimal: value) }
    }

    /// Appends an integer in decimal, with zeros in front up to a width.
    public mutating func append(decimal value: Int, width: Int) {
        precondition(value >= 0, "a padded number cannot be negative: \(value)")
        var bound = 10
        for _ in 1..<max(width, 1) {
            if value < bound { append(UInt8(ascii: "0")) }
            bound *= 10
        }
        append(decimal: UInt64(value))
    }

    /// Appends an unsigned integer in lower-case hexadecimal digits, without zeros in front.
    public mutating func append(hexadecimal value: UInt64) {
        append(atMost: 16) { $0.append(hexadecimal: value) }
    }

    /// Appends the lowest bytes of a number, the highest of them first; see ``ByteSink``.
    @inlinable
    package mutating func append(bigEndian value: UInt64, bytes count: Int) {
        append(atMost: 8) { $0.append(bigEndian: value, bytes: count) }
    }
}
