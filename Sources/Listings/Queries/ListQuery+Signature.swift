extension ListQuery {
    /// A fingerprint of the order this question reads in.
    ///
    /// The list, the grouping, the sort, the sections, the conditions and whether rows or sections are
    /// paged: a cursor is good for one such order only.
    ///
    /// FNV-1a, 32 bits (RFC 9923): it tells orders apart, it does not protect them.
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
    /// Whether questions that are equal to this one have its signature.
    ///
    /// Texts and numbers can be equal and spelled otherwise (`é` in two ways, 0 and -0); signatures
    /// are made of the spelling.
    var hasOneSpelling: Bool {
        !isNarrowed && scope.isEmpty && sections == nil && segment == nil && parent == nil
    }
}

extension Filter {
    /// The condition in one spelling, whatever the order of its operands.
    fileprivate func canonicalText(_ schema: ListSchema) -> String {
        let operands = operands.map {
            "\($0.kind.rawValue)\($0.plainText.utf8.count):\($0.plainText)"
        }
        .sorted()
        return "\(schema.name(of: field))__\(operation.rawValue)=\(operands.joined())"
    }
}

/// FNV-1a over texts, each closed by a byte that no UTF-8 text holds.
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
