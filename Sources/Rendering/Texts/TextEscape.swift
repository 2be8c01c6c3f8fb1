import Bytes

/// How a language writes texts in which some bytes cannot stand for themselves.
protocol TextEscape {
    /// Marks bytes among eight that may need an escape, as ``WordSearch`` does; none is left out.
    static func marks(in word: UInt64) -> UInt64

    /// Whether a byte cannot stand for itself.
    static func needsEscape(_ byte: UInt8) -> Bool

    /// The most bytes that stand for one.
    static var longest: Int { get }

    /// Appends what stands for such a byte.
    static func escape(_ byte: UInt8, to sink: inout some ByteSink & ~Copyable)
}

/// An escape that many texts are asked for at once.
protocol BlockEscape: TextEscape {
    /// Marks bytes among sixteen that may need an escape; none is left out.
    static func marks(in block: SIMD16<UInt8>) -> ByteMask
}

extension TextEscape {
    /// Copies runs of bytes that stand for themselves, and escapes the few between them.
    static func write(
        _ utf8: borrowing Span<UInt8>,
        to sink: inout some ByteSink & ~Copyable
    ) {
        // Most texts need no escape: they are copied while they are looked at.
        if sink.append(utf8, unless: { marks(in: $0) }) { return }
        writeRuns(of: utf8, to: &sink)
    }

    /// Whether every byte of a text stands for itself.
    static func isPlain(_ utf8: borrowing Span<UInt8>) -> Bool {
        endOfRun(in: utf8, from: 0) == utf8.count
    }

    private static func writeRuns(
        of utf8: borrowing Span<UInt8>,
        to sink: inout some ByteSink & ~Copyable
    ) {
        var start = 0
        while true {
            let end = endOfRun(in: utf8, from: start)
            sink.append(utf8.extracting(start..<end))
            guard end < utf8.count else { return }
            escape(utf8[end], to: &sink)
            start = end + 1
        }
    }

    /// Where the first byte stands that cannot stand for itself: looked for eight at a time, which
    /// takes a third of the instructions.
    private static func endOfRun(in utf8: borrowing Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index <= utf8.count - 8 {
            let found = marks(in: utf8.word(at: index))
            guard found != 0 else {
                index += 8
                continue
            }
            index += found.trailingZeroBitCount / 8
            if needsEscape(utf8[index]) { return index }
            index += 1
        }
        while index < utf8.count, !needsEscape(utf8[index]) { index += 1 }
        return index
    }
}
