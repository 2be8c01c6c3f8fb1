package import Listings

/// A list in memory, whose cells are written by the row controllers of its models.
package protocol ControlledList: ListSource {
    /// The columns of each model type that has rows in the list.
    ///
    /// - Complexity: O(runs).
    var modelColumns: [ModelColumns] { get }
}

/// The columns that the row controller of a model type writes.
package struct ModelColumns: Hashable, Sendable {
    /// The displayed name of the model type.
    package let model: String
    /// The columns; empty if the type has no controller yet.
    package let columns: [Column]
}

extension ModelColumns {
    /// Returns the columns of each model type that has rows, in the order of their first rows.
    static func all(in snapshot: Snapshot) -> [ModelColumns] {
        var found: [ModelColumns] = []
        snapshot.sections.visit { _, node in
            node.rows.pieces.visit { _, piece in
                let storage = piece.storage
                let columns = ModelColumns(model: storage.modelName, columns: storage.columns)
                if !found.contains(columns) { found.append(columns) }
                return true
            }
            return true
        }
        return found
    }
}
