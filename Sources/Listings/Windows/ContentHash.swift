import Bytes

/// A hash of contents, the same for the same seed in every process.
///
/// Full-width multiplication mixes the words. A secret seed prevents others from choosing contents
/// with equal hashes.
package struct ContentHash {
    package private(set) var value: UInt64

    private static var factor: UInt64 { 0x9E37_79B9_7F4A_7C15 }
    /// A constant that keeps a zero product from cancelling all further input.
    private static var constant: UInt64 { 0xD6E8_FEB8_6659_FD93 }

    package init(seed: UInt64) { value = seed }

    package mutating func add(_ number: UInt64) {
        let product = (value ^ number).multipliedFullWidth(by: Self.factor)
        value = product.high ^ product.low ^ Self.constant
    }

    mutating func add(_ bytes: borrowing Span<UInt8>) {
        // The length comes first, so that no text is a prefix of another one.
        add(UInt64(bytes.count))
        addWords(of: bytes, from: 0, count: bytes.count)
    }

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

    package mutating func add(_ text: String) { add(text.utf8.span) }

    /// nil and an empty text have different hashes.
    mutating func add(_ text: String?) {
        add(text == nil ? 0 : 1)
        if let text { add(text) }
    }

    /// Adjacent texts form one run of bytes, which is hashed 16 bytes at a time.
    ///
    /// The shape holds the limits of the texts and is added last.
    @inline(__always)
    package mutating func add(_ range: Range<Int>, of cells: borrowing CellBuffer) {
        // A local copy avoids a load and a store for each word.
        var hash = self
        var shape = UInt64(range.count)
        var (start, end) = (0, -1)
        cells.slots.withSpan(range) { slots in
            for index in slots.indices {
                let slot = slots[index]
                shape = (shape ^ slot.shape) &* Self.factor
                if slot.kind.hasText {
                    let first = Int(truncatingIfNeeded: slot.payload)
                    if first != end {
                        if end > start { hash.add(run: start..<end, of: cells.bytes) }
                        start = first
                    }
                    end = first &+ Int(slot.length)
                } else if slot.kind != .null {
                    hash.add(slot.payload)
                }
                // The display text follows the text of its cell.
                if slot.hasDisplay { cells.withDisplay(range.lowerBound + index) { hash.add($0) } }
            }
        }
        if end > start { hash.add(run: start..<end, of: cells.bytes) }
        hash.add(shape)
        self = hash
    }

    /// Adds texts whose lengths are part of the shape.
    ///
    /// The last bytes may be added twice.
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

    @inline(__always)
    private mutating func add(_ first: UInt64, _ second: UInt64) {
        // Each is mixed with other bits of the previous value, so that swapped words differ.
        let other = value << 32 | value >> 32
        let product = (value ^ first).multipliedFullWidth(by: second ^ other ^ Self.factor)
        value = product.high ^ product.low ^ Self.constant
    }
}

extension CellBuffer.Slot {
    /// The kind of a cell, the length of its text, and whether it has a display text.
    ///
    /// Clients hold hashes of it, so another raw value of a kind needs another
    /// ``WindowFormat/version``.
    @inline(__always)
    fileprivate var shape: UInt64 {
        UInt64(length) << 8 | UInt64(kind.rawValue) << 1 | (hasDisplay ? 1 : 0)
    }
}

extension Page {
    package func contentHash(ofSection index: Int, named name: SectionName) -> UInt64 {
        var hash = name.hash
        hash.add(sections[index].isContinued ? 1 : 0)
        hash.add(sections[index].hasMore ? 1 : 0)
        hash.add(sections[index].next)
        for value in sections[index].aggregates { hash.add(value ?? .null) }
        return hash.bits
    }

    package func hashesOfKinds(seed: UInt64) -> [ContentHash] {
        kinds.map { ContentHash(seed: seed, kind: $0.name) }
    }

    /// Creates the initial hashes for window names, for kinds added since the last page.
    mutating func hashKindsOfWindow() {
        for kind in kinds[kindHashes.count...] {
            kindHashes.append(ContentHash(seed: WindowFormat.seed, kind: kind.name))
        }
    }

    /// The hash has 48 bits.
    @inline(__always)
    package func contentHash(ofRow row: Int, after beginnings: [ContentHash]) -> UInt64 {
        let slot = rowSlots[row]
        var hash = beginnings[slot.kind]
        if let revision = slot.revision { hash.add(UInt64(bitPattern: revision)) }
        if !below.isEmpty, let below = below[row] {
            hash.add(UInt64(truncatingIfNeeded: below.count))
            hash.add(UInt64(truncatingIfNeeded: below.shown))
        }
        if !failures.isEmpty, let failure = failures[row] {
            hash.add(failure.rawValue)
        } else if let first = slot.firstCell {
            hash.add(Int(first)..<Int(first) + kinds[slot.kind].cellCount, of: cells)
        }
        if slot.extras >= 0 { hash.add(extras[Int(slot.extras)]) }
        return hash.bits
    }
}

extension ContentHash {
    /// The low 48 bits, which are short enough to send.
    ///
    /// One of 2^48 changes goes unnoticed.
    var bits: UInt64 { value & 0xFFFF_FFFF_FFFF }

    fileprivate init(seed: UInt64, kind: String) {
        self.init(seed: seed)
        add(kind)
    }

    fileprivate mutating func add(_ cursor: Cursor?) {
        guard let cursor else { return add(0) }
        add(1)
        add(UInt64(cursor.signature))
        add(cursor.side == .back ? 1 : 0)
        // In a list's own order, the section key alone holds its position and epoch.
        switch cursor.section {
        case .whole: add(0)
        case .named(let id):
            add(1)
            add(id.rawValue)
        case .value(let value):
            add(2)
            add(value)
        }
        guard let row = cursor.row else { return add(0) }
        add(UInt64(row.values.count))
        for value in row.values { add(value) }
    }

    fileprivate mutating func add(_ value: CellValue) {
        switch value {
        case .null: add(0)
        case .text(let text):
            add(1)
            add(text)
        case .integer(let integer):
            add(2)
            add(UInt64(bitPattern: integer))
        case .real(let real):
            add(3)
            add(real.bitPattern)
        case .boolean(let boolean): add(boolean ? 5 : 4)
        case .date(let date):
            add(6)
            add(UInt64(bitPattern: date.ordinal))
        case .decimal(let decimal):
            add(7)
            add(decimal.text)
        case .timestamp(let timestamp):
            add(8)
            add(timestamp.text)
        case .json(let text):
            add(9)
            add(text)
        case .bytes(let bytes):
            add(10)
            add(bytes.hexadecimal)
        }
    }

    fileprivate mutating func add(_ extras: RowDecorations) {
        switch extras.link {
        case .own: add(0)
        case .absent: add(1)
        case .closed: add(2)
        case .address(let address):
            add(3)
            add(address)
        }
        for action in extras.actions {
            add(action.name)
            add(action.title)
            add(action.method.rawValue)
            add(action.isDestructive ? 1 : 0)
            add(action.confirm)
        }
        if let outline = extras.outline {
            add(UInt64(truncatingIfNeeded: outline.level))
            add(outline.isExpanded.map { $0 ? 2 : 1 } ?? 0)
            add(outline.toggle)
        }
        add(UInt64(truncatingIfNeeded: extras.span ?? 0))
        add(extras.canExpand ? 1 : 0)
    }
}
