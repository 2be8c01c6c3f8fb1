extension ListQuery {
    /// The fingerprint of the query's order, because a cursor is valid for one order only.
    ///
    /// It covers the list, grouping, sort, sections, conditions and shape.
    ///
    /// The hash is FNV-1a, 32 bits (RFC 9923), which distinguishes orders but does not protect
    /// them.
    public func signature(of list: String, schema: ListSchema) -> UInt32 {
        var hash = Fingerprint()
        hash.add(list)
        if let segment {
            hash.add("/segment")
            hash.add(segment)
        }
        if let parent {
            hash.add("/below")
            hash.add(parent)
            return hash.value
        }
        if let grouping {
            hash.add(schema.columns[grouping.column].id)
            hash.add(grouping.part.rawValue)
        }
        if schema.usesOwnSections(self) { hash.add("/sections") }
        if schema.usesOwnOrder(self) { hash.add("/place") }
        for key in order {
            hash.add(key.field == .id ? "/id" : schema.name(of: key.field))
            hash.add(key.direction == .ascending ? "<" : ">")
            hash.add(key.nulls == .first ? "[" : "]")
        }
        if let sections {
            for id in sections.map({ schema.id(of: $0, in: grouping).rawValue }).sorted() {
                hash.add(id)
            }
        }
        if !filters.isEmpty {
            let conditions = filters.filter { !$0.isFixed }.map { $0.canonicalText(schema) }
            for condition in conditions.sorted() { hash.add(condition) }
        }
        if let search {
            hash.add("/q")
            for term in search.terms { hash.add(term.pattern) }
        }
        switch shape {
        case .flow: hash.add("flow")
        case .peek: hash.add("peek")
        }
        return hash.value
    }
}

extension ListQuery {
    /// Whether all equal queries have the same signature.
    ///
    /// Equal texts and numbers can have several spellings (`é` in two ways, 0 and -0). Signatures
    /// depend on the spelling.
    var hasOneSpelling: Bool {
        !isNarrowed && scope.isEmpty && sections == nil && segment == nil && parent == nil
    }
}

extension Filter {
    /// A text of the condition that is independent of the order of operands.
    fileprivate func canonicalText(_ schema: ListSchema) -> String {
        let operands = operands.map {
            "\($0.kind.rawValue)\($0.plainText.utf8.count):\($0.plainText)"
        }
        .sorted()
        return "\(schema.name(of: field))__\(operation.rawValue)=\(operands.joined())"
    }
}

/// An FNV-1a hash of texts.
///
/// Each text ends with a byte that UTF-8 never contains.
struct Fingerprint {
    private(set) var value: UInt32 = 0x811C_9DC5

    mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte) }
        add(0xFF)
    }

    mutating func add(_ byte: UInt8) {
        value = (value ^ UInt32(byte)) &* 0x0100_0193
    }
}
