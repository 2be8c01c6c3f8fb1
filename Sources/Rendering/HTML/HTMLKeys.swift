import Listings

enum HTMLKeys {
    static func keys(to writer: inout HTMLWriter) {
        let texts = writer.texts
        writer.element(
            "<dialog id=\"keys\" aria-labelledby=\"kh\"><h2 id=\"kh\">",
            texts("Keys"),
            "</h2><dl>"
        )
        for shortcut in Shortcut.all {
            writer.markup("<dt>")
            for (index, key) in shortcut.keys.enumerated() {
                writer.element(index == 0 ? "<kbd>" : " <kbd>", key, "</kbd>")
            }
            writer.element("</dt><dd>", texts(shortcut.meaning), "</dd>")
        }
        writer.markup("</dl><form method=\"dialog\"><p><label>")
        writer.markup("<input type=\"checkbox\" id=\"single\"> ")
        writer.element("", texts("Single keys do something"), "</label></p>")
        writer.element("<button class=\"btn\">", texts("Close"), "</button></form></dialog>\n")
    }

    private static func columnMenu(to writer: inout HTMLWriter) {
        let texts = writer.texts
        writer.markup("<div id=\"cm\" popover=\"auto\">")
        let groups = [
            [
                ("up", texts("Sort ascending")), ("down", texts("Sort descending")),
                ("thenUp", texts("Then ascending")), ("thenDown", texts("Then descending")),
            ],
            [
                ("filter", texts("Filter") + " …"), ("values", texts("Count values")),
                ("group", texts("Group")), ("statistics", texts("Statistics")),
            ],
            [
                ("left", texts("Move left")), ("right", texts("Move right")),
                ("pin", texts("Pin up to here")), ("unpin", texts("Unpin")),
                ("wider", texts("Wider")), ("narrower", texts("Narrower")), ("hide", texts("Hide")),
            ],
        ]
        let footers = Aggregate.Function.allCases.map { ($0.rawValue, texts($0.text)) }
        for group in groups + [footers] {
            writer.markup("<div>")
            if group[0].0 == "sum" {
                writer.element("<p class=\"n\">", texts("Footer"), "</p>")
            }
            for (name, label) in group {
                writer.markup("<button")
                writer.attribute("data-do", name)
                writer.element(">", label, "</button>")
            }
            writer.markup("</div>")
        }
        writer.markup("</div>\n")
    }

    static func live(to writer: inout HTMLWriter) {
        writer.markup("<button id=\"news\" class=\"btn go\" hidden=\"hidden\"></button>\n")
        status(to: &writer)
        columnMenu(to: &writer)
        HTMLIcon.sprite(to: &writer)
    }

    /// Writes the texts of the script.
    static func status(to writer: inout HTMLWriter) {
        let texts = writer.texts
        writer.markup("<p id=\"status\" class=\"vh\" role=\"status\"")
        for (name, text) in [
            ("data-live", texts("Live")), ("data-lost", texts("Connection lost, trying again")),
            ("data-news", texts("Show % changes")), ("data-outdated", texts("Show the new list")),
            ("data-added", texts("% added")), ("data-changed", texts("% changed")),
            ("data-removed", texts("% removed")), ("data-moved", texts("% moved")),
            ("data-chosen", texts("% selected")), ("data-menu", texts("Menu of %")),
            ("data-before", texts("Previous row")), ("data-behind", texts("Next row")),
            ("data-close", texts("Close")), ("data-reading", texts("Reading the rows…")),
            ("data-cancel", texts("Cancel")), ("data-saved", texts("Saved")),
            ("data-gone", texts("Deleted")), ("data-undo", texts("Undo")),
            ("data-made", texts("Added")), ("data-show", texts("Show")),
            ("data-undone", texts("Undone")), ("data-redone", texts("Done again")),
            ("data-retry", texts("Retry")), ("data-discard", texts("Discard")),
            ("data-unsaved", texts("Not saved: %")),
            ("data-unreachable", texts("The server does not respond.")),
            ("data-conflict", texts("Another writer has changed this to %.")),
            ("data-left", texts("The page was left before.")),
            ("data-fixed", texts("This cannot be changed here.")),
            ("data-draft", texts("This is what you typed before, which is not saved.")),
            ("data-not-undone", texts("This could not be undone: the rows have changed since.")),
            ("data-copy", texts("Copy")), ("data-export", texts("Export")),
            ("data-forget", texts("Delete the view %")),
            ("data-page", texts("Select all rows of the page")),
            ("data-clear", texts("Select none")),
        ] as [(StaticString, String)] {
            writer.attribute(name, text)
        }
        writer.markup("></p>\n")
    }
}
