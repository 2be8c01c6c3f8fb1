import Bytes

/// A hash of contents, the same for the same seed in every process.
///
/// Words are folded by a multiplication of full width. A seed that is kept secret keeps others from
/// choosing contents that look alike.
struct ContentHash {
    private(set) var value: UInt64

    private static var factor: UInt64 { 0x9E37_79B9_7F4A_7C15 }
    /// Keeps a product of zero from taking all that comes after it along.
    private static var constant: UInt64 { 0xD6E8_FEB8_6659_FD93 }

    init(seed: UInt64) { value = seed }

    mutating func add(_ number: UInt64) {
        let product = (value ^ number).multipliedFullWidth(by: Self.factor)
        value = product.high ^ product.low ^ Self.constant
    }

    mutating func add(_ bytes: borrowing Span<UInt8>) {
        // The length first, so that no text is the beginning of another one.
        add(UInt64(bytes.count))
        addWords(of: bytes, from: 0, count: bytes.count)
    }

    /// Adds bytes whose number is added already; the last eight may be added twice.
    @inline(__always)
    private mutating func addWords(of bytes: borrowing Span<UInt8>, from start: Int, count: Int) {
        let last = start + count - 8
        guard last >= start else { return add(bytes.extracting(start..<start + count).gathered) }
        var index = start
        while index < last {
            add(bytes.word(at: index))
            index += 8
        }
        add(bytes.word(at: last))
    }

    mutating func add(_ text: String) { add(text.utf8.span) }

    /// Adds a text that may be missing, which is something else than an empty one.
    mutating func add(_ text: String?) {
        add(text == nil ? 0 : 1)
        if let text { add(text) }
    }

    /// Adds cells that follow one another, with what people read in their places.
    ///
    /// Texts between which nothing else stands are one run of bytes, sixteen of which are folded at a
    /// time; where one ends and the next begins tells the shape, which is added last.
    @inline(__always)
    mutating func add(_ range: Range<Int>, of cells: borrowing CellBuffer) {
        // A copy: what is kept elsewhere would be written and read again for each word.
        var hash = self
        var shape = UInt64(range.count)
        var (start, end) = (0, -1)
        cells.slots.withSpan(range) { slots in
            for index in slots.indices {
                let slot = slots[index]
                shape = (shape ^ slot.shape) &* Self.factor
                if slot.kind == .text {
                    let first = Int(truncatingIfNeeded: slot.payload)
                    if first != end {
                        if end > start { hash.add(run: start..<end, of: cells.bytes) }
                        start = first
                    }
                    end = first &+ Int(slot.length)
                } else if slot.kind != .null {
                    hash.add(slot.payload)
                }
                // It stands behind the text of its cell.
                if slot.hasDisplay { cells.withDisplay(range.lowerBound + index) { hash.add($0) } }
            }
        }
        if end > start { hash.add(run: start..<end, of: cells.bytes) }
        hash.add(shape)
        self = hash
    }

    /// Adds the bytes of texts whose lengths are added with the shape; the last may be added twice.
    @inline(__always)
    private mutating func add(run range: Range<Int>, of bytes: borrowing ByteBuffer) {
        guard range.count >= 16 else {
            return bytes.withBytes { add(shortRun: $0.extracting(range)) }
        }
        var hash = self
        bytes.forEachPair(in: range) { hash.add($0, $1) }
        self = hash
    }

    private mutating func add(shortRun bytes: borrowing Span<UInt8>) {
        guard bytes.count >= 8 else { return add(bytes.gathered) }
        add(bytes.word(at: 0), bytes.word(at: bytes.count - 8))
    }

    /// Adds two words with one multiplication.
    @inline(__always)
    private mutating func add(_ first: UInt64, _ second: UInt64) {
        // Each is mixed with other bits of what came before, so that they cannot change places.
        let other = value << 32 | value >> 32
        let product = (value ^ first).multipliedFullWidth(by: second ^ other ^ Self.factor)
        value = product.high ^ product.low ^ Self.constant
    }
}

extension CellBuffer.Slot {
    /// Of what kind a cell is, how long its text is, and whether people read another one.
    ///
    /// Clients hold hashes of it: another number of a kind is another ``WindowToken/format``.
    @inline(__always)
    fileprivate var shape: UInt64 {
        UInt64(length) << 8 | UInt64(kind.rawValue) << 1 | (hasDisplay ? 1 : 0)
    }
}
