import Listings
import Synchronization

/// Counts the rows of a list that could not be shown, and tells of some of them.
final class FailureLog: Sendable {
    private let count = Atomic(0)

    /// Counts a row.
    ///
    /// The first is told, the second, the fourth, the eighth: a page that is asked for
    /// again and again fills no disk.
    func add(_ failure: RowFailure) {
        let count = count.add(1, ordering: .relaxed).newValue
        guard count & (count - 1) == 0 else { return }
        let error = failure.error.map { ": \($0)" } ?? ""
        Diagnostics.write(
            "\(failure.list): row '\(failure.id)' (\(failure.model) as \(failure.kind)): "
                + "\(failure.code.rawValue)\(error); \(count) so far",
            .error
        )
    }
}
