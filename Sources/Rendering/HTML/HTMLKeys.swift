/// Texts that are the same on all pages of a language.
enum HTMLKeys {
    /// Appends the help for keyboard users, which the script shows.
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

    /// Appends the menu of a column, which the script shows.
    private static func columnMenu(to writer: inout HTMLWriter) {
        let texts = writer.texts
        writer.markup("<div id=\"cm\" popover=\"auto\">")
        for (name, label) in [
            ("up", texts("Sort ascending")), ("down", texts("Sort descending")),
            ("thenUp", texts("Then ascending")), ("thenDown", texts("Then descending")),
            ("filter", texts("Filter") + " …"), ("values", texts("Count values")),
            ("group", texts("Group")), ("left", texts("Move left")), ("right", texts("Move right")),
            ("hide", texts("Hide")), ("pin", texts("Pin up to here")), ("unpin", texts("Unpin")),
            ("wider", texts("Wider")), ("narrower", texts("Narrower")),
            ("statistics", texts("Statistics")),
        ] {
            writer.markup("<button")
            writer.attribute("data-do", name)
            writer.element(">", label, "</button>")
        }
        writer.markup("</div>\n")
    }

    /// Appends the elements in which the script shows messages.
    ///
    /// The connection sign is in the head.
    static func liveTexts(to writer: inout HTMLWriter) {
        let texts = writer.texts
        writer.markup("<button id=\"news\" class=\"btn go\" hidden=\"hidden\"></button>\n")
        writer.markup("<p id=\"status\" class=\"vh\" role=\"status\"")
        writer.attribute("data-live", texts("Live"))
        writer.attribute("data-lost", texts("Connection lost, trying again"))
        writer.attribute("data-news", texts("Show % changes"))
        writer.attribute("data-outdated", texts("Show the new list"))
        writer.attribute("data-added", texts("% added"))
        writer.attribute("data-changed", texts("% changed"))
        writer.attribute("data-removed", texts("% removed"))
        writer.attribute("data-moved", texts("% moved"))
        writer.attribute("data-chosen", texts("With % selected:"))
        writer.attribute("data-menu", texts("Menu of %"))
        writer.attribute("data-before", texts("Previous row"))
        writer.attribute("data-behind", texts("Next row"))
        writer.attribute("data-close", texts("Close"))
        writer.attribute("data-reading", texts("Reading the rows…"))
        writer.attribute("data-cancel", texts("Cancel"))
        writer.attribute("data-saved", texts("Saved"))
        writer.attribute("data-gone", texts("Deleted"))
        writer.attribute("data-undo", texts("Undo"))
        writer.attribute("data-undone", texts("Undone"))
        writer.attribute(
            "data-not-undone",
            texts("This could not be undone: the rows have changed since.")
        )
        writer.attribute("data-copy", texts("Copy"))
        writer.attribute("data-export", texts("Export"))
        writer.attribute("data-forget", texts("Delete the view %"))
        writer.markup("></p>\n")
        columnMenu(to: &writer)
    }
}
