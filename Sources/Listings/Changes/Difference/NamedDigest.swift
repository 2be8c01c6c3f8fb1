/// Gives the same number to the same id of two states, and to no other.
struct IDNumbering<ID: Hashable> {
    fileprivate var rows: [ID: UInt64] = [:]
    fileprivate var sections: [SectionID: UInt64] = [:]
    fileprivate var descriptions: [SectionInfo: UInt64] = [:]

    fileprivate static func number<Key>(of key: Key, in numbers: inout [Key: UInt64]) -> UInt64 {
        let next = UInt64(numbers.count)
        let number = numbers[key, default: next]
        if number == next { numbers[key] = next }
        return number
    }
}

/// A state of a list in numbers, with the names of its sections and rows.
struct NamedDigest<ID: Hashable & CustomStringConvertible>: DigestNames {
    private(set) var numbers = ListDigest()
    private var sections: [SectionID] = []
    private var rows: [ID] = []

    mutating func beginSection(_ info: SectionInfo, _ numbering: inout IDNumbering<ID>) {
        sections.append(info.id)
        numbers.beginSection(
            IDNumbering<ID>.number(of: info.id, in: &numbering.sections),
            revision: IDNumbering<ID>.number(of: info, in: &numbering.descriptions)
        )
    }

    mutating func appendRow(
        _ id: ID,
        revision: UInt64 = 0,
        _ numbering: inout IDNumbering<ID>
    ) {
        rows.append(id)
        let number = IDNumbering<ID>.number(of: id, in: &numbering.rows)
        numbers.appendRow(number, revision: revision)
    }

    func sectionID(at index: Int) -> SectionID { sections[index] }

    func rowID(at index: Int) -> String { rows[index].description }
}
