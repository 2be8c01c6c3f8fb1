import Listings
import Synchronization

/// A counter of the rows of a list that could not be shown, which logs some of them.
final class FailureLog: Sendable {
    private let count = Atomic(0)

    /// Counts a row, and logs it if the count is a power of two.
    ///
    /// Repeated requests for the same page therefore cannot fill a disk.
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
