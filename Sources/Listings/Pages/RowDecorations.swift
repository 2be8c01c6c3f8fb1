/// The rare properties of a row besides its cells, stored only for rows that have any.
struct RowDecorations: Hashable, Sendable {
    var link = RowLink.own
    var actions: [RowAction] = []
    var outline: RowOutline?
    var span: Int?
    var canExpand = false
}

extension RowDecorations {
    init(_ row: Row) {
        link = row.link
        actions = row.actions
        span = row.span
        let hasOutline = row.level != nil || row.isExpanded != nil || row.toggle != nil
        guard hasOutline else { return }
        outline = RowOutline(
            level: row.level ?? 0,
            isExpanded: row.isExpanded,
            toggle: row.toggle
        )
    }

    /// Creates the extras from a registration's events, in the order link, actions, outline, span.
    init<Model>(_ context: Context<Model>, _ events: RowEvents<Model>) {
        if let canOpen = events.canOpen, !canOpen(context) {
            link = .closed
        } else if let address = events.link {
            link = address(context).map(RowLink.address) ?? .absent
        }
        actions = events.actions?(context) ?? []
        outline = events.outline?(context)
        span = events.span?(context)
    }
}
