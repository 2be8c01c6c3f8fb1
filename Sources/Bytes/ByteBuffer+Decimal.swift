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
        guard value >= 10 else { return append(UInt8(ascii: "0") + UInt8(value)) }
        var digits = 1
        var bound = value / 10
        while bound > 0 {
            digits += 1
            bound /= 10
        }
        reserve(digits)
        used += digits
        var rest = value
        var index = used
        while rest > 0 {
            index -= 1
            // SAFETY: reserve made room, and as many steps are taken as there are digits.
            unsafe base[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
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
        var shift = value == 0 ? 0 : (63 - value.leadingZeroBitCount) / 4 * 4
        while shift >= 0 {
            let digit = UInt8(truncatingIfNeeded: value >> UInt64(shift)) & 0xF
            append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            shift -= 4
        }
    }

    /// Appends the lowest bytes of a number, the highest of them first.
    ///
    /// - Parameters:
    ///   - value: The number; what does not fit is left out.
    ///   - count: 0...8.
    @inlinable
    package mutating func append(bigEndian value: UInt64, bytes count: Int) {
        precondition(count >= 0 && count <= 8, "\(count) bytes of a number")
        reserve(8)
        let bytes = count == 0 ? 0 : (value << UInt64(64 - 8 * count)).bigEndian
        // SAFETY: reserve made room for eight bytes from `used` on.
        unsafe UnsafeMutableRawPointer(base + used).storeBytes(of: bytes, as: UInt64.self)
        used &+= count
    }
}
