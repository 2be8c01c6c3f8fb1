package import Listings

package struct RelatedRows: Sendable {
    package struct Item: Sendable {
        package let id: String
        package let label: String
        package let address: String
        /// The address of the form that restores the values before a change.
        package let restoring: String?

        package init(id: String, label: String, address: String, restoring: String? = nil) {
            self.id = id
            self.label = label
            self.address = address
            self.restoring = restoring
        }
    }

    package let list: String
    /// The list of pairs that connects the shown rows; nil if they refer to the row themselves.
    package let through: String?
    package let column: String
    package let title: String
    package let address: String
    /// The number of rows; nil if counting took too long.
    package let count: Count?
    /// The first rows; nil if they cannot be read now.
    package let items: [Item]?

    package init(
        list: String,
        through: String? = nil,
        column: String,
        title: String,
        address: String,
        count: Count?,
        items: [Item]?
    ) {
        self.list = list
        self.through = through
        self.column = column
        self.title = title
        self.address = address
        self.count = count
        self.items = items
    }
}

extension [RelatedRows] {
    func write(to writer: inout HTMLWriter) {
        guard !isEmpty else { return }
        writer.markup("<dl class=\"row rel\">\n")
        for list in self {
            writer.markup("<div><dt>")
            writer.link(list.title, to: list.address)
            if let count = list.count {
                writer.element(" <span class=\"n\">", writer.texts.count(count), "</span>")
            }
            writer.markup("</dt><dd>")
            for (index, item) in (list.items ?? []).enumerated() {
                if index > 0 { writer.markup("<br>") }
                writer.link(item.label, to: item.address)
                if let address = item.restoring {
                    writer.markup(" <form class=\"restore\" method=\"post\"")
                    writer.attribute("action", address)
                    writer.element("><button class=\"btn\">", writer.texts("Restore"), "</button>")
                    writer.markup("</form>")
                }
            }
            writer.markup("</dd></div>\n")
        }
        writer.markup("</dl>\n")
    }

    func write(to writer: inout JSONWriter) {
        guard !isEmpty else { return }
        writer.array("related") { writer in
            for list in self {
                writer.object { writer in
                    writer.member("list", list.list)
                    if let through = list.through { writer.member("through", through) }
                    writer.member("column", list.column)
                    writer.member("title", list.title)
                    writer.key("total")
                    writer.count(list.count)
                    guard let items = list.items else {
                        writer.member("unavailable", true)
                        return writer.object("links") { $0.member("self", list.address) }
                    }
                    writer.array("rows") { writer in
                        for item in items {
                            writer.object { writer in
                                writer.member("id", item.id)
                                writer.member("label", item.label)
                                writer.member("href", item.address)
                            }
                        }
                    }
                    writer.object("links") { $0.member("self", list.address) }
                }
            }
        }
    }
}
