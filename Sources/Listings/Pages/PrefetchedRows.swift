/// Rows of one registration whose cells are written at the end of the page.
///
/// Their data is prefetched together before. A page has one value for each such registration.
protocol PrefetchedRows: Sendable {
    /// Takes only rows of this registration.
    mutating func take<Model>(
        _ context: Context<Model>,
        row: Int,
        of kinds: [String]
    ) -> Bool

    func write(to page: inout Page)
}

struct PrefetchedRun<Model>: PrefetchedRows
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
