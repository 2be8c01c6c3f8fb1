extension HTMLWriter {
    /// Appends the help for keyboard users, which the script shows.
    mutating func keys() {
        element(
            "<dialog id=\"keys\" aria-labelledby=\"kh\"><h2 id=\"kh\">",
            texts.keys,
            "</h2><dl>"
        )
        for shortcut in texts.shortcuts {
            markup("<dt>")
            for (index, key) in shortcut.keys.enumerated() {
                element(index == 0 ? "<kbd>" : " <kbd>", key, "</kbd>")
            }
            element("</dt><dd>", shortcut.meaning, "</dd>")
        }
        markup("</dl><form method=\"dialog\"><p><label><input type=\"checkbox\" id=\"single\"> ")
        element("", texts.singleKeys, "</label></p>")
        element("<button class=\"btn\">", texts.close, "</button></form></dialog>\n")
    }

    /// Appends the menu of a column, which the script shows.
    private mutating func columnMenu() {
        markup("<div id=\"cm\" popover=\"auto\">")
        for (name, label) in [
            ("up", texts.sortAscending), ("down", texts.sortDescending),
            ("thenUp", texts.thenAscending), ("thenDown", texts.thenDescending),
            ("filter", texts.filter + " …"), ("values", texts.countValues),
            ("group", texts.groupBy), ("left", texts.moveLeft), ("right", texts.moveRight),
            ("hide", texts.hide), ("pin", texts.pin), ("unpin", texts.unpin),
            ("wider", texts.wider), ("narrower", texts.narrower),
            ("statistics", texts.statistics),
        ] {
            markup("<button")
            attribute("data-do", name)
            element(">", label, "</button>")
        }
        markup("</div>\n")
    }

    /// Appends the elements in which the script shows messages.
    ///
    /// The connection sign is in the head.
    mutating func liveTexts() {
        markup("<button id=\"news\" class=\"btn go\" hidden=\"hidden\"></button>\n")
        markup("<p id=\"status\" class=\"vh\" role=\"status\"")
        attribute("data-live", texts.live)
        attribute("data-lost", texts.lost)
        attribute("data-news", texts.news)
        attribute("data-outdated", texts.outdated)
        attribute("data-added", texts.added)
        attribute("data-changed", texts.changed)
        attribute("data-removed", texts.removed)
        attribute("data-moved", texts.moved)
        attribute("data-chosen", texts.chosen)
        attribute("data-menu", texts.columnMenu)
        attribute("data-before", texts.rowBefore)
        attribute("data-behind", texts.rowAfter)
        attribute("data-close", texts.close)
        attribute("data-reading", texts.reading)
        attribute("data-cancel", texts.cancel)
        attribute("data-saved", texts.saved)
        attribute("data-gone", texts.gone)
        attribute("data-undo", texts.undo)
        attribute("data-undone", texts.undone)
        attribute("data-not-undone", texts.notUndone)
        attribute("data-copy", texts.copy)
        attribute("data-export", texts.export)
        attribute("data-forget", texts.forgetView)
        markup("></p>\n")
        columnMenu()
    }
}
