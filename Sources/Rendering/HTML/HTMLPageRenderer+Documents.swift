package import Bytes
import Listings

extension HTMLPageRenderer {
    /// Appends a page with links to the lists.
    package func render(_ directory: ListDirectory, to buffer: inout ByteBuffer) {
        HTMLDocument(site: site, title: directory.title, steps: []).write(
            to: &buffer,
            head: { $0.alternateRelations(directory.alternates) },
            main: { writer in
                writer.element("<div class=\"head\"><h1>", directory.title, "</h1></div>\n")
                if directory.entries.isEmpty {
                    writer.element("<div class=\"empty\"><h2>", texts.noLists, "</h2>")
                    writer.element("<p>", texts.listsComeFromFiles, "</p>")
                    writer.element(
                        "<pre><code>",
                        texts.example("users"),
                        "</code></pre></div>\n"
                    )
                } else {
                    writer.markup("<ul class=\"lists\">\n")
                    for entry in directory.entries { writer.entry(entry) }
                    writer.markup("</ul>\n")
                }
            },
            footer: { $0.alternates(directory.alternates, of: texts.lists) }
        )
    }

    /// Appends a page with two tables: the columns and the parameters.
    package func render(_ schema: SchemaDocument, to buffer: inout ByteBuffer) {
        let title = texts.schemaTitle(schema.title)
        HTMLDocument(
            site: site,
            title: title,
            steps: [
                HTMLDocument.Step(title: schema.title, address: schema.listAddress),
                HTMLDocument.Step(title: texts.schema, address: nil),
            ]
        ).write(
            to: &buffer,
            head: { $0.alternateRelations(schema.alternates) },
            main: { writer in
                writer.element("<div class=\"head\"><h1>", title, "</h1></div>\n")
                writer.columns(of: schema)
                writer.parameters(of: schema)
                if let writing = schema.writing {
                    writer.element("<h2>", texts.writing, "</h2>\n<p>")
                    writer.element(
                        "",
                        texts.writing(writing, list: schema.listAddress),
                        "</p>\n"
                    )
                }
            },
            footer: { $0.alternates(schema.alternates, of: texts.schema) }
        )
    }

    /// Appends a page with the errors of a request and links to continue.
    package func render(_ problem: Problem, to buffer: inout ByteBuffer) {
        HTMLDocument(
            site: site,
            title: problem.title,
            steps: [HTMLDocument.Step(title: problem.title, address: nil)]
        ).write(
            to: &buffer,
            main: { $0.problem(problem) },
            footer: { writer in
                writer.element("<p>", texts.status(problem.status), "</p>")
                guard let instance = problem.instance else { return }
                writer.element("<p>", texts.request, " <code>")
                writer.element("", instance, "</code></p>")
            }
        )
    }
}

extension HTMLWriter {
    fileprivate mutating func entry(_ entry: ListDirectory.Entry) {
        markup("<li><a")
        attribute("href", entry.address)
        element(">", entry.title, "</a>")
        if let count = entry.count {
            element(" <span class=\"n\">", texts.rows(count), "</span>")
        }
        markup("</li>\n")
    }

    fileprivate mutating func columns(of schema: SchemaDocument) {
        tableStart(
            texts.columns,
            [texts.name, texts.label, texts.type, texts.sortable, texts.groupable]
        )
        for column in schema.columns {
            element("<tr><th scope=\"row\"><code>", column.id, "</code></th>")
            element("<td class=\"p2\">", column.label, "</td>")
            element("<td>", column.type.rawValue, "</td>")
            element("<td class=\"p2\">", texts.word(column.isSortable), "</td>")
            element("<td class=\"p2\">", texts.word(column.isGroupable), "</td></tr>\n")
        }
        markup("</tbody></table>\n")
    }

    fileprivate mutating func parameters(of schema: SchemaDocument) {
        tableStart(
            texts.parameters,
            [
                texts.name, texts.example, texts.meaning, texts.defaultValue,
                texts.maximum,
            ]
        )
        for parameter in schema.parameters {
            element("<tr><th scope=\"row\"><code>", parameter.name, "</code></th>")
            element("<td class=\"p2\"><code>", parameter.example, "</code></td>")
            element("<td>", parameter.summary, "</td>")
            element("<td class=\"p2\">", parameter.defaultValue ?? "", "</td>")
            let maximum = parameter.maximum.map { texts.number($0) } ?? ""
            element("<td class=\"p2\">", maximum, "</td></tr>\n")
        }
        markup("</tbody></table>\n")
    }

    /// Appends the start of a table whose first and third columns are never hidden.
    private mutating func tableStart(_ title: String, _ labels: [String]) {
        element("<h2>", title, "</h2>\n<table class=\"plain\">")
        element("<caption class=\"vh\">", title, "</caption>\n<thead><tr>")
        for (index, label) in labels.enumerated() {
            markup(
                index % 2 == 0 && index < 4
                    ? "<th scope=\"col\">" : "<th scope=\"col\" class=\"p2\">"
            )
            element("", label, "</th>")
        }
        markup("</tr></thead>\n<tbody>\n")
    }

    fileprivate mutating func problem(_ problem: Problem) {
        element("<div class=\"head\"><h1>", problem.title, "</h1></div>\n")
        if let detail = problem.detail { element("<p class=\"lead\">", detail, "</p>\n") }
        if !problem.faults.isEmpty {
            markup("<ul class=\"faults\">\n")
            for fault in problem.faults { self.fault(fault) }
            markup("</ul>\n")
        }
        guard !problem.ways.isEmpty else { return }
        markup("<p class=\"ways\">")
        for way in problem.ways {
            markup(" <a class=\"btn\"")
            attribute("href", way.address)
            element(">", way.label, "</a>")
        }
        markup("</p>\n")
    }

    private mutating func fault(_ fault: Problem.Fault) {
        markup("<li>")
        switch fault.place {
        case .parameter(let name), .pointer(let name), .field(let name):
            element("<code>", name, "</code> ")
        case nil: break
        }
        text(fault.detail)
        if let suggestion = fault.suggestion {
            element(" ", texts.didYouMean, " ")
            if let correction = fault.correction {
                link(suggestion, to: correction)
            } else {
                element("<code>", suggestion, "</code>")
            }
            markup("?")
        }
        markup("</li>\n")
    }
}
