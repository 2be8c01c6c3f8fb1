import Bytes

extension Page {
    /// The hash of a section's contents, without its rows.
    package func contentHash(ofSection index: Int, named name: SectionName) -> UInt64 {
        var hash = name.hash
        hash.add(sections[index].isContinued ? 1 : 0)
        hash.add(sections[index].hasMore ? 1 : 0)
        hash.add(sections[index].next)
        return hash.bits
    }

    /// The initial hashes of rows, by their kinds.
    package func hashesOfKinds(seed: UInt64) -> [ContentHash] {
        kinds.map { ContentHash(seed: seed, kind: $0.name) }
    }

    /// Creates the initial hashes for window names, for kinds added since the last page.
    mutating func hashKindsOfWindow() {
        for kind in kinds[kindHashes.count...] {
            kindHashes.append(ContentHash(seed: WindowFormat.seed, kind: kind.name))
        }
    }

    /// The hash of a row's contents, actions and links.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - beginnings: The initial hashes of the kinds.
    /// - Returns: The hash, of 48 bits.
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

    /// Creates the initial hash of the rows of a kind.
    fileprivate init(seed: UInt64, kind: String) {
        self.init(seed: seed)
        add(kind)
    }

    /// Adds the cursor of a section's further rows.
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

    private mutating func add(_ value: CellValue) {
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
