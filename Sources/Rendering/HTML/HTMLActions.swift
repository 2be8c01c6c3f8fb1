import Listings

extension HTMLWriter {
    /// Appends what can be done with a row, without a script: links for what changes nothing, forms
    /// for what does, and what is asked before behind a summary that opens.
    mutating func actions(
        ofRow row: Int,
        of page: borrowing Page,
        in context: ListingContext
    ) {
        for action in page.actions(ofRow: row) {
            switch (action.method, action.confirm) {
            case (.get, _):
                markup("<a class=\"btn\" href=\"")
                address(of: action, ofRow: row, of: page, in: context)
                element("\">", action.title, "</a>")
            case (.post, nil):
                form(action, ofRow: row, of: page, in: context, question: nil)
            case (.post, let question?):
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

    /// Appends buttons that move a row before the one above it or behind the one below it.
    mutating func moves(
        ofRow row: Int,
        of page: borrowing Page,
        in context: ListingContext,
        among rows: Range<Int>
    ) {
        guard rows.count > 1 else { return }
        markup("<form method=\"post\" action=\"")
        moveAddress(ofRow: row, of: page, in: context)
        markup("\">")
        if row > rows.lowerBound { move("before", row - 1, texts.moveUp, "↑", of: page) }
        if row + 1 < rows.upperBound { move("after", row + 1, texts.moveDown, "↓", of: page) }
        markup("</form>")
    }

    private mutating func move(
        _ side: String,
        _ neighbour: Int,
        _ label: String,
        _ sign: String,
        of page: borrowing Page
    ) {
        markup("<button class=\"btn\"")
        attribute("name", side)
        markup(" value=\"")
        page.withID(ofRow: neighbour) { text($0) }
        markup("\"")
        attribute("aria-label", label)
        element(">", sign, "</button>")
    }

    /// Appends where a row is asked to be moved, escaped.
    mutating func moveAddress(
        ofRow row: Int,
        of page: borrowing Page,
        in context: ListingContext
    ) {
        page.withID(ofRow: row) { id in
            text { context.links.writeAction("move", ofRow: id, to: &$0) }
        }
    }

    /// Appends the form that the check boxes of a table belong to: a button for each action.
    ///
    /// - Parameters:
    ///   - actions: What can be done with several rows at once.
    ///   - total: How many rows match, where that is known.
    ///   - context: Has the addresses.
    mutating func bulkActions(_ actions: [RowAction], total: Count?, in context: ListingContext) {
        guard !actions.isEmpty else { return }
        markup("<form id=\"act\" class=\"acts\" method=\"post\"><label>")
        element(
            "<input type=\"checkbox\" name=\"all\" value=\"true\"> ",
            texts.allMatching(total),
            "</label> "
        )
        element("<span>", texts.withSelected, "</span>")
        for action in actions {
            guard action.confirm != nil || action.isDestructive else {
                bulkButton(action, in: context)
                continue
            }
            element(" <details class=\"menu\" name=\"ask\"><summary>", action.title, "</summary>")
            element("<div><p>", texts.askForMany(action.title), "</p>")
            if action.isDestructive { element("<p>", texts.cannotBeTakenBack, "</p>") }
            bulkButton(action, in: context)
            markup("</div></details>")
        }
        markup("</form>\n")
    }

    private mutating func bulkButton(_ action: RowAction, in context: ListingContext) {
        markup(action.isDestructive ? " <button class=\"btn bad\"" : " <button class=\"btn\"")
        attribute("formaction") { context.links.writeBulkAction(action.name, to: &$0) }
        element(">", action.title, "</button>")
    }

    private mutating func form(
        _ action: RowAction,
        ofRow row: Int,
        of page: borrowing Page,
        in context: ListingContext,
        question: String?
    ) {
        markup("<form method=\"post\" action=\"")
        address(of: action, ofRow: row, of: page, in: context)
        markup("\">")
        if let question {
            element("<p>", question, "</p>")
            if action.isDestructive { element("<p>", texts.cannotBeTakenBack, "</p>") }
        }
        markup(action.isDestructive ? "<button class=\"btn bad\">" : "<button class=\"btn\">")
        element("", action.title, "</button></form>")
    }

    private mutating func address(
        of action: RowAction,
        ofRow row: Int,
        of page: borrowing Page,
        in context: ListingContext
    ) {
        page.withID(ofRow: row) { id in
            text { context.links.writeAction(action.name, ofRow: id, to: &$0) }
        }
    }
}
