package import Bytes
import Listings

extension HTMLPageRenderer {
    package func render(_ directory: ListDirectory, to buffer: inout ByteBuffer) {
        var directory = directory
        if directory.title == ListDirectory.defaultTitle { directory.title = texts("Lists") }
        HTMLDocument(site: site, title: directory.title, steps: []).write(
            to: &buffer,
            head: { $0.alternateRelations(directory.alternates) },
            main: { writer in
                HTMLDirectory(directory: directory, home: site.directory).write(to: &writer)
            },
            footer: { writer in
                writer.alternates(directory.alternates, of: texts("Lists"))
                guard let documentation = directory.documentation else { return }
                writer.markup("<p>")
                writer.link(texts("Documentation"), to: documentation)
                writer.markup("</p>")
            }
        )
    }
}

private struct HTMLDirectory {
    let directory: ListDirectory
    let home: String

    func write(to writer: inout HTMLWriter) {
        writer.element("<div class=\"head\"><h1>", directory.title, "</h1>")
        if let creation = directory.creation {
            CreationForm.write(to: home, choosesTypes: creation == .ofTypedColumns, &writer)
        }
        writer.markup("</div>\n")
        guard !directory.entries.isEmpty else {
            writer.element("<div class=\"empty\"><h2>", writer.texts("No list yet"), "</h2>")
            if directory.suggestsSources, directory.creation == nil {
                writer.element(
                    "<p>",
                    writer.texts("Start the server with a file or a database, for example:"),
                    "</p>"
                )
                writer.element("<pre><code>", "roster users=people.csv", "</code></pre>")
            }
            return writer.markup("</div>\n")
        }
        searchForm(to: &writer)
        if let search = directory.search { return found(for: search, to: &writer) }
        lists(directory.entries, to: &writer)
        failures(to: &writer)
    }

    private func failures(to writer: inout HTMLWriter) {
        guard !directory.failures.isEmpty else { return }
        writer.element("<h2>", writer.texts("Not readable now"), "</h2>\n")
        writer.markup("<ul class=\"lists\">\n")
        for failure in directory.failures {
            writer.element("<li><div><span dir=\"auto\">", failure.source, "</span>")
            writer.element("<p dir=\"auto\">", failure.reason, "</p></div></li>\n")
        }
        writer.markup("</ul>\n")
    }

    private func searchForm(to writer: inout HTMLWriter) {
        let label = writer.texts("Search all lists")
        writer.markup("<div class=\"tools\"><form role=\"search\"")
        writer.attribute("action", home)
        writer.markup("><input type=\"search\" name=\"q\"")
        writer.attribute("aria-label", label)
        writer.attribute("placeholder", label)
        writer.attribute("value", directory.search?.text ?? "")
        writer.element(
            "><button class=\"btn\">",
            writer.texts("Search"),
            "</button></form></div>\n"
        )
    }

    private func lists(_ entries: [ListDirectory.Entry], to writer: inout HTMLWriter) {
        guard !entries.isEmpty else { return }
        writer.markup("<ul class=\"lists\">\n")
        for entry in entries {
            writer.markup("<li><div>")
            link(entry.title, to: entry.address, &writer)
            if let description = entry.description {
                writer.element("<p dir=\"auto\">", description, "</p>")
            }
            let count = entry.count.map(writer.texts.rows)
            let unknown =
                entry.isUnavailable
                ? writer.texts("Not readable now") : writer.texts("Still counting")
            writer.element("</div> <span class=\"n\">", count ?? unknown, "</span></li>\n")
        }
        writer.markup("</ul>\n")
    }

    private func link(_ title: String, to address: String, _ writer: inout HTMLWriter) {
        writer.markup("<a dir=\"auto\"")
        writer.attribute("href", address)
        writer.element(">", title, "</a>")
    }

    /// Appends the lists of the name, those with rows that match, and those that were not searched.
    private func found(for search: TextSearch, to writer: inout HTMLWriter) {
        let named = directory.entries.filter { entry in
            let words = TextSearch.words(of: entry.title)
            return search.terms.allSatisfy { words.contains($0.pattern) }
        }
        let found = directory.entries.filter { $0.matches?.isEmpty == false }
        let others = directory.entries.filter { $0.matches == nil }
        if named.isEmpty, found.isEmpty {
            writer.element(
                "<div class=\"empty\"><h2>",
                writer.texts("No list has “\(search.text)”"),
                "</h2>"
            )
            writer.markup("<a class=\"btn\"")
            writer.attribute("href", home)
            writer.element(">", writer.texts("Lists"), "</a></div>\n")
        }
        lists(named, to: &writer)
        for entry in found {
            let all =
                "\(entry.address)?q=\(PercentEncoding.encode(search.text, for: .queryComponent))"
            writer.markup("<h2>")
            link(entry.title, to: all, &writer)
            writer.markup("</h2>\n<ul class=\"lists\">\n")
            for match in entry.matches ?? [] {
                writer.markup("<li><div><a dir=\"auto\"")
                writer.attribute("href", match.address)
                writer.markup(">")
                if let title = Snippet(of: search, in: match.title) {
                    title.write(to: &writer)
                } else {
                    writer.text(match.title)
                }
                writer.markup("</a>")
                if let snippet = match.snippet {
                    writer.markup("<p dir=\"auto\">")
                    snippet.write(to: &writer)
                    writer.markup("</p>")
                }
                writer.markup("</div></li>\n")
            }
            if entry.hasMoreMatches {
                writer.markup("<li>")
                link(writer.texts("More in \(entry.title)"), to: all, &writer)
                writer.markup("</li>\n")
            }
            writer.markup("</ul>\n")
        }
        guard !others.isEmpty else { return }
        writer.element("<h2>", writer.texts("Not searched"), "</h2>\n")
        lists(others, to: &writer)
    }
}
