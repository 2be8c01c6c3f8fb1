package import Bytes
package import Listings

/// The contents of a file for a list.
package struct ReadList: Sendable {
    package let columns: [Column]
    package let rowCount: Int
    /// The texts of the first rows.
    package let rows: [[String?]]
    /// Sentences about what was detected or corrected.
    package let notes: [String]

    package init(_ columns: [Column], rowCount: Int, rows: [[String?]], notes: [String]) {
        self.columns = columns
        self.rowCount = rowCount
        self.rows = rows
        self.notes = notes
    }
}

/// A file that was checked for a list, with the choices of the person who makes it.
package struct CreationDocument: Sendable {
    package let address: String
    package var name: String
    /// The name of the column with the ids; empty for that of the file.
    package var key = ""
    package var types: [ColumnType]
    package var problem: Problem?
    fileprivate let list: ReadList
    /// Whether the place of the list stores types and a key.
    fileprivate let choosesTypes: Bool

    package init(_ list: ReadList, named name: String, at address: String, choosesTypes: Bool) {
        self.address = address
        self.name = name
        self.list = list
        self.choosesTypes = choosesTypes
        types = list.columns.map(\.type)
    }
}

extension HTMLPageRenderer {
    package func render(_ document: CreationDocument, to buffer: inout ByteBuffer) {
        let title = texts("New list")
        HTMLDocument(
            site: site,
            title: title,
            steps: [HTMLDocument.Step(title: title, address: nil)]
        ).write(
            to: &buffer,
            main: { writer in
                writer.element("<div class=\"head\"><h1>", title, "</h1><p>")
                writer.element("", texts.rows(Count(document.list.rowCount)), "</p></div>\n")
                if let problem = document.problem {
                    let detail = problem.detail
                    writer.translation("<p class=\"failed\" role=\"alert\"", of: detail, "</p>\n")
                    writer.faults(problem.faults.filter { $0.detail.description != "\(detail)" })
                }
                CreationForm.write(document, home: site.directory, to: &writer)
            },
            footer: { _ in }
        )
    }
}

struct CreationForm {
    private static let emptyColumns = 5

    /// Writes the menu of the overview.
    static func write(to address: String, choosesTypes: Bool, _ writer: inout HTMLWriter) {
        let texts = writer.texts
        writer.beginMenu(texts("New list"), key: "i")
        writer.markup("<div><form class=\"panel\" method=\"post\" enctype=\"multipart/form-data\"")
        writer.attribute("action", address)
        writer.element("><p>", texts("From a file, which you can also drop here"), "</p>")
        writer.markup("<input type=\"file\" name=\"file\" required")
        writer.attribute("aria-label", texts("File"))
        writer.element("><button class=\"btn go\">", texts("Preview"), "</button></form>\n")
        writer.markup("<form class=\"panel\" method=\"post\"")
        writer.attribute("action", address)
        writer.element("><p>", texts("Without a file, with the columns"), "</p>")
        writer.markup("<input name=\"name\" required maxlength=\"200\" dir=\"auto\"")
        writer.attribute("aria-label", texts("Name of the list"))
        writer.attribute("placeholder", texts("Name of the list"))
        writer.markup(">")
        for number in 1...emptyColumns {
            let label = "\(texts("Column")) \(texts.number(number))"
            writer.markup("<p><input name=\"column\" size=\"14\" dir=\"auto\"")
            if number == 1 { writer.markup(" required") }
            writer.attribute("aria-label", label)
            writer.attribute("placeholder", label)
            writer.markup(">")
            if choosesTypes {
                writer.markup(" ")
                types(.text, of: label, &writer)
            }
            writer.markup("</p>")
        }
        writer.element("<button class=\"btn go\">", texts("Create"), "</button></form></div>")
        writer.endMenu()
    }

    static func write(_ document: CreationDocument, home: String, to writer: inout HTMLWriter) {
        let texts = writer.texts
        writer.markup("<form method=\"post\"")
        writer.attribute("action", document.address)
        writer.markup(">\n<dl class=\"row\"><div><dt><label for=\"name\">")
        writer.element("", texts("Name of the list"), "</label></dt><dd>")
        writer.markup("<input id=\"name\" name=\"name\" required dir=\"auto\"")
        writer.attribute("value", document.name)
        writer.markup("></dd></div>")
        if document.choosesTypes {
            writer.element("<div><dt><label for=\"key\">", texts("Key"), "</label></dt><dd>")
            writer.markup("<select id=\"key\" name=\"key\">")
            writer.option(
                "",
                texts("the column id, or numbers"),
                isSelected: document.key.isEmpty
            )
            for column in document.list.columns {
                let name = column.fileName
                writer.option(name, name, isSelected: document.key == name)
            }
            writer.markup("</select></dd></div>")
        }
        writer.element("</dl>\n<p class=\"ways\"><button class=\"btn go\">", texts("Create"), "")
        writer.markup("</button> <a class=\"btn\"")
        writer.attribute("href", home)
        writer.element(">", texts("Cancel"), "</a></p>\n")
        for note in document.list.notes {
            writer.element("<p class=\"note\" lang=\"en\" dir=\"ltr\">", note, "</p>\n")
        }
        ImportForm.write(firstRows: document.list.rows, to: &writer) { writer in
            for (column, type) in zip(document.list.columns, document.types) {
                writer.element("<th scope=\"col\">", column.fileName, "<br>")
                if document.choosesTypes {
                    types(type, of: column.fileName, &writer)
                } else {
                    writer.element("<span class=\"n\">", texts(type.text), "</span>")
                }
                writer.markup("</th>")
            }
        }
        writer.markup("</form>\n")
    }

    private static func types(_ type: ColumnType, of name: String, _ writer: inout HTMLWriter) {
        writer.markup("<select name=\"type\"")
        writer.attribute("aria-label", writer.texts("Type of \(name)"))
        writer.markup(">")
        for other in ColumnType.allCases where other != .bytes {
            writer.option(other.rawValue, writer.texts(other.text), isSelected: other == type)
        }
        writer.markup("</select>")
    }
}
