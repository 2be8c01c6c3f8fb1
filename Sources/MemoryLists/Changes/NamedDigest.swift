import ListDiff
import Listings

/// A digest with the names of its sections and rows.
struct NamedDigest: DigestNames {
    private(set) var numbers = ListDigest()
    private var sections: [SectionID] = []
    private var rows: [String] = []

    mutating func beginSection(_ info: SectionInfo, _ numbering: inout SectionNumbering) {
        sections.append(info.id)
        numbering.begin(info, in: &numbers)
    }

    mutating func appendRow(
        _ id: String,
        revision: UInt64,
        _ numbering: inout Interner<String>
    ) {
        rows.append(id)
        numbers.appendRow(numbering.number(of: id), revision: revision)
    }

    func sectionID(at index: Int) -> SectionID { sections[index] }

    func rowID(at index: Int) -> String { rows[index] }
}
