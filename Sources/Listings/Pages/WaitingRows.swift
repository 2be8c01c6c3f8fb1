/// Rows of one registration whose cells are written when the page ends.
///
/// Something is to be fetched for all of them first. One for each such registration on a page.
protocol WaitingRows: Sendable {
    /// Takes a row, if it is of this registration.
    mutating func take<Model>(
        _ context: Context<Model>,
        row: Int,
        of kinds: [String]
    ) -> Bool

    /// Fetches what the rows need, and writes their cells.
    func write(to page: inout Page)
}

struct WaitingRun<Model>: WaitingRows
where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
    private let registration: Registration<Model>
    private var contexts: [Context<Model>] = []
    private var rows: [Int] = []

    init(_ registration: Registration<Model>) { self.registration = registration }

    mutating func take<Other>(
        _ context: Context<Other>,
        row: Int,
        of kinds: [String]
    ) -> Bool {
        guard kinds == registration.kinds, let context = context as? Context<Model> else {
            return false
        }
        contexts.append(context)
        rows.append(row)
        return true
    }

    func write(to page: inout Page) {
        do {
            try registration.events.prefetch?(contexts)
        } catch {
            for row in rows { page.fail(row, .prefetchFailed, error, registration) }
            return
        }
        for (row, context) in zip(rows, contexts) { page.write(row, context, registration) }
    }
}
