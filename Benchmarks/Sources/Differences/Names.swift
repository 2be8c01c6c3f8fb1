import ListDiff
import Listings

/// Names that exist before anything is compared, as the ids of models do.
struct Names: DigestNames {
    private let rows: [String]

    init(_ ids: [UInt64]) { rows = ids.map { "row-\($0)-of-the-list" } }

    func sectionID(at index: Int) -> SectionID { "all" }

    func rowID(at index: Int) -> String { rows[index] }
}
