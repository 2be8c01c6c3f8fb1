package import Listings

/// A list in memory, whose cells are written by the row controllers of its models.
package protocol ControlledList: ListSource {
    /// The row controllers of the models; without columns for a model that has none yet.
    ///
    /// - Complexity: O(runs).
    var registrations: [RegistrationSummary] { get }
}

extension RegistrationSummary {
    static func all(in snapshot: Snapshot) -> [RegistrationSummary] {
        var found: [RegistrationSummary] = []
        snapshot.sections.visit { _, node in
            node.rows.pieces.visit { _, piece in
                let summary = piece.storage.summary
                if !found.contains(summary) { found.append(summary) }
                return true
            }
            return true
        }
        return found
    }
}
