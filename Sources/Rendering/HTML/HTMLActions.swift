import Listings

extension HTMLWriter {
    mutating func actions(
        ofRow row: Int,
        of page: borrowing Page,
        in context: RenderContext
    ) {
        for action in page.actions(ofRow: row) {
            switch (action.method, action.confirm) {
            case (.get, _):
                markup("<a class=\"btn\" href=\"")
                address(of: action, ofRow: row, of: page, in: context)
                element("\">", action.title, "</a>")
            case (.post, nil) where action.input == nil:
                form(action, ofRow: row, of: page, in: context, question: nil)
            case (.post, let question):
                element(
                    "<details class=\"menu\" name=\"ask\"><summary>",
                    action.title,
                    "</summary>"
                )
                form(action, ofRow: row, of: page, in: context, question: question)
                markup("</details>")
            }
        }
    }

    /// Appends buttons that move a row up or down.
    ///
    /// They name no neighbour, and every row has both buttons, because neighbours may change while
    /// the page is shown.
    mutating func moves(ofRow row: Int, of page: borrowing Page, in context: RenderContext) {
        markup("<form method=\"post\" action=\"")
        moveAddress(ofRow: row, of: page, in: context)
        markup("\">")
        for (step, label, sign) in [
            ("up", texts("Move up"), "↑"), ("down", texts("Move down"), "↓"),
        ] {
            markup("<button class=\"btn\" name=\"step\"")
            attribute("value", step)
            attribute("aria-label", label)
            element(">", sign, "</button>")
        }
        markup("</form>")
    }

    mutating func moveAddress(
        ofRow row: Int,
        of page: borrowing Page,
        in context: RenderContext
    ) {
        page.withID(ofRow: row) { id in
            text { context.links.writeAction("move", ofRow: id, to: &$0) }
        }
    }

    private mutating func form(
        _ action: RowAction,
        ofRow row: Int,
        of page: borrowing Page,
        in context: RenderContext,
        question: String?
    ) {
        markup("<form method=\"post\" action=\"")
        address(of: action, ofRow: row, of: page, in: context)
        markup("\">")
        if let question {
            element("<p>", question, "</p>")
            if action.isDestructive { element("<p>", texts("This cannot be taken back."), "</p>") }
        }
        if let input = action.input { ActionFields(input).write(to: &self) }
        markup(action.isDestructive ? "<button class=\"btn bad\">" : "<button class=\"btn\">")
        element("", action.title, "</button></form>")
    }

    private mutating func address(
        of action: RowAction,
        ofRow row: Int,
        of page: borrowing Page,
        in context: RenderContext
    ) {
        page.withID(ofRow: row) { id in
            text { context.links.writeAction(action.name, ofRow: id, to: &$0) }
        }
    }
}
