import Bytes

/// A hash of contents, the same for the same seed in every process.
///
/// Words are folded by a multiplication of full width. A seed that is kept secret keeps others from
/// choosing contents that look alike.
struct ContentHash {
    private(set) var value: UInt64

    init(seed: UInt64) { value = seed }

    mutating func add(_ number: UInt64) {
        let product = (value ^ number).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        // The constant keeps a product of zero from taking all that comes after it along.
        value = product.high ^ product.low ^ 0xD6E8_FEB8_6659_FD93
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
    @inline(__always)
    mutating func add(_ range: Range<Int>, of cells: borrowing CellBuffer) {
        // A copy: what is kept elsewhere would be written and read again for each word.
        var hash = self
        cells.bytes.withBytes { bytes in
            for index in range {
                let slot = cells.slots[index]
                // The lowest three bits of what comes first tell of what kind a cell is.
                if slot.kind == .text {
                    hash.add(UInt64(slot.length) << 3 | 1)
                    hash.addWords(of: bytes, from: Int(slot.payload), count: Int(slot.length))
                } else {
                    hash.add(plain: slot)
                }
                if slot.hasDisplay { cells.withDisplay(index) { hash.add($0) } }
            }
        }
        self = hash
    }

    /// Adds a cell that is no text.
    private mutating func add(plain slot: CellBuffer.Slot) {
        switch slot.kind {
        case .null, .text: add(0)
        case .integer:
            add(2)
            add(slot.payload)
        case .real:
            add(3)
            add(slot.payload)
        case .boolean: add(slot.payload == 1 ? 4 : 5)
        case .date:
            add(6)
            add(slot.payload)
        }
    }

    /// Adds what is known of a section besides its rows.
    mutating func add(_ section: SectionInfo) {
        add(section.header)
        add(section.footer)
        add(section.indexTitle)
        add(section.isCollapsed ? 1 : 0)
    }
}
