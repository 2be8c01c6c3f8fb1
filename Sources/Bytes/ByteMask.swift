/// Marks among sixteen bytes: all bits of a byte are set where it is marked.
///
/// Made by `.==`, `.!=`, `.<` and `.>` and joined by `.|` and `.&`. What such an expression makes is
/// to be said (`let mask: ByteMask = …`): else the compiler takes operators that it knows for vectors
/// of every kind, which look at one byte after the other, at forty times the instructions. It knows
/// no others, as `|` of two vectors and `.!`.
@usableFromInline
package typealias ByteMask = SIMDMask<SIMD16<Int8>>

extension ByteMask {
    @inlinable
    @inline(__always)
    var words: (first: UInt64, second: UInt64) {
        // SAFETY: a mask is its sixteen bytes, and every pattern of bits is a number.
        unsafe unsafeBitCast(self, to: (UInt64, UInt64).self)
    }

    /// A number where a byte is marked, 0 elsewhere.
    @inline(__always)
    func taking(_ number: Int8) -> SIMD16<Int8> {
        // SAFETY: a mask is its sixteen bytes, and every pattern of bits is a number.
        unsafe unsafeBitCast(self, to: SIMD16<Int8>.self) & SIMD16(repeating: number)
    }

    @inlinable
    @inline(__always)
    var isAny: Bool {
        let (first, second) = words
        return first | second != 0
    }

    @inlinable
    var firstPosition: Int? {
        let (first, second) = words
        if first != 0 { return first.littleEndian.trailingZeroBitCount / 8 }
        return second == 0 ? nil : 8 + second.littleEndian.trailingZeroBitCount / 8
    }
}

extension SIMD16<Int8> {
    /// The bytes of two numbers, the lowest of each first.
    @inline(__always)
    init(words first: UInt64, _ second: UInt64) {
        // SAFETY: both are sixteen bytes, and every pattern of bits is a number.
        self = unsafe unsafeBitCast(
            SIMD2(first.littleEndian, second.littleEndian),
            to: SIMD16<Int8>.self
        )
    }
}
