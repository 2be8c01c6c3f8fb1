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

extension NamedDigest {
    /// O(models), because each is read and its cells are written.
    fileprivate init(
        of snapshot: Snapshot,
        _ sections: inout SectionNumbering,
        _ rows: inout Interner<String>,
        seed: UInt64
    ) throws(SourceError) {
        self.init()
        var nodes: [SectionNode] = []
        snapshot.sections.visit { _, node in
            nodes.append(node)
            return true
        }
        var scratch = CellBuffer()
        for node in nodes {
            beginSection(node.info, &sections)
            guard !node.info.isCollapsed else { continue }
            for piece in node.rows.pieces(in: 0..<node.rows.count) {
                var start = piece.range.lowerBound
                while start < piece.range.upperBound {
                    let end = min(start + Piece.maximumMerged, piece.range.upperBound)
                    try piece.storage.hashRows(
                        start..<end,
                        in: node.info,
                        seed: seed,
                        scratch: &scratch
                    ) { id, hash in appendRow(id, revision: hash, &rows) }
                    start = end
                }
            }
        }
    }
}

extension ChangeBatch.Kind {
    /// The difference between two states when neither was made from the other.
    ///
    /// A reload when runs are too long to have indexed ids, or when a state cannot be read.
    ///
    /// - Complexity: O(models) of both states.
    static func difference(from old: Snapshot, to new: Snapshot) -> ChangeBatch.Kind {
        let unread = old.sections.tally.unindexedModels + new.sections.tally.unindexedModels
        let seed = UInt64.random(in: .min ... .max)
        var sections = SectionNumbering()
        var rows = Interner<String>()
        // After a reload, the client reads again and receives the read error.
        guard unread == 0,
            let before = try? NamedDigest(of: old, &sections, &rows, seed: seed),
            let after = try? NamedDigest(of: new, &sections, &rows, seed: seed)
        else { return .reload }
        var differ = ListDiffer()
        return differ.difference(
            from: before.numbers,
            named: before,
            to: after.numbers,
            named: after
        ).kind
    }
}
