/// What few rows have besides their cells; kept only for rows that have any of it.
struct RowExtras: Hashable, Sendable {
    var link = RowLink.own
    var actions: [RowAction] = []
    var outline: RowOutline?
    var span: Int?
    /// Whether rows below it can be asked for.
    var canExpand = false
}

extension RowExtras {
    /// What a row of one's own making has.
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

    /// What the events of a registration give a row, in the order link, actions, outline, span.
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
