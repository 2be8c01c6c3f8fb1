import Bytes

protocol TextEscape {
    /// Marks the bytes of a word that may need an escape, like ``WordSearch``, without omissions.
    static func marks(in word: UInt64) -> UInt64

    static func needsEscape(_ byte: UInt8) -> Bool

    static var longest: Int { get }

    static func escape(_ byte: UInt8, to sink: inout some ByteSink & ~Copyable)
}

protocol BlockEscape: TextEscape {
    /// Marks the bytes of a block that may need an escape, without omissions.
    static func marks(in block: SIMD16<UInt8>) -> ByteMask
}

extension TextEscape {
    static func write(
        _ utf8: borrowing Span<UInt8>,
        to sink: inout some ByteSink & ~Copyable
    ) {
        // Most texts need no escape, so they are copied while they are checked.
        if sink.append(utf8, unless: { marks(in: $0) }) { return }
        writeRuns(of: utf8, to: &sink)
    }

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

    /// Returns the index of the first byte that needs an escape, or the end of the text.
    ///
    /// It checks eight bytes at a time, because that is faster.
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
