import Listings

extension JSONWriter {
    /// Appends the members of a row besides its cells, if present, and its links.
    mutating func extras(
        ofRow row: Int,
        of page: borrowing Page,
        in context: RenderContext
    ) {
        let outline = page.outline(ofRow: row)
        if let outline { member("level", outline.level) }
        if let isExpanded = outline?.isExpanded { member("expanded", isExpanded) }
        if let below = page.below(row: row) {
            object("children") { writer in
                writer.member("count", below.count)
                writer.member("shown", below.shown)
            }
        }
        if let span = page.span(ofRow: row) { member("span", span) }
        let actions = page.actions(ofRow: row)
        if !actions.isEmpty {
            array("actions") { writer in
                for action in actions { writer.action(action, ofRow: row, of: page, in: context) }
            }
        }
        let link = page.link(ofRow: row)
        object("links") { writer in
            if link == .closed {
                writer.member("self", nil)
            } else {
                writer.string("self") { address in
                    page.withID(ofRow: row) { id in context.links.writeRow(id, to: &address) }
                }
            }
            switch link {
            case .own, .closed: break
            case .address(let address):
                writer.string("open") { context.links.writeAddress(address, to: &$0) }
            case .absent: writer.member("open", nil)
            }
            if page.canExpand(row: row) {
                writer.string("children") { address in
                    page.withID(ofRow: row) { context.links.writeChildren(ofRow: $0, to: &address) }
                }
            }
            if let toggle = outline?.toggle {
                writer.string("toggle") { context.links.writeAddress(toggle, to: &$0) }
            }
        }
    }

    private mutating func action(
        _ action: RowAction,
        ofRow row: Int,
        of page: borrowing Page,
        in context: RenderContext
    ) {
        object { writer in
            writer.member("name", action.name)
            writer.member("title", action.title)
            writer.member("method", action.method.rawValue)
            writer.string("href") { address in
                page.withID(ofRow: row) { id in
                    context.links.writeAction(action.name, ofRow: id, to: &address)
                }
            }
            writer.member("destructive", action.isDestructive)
            writer.member("confirm", action.confirm)
        }
    }
}
