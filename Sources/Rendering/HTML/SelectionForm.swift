import Listings

struct SelectionForm {
    private let actions: [RowAction]
    private let context: RenderContext

    init(_ actions: [RowAction], in context: RenderContext) {
        self.actions = actions
        self.context = context
    }

    func write(of page: borrowing Page, to writer: inout HTMLWriter) {
        let (texts, rules) = (writer.texts, context.bulkRules)
        guard rules != nil || !actions.isEmpty else { return }
        writer.markup("<form id=\"act\" class=\"acts\" method=\"post\"><label>")
        writer.element(
            "<input type=\"checkbox\" name=\"all\" value=\"true\"> ",
            page.total.map { texts("all \(texts.count($0)) matching") } ?? texts("all matching"),
            "</label> "
        )
        writer.element("<span>", writer.texts("With selected rows:"), "</span>")
        if let rules, rules.operations.contains(.update) { change(rules, page.schema, to: &writer) }
        for action in actions { self.action(action, to: &writer) }
        if let rules, rules.operations.contains(.delete) {
            let title = writer.texts("Delete")
            action(RowAction("delete", title: title, isDestructive: true), to: &writer)
        }
        writer.markup("</form>\n")
    }

    private func change(_ rules: RowRules, _ schema: ListSchema, to writer: inout HTMLWriter) {
        writer.element(
            " <details class=\"menu\" name=\"ask\"><summary>",
            writer.texts("Edit"),
            "</summary>"
        )
        writer.markup("<div><p><select")
        writer.attribute("name", ToolbarForm.column)
        writer.attribute("aria-label", writer.texts("Column"))
        writer.markup(">")
        for position in rules.givenColumns {
            let column = schema.columns[position]
            writer.option(column.id, column.label, isSelected: false)
        }
        writer.markup("</select> <input")
        writer.attribute("name", ToolbarForm.value)
        writer.attribute("aria-label", writer.texts("Value"))
        writer.markup(" dir=\"auto\"></p>")
        button("edit", writer.texts("Save"), class: "btn go", to: &writer)
        writer.markup("</div></details>")
    }

    private func action(_ action: RowAction, to writer: inout HTMLWriter) {
        let style: StaticString = action.isDestructive ? "btn bad" : "btn"
        guard action.confirm != nil || action.isDestructive else {
            return button(action.name, action.title, class: style, to: &writer)
        }
        writer.element(
            " <details class=\"menu\" name=\"ask\"><summary>",
            action.title,
            "</summary>"
        )
        writer.markup("<div><p")
        // The script puts the number of the selected rows in place of the sign.
        writer.attribute("data-ask", writer.texts("\(action.title): \("%") selected?"))
        writer.element(">", writer.texts("\(action.title): all selected rows?"), "</p>")
        if action.isDestructive {
            // The script offers to undo this one.
            writer.markup(action.name == "delete" ? "<p class=\"once\">" : "<p>")
            writer.element("", writer.texts("This cannot be taken back."), "</p>")
        }
        button(action.name, action.title, class: style, to: &writer)
        writer.markup("</div></details>")
    }

    private func button(
        _ name: String,
        _ title: String,
        class style: StaticString,
        to writer: inout HTMLWriter
    ) {
        writer.markup(" <button class=\"")
        writer.markup(style)
        writer.markup("\"")
        writer.attribute("formaction") { context.links.writeBulkAction(name, to: &$0) }
        writer.element(">", title, "</button>")
    }
}
