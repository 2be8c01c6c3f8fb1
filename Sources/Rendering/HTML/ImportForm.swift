import Listings

struct ImportForm {
    static func write(to address: String, _ writer: inout HTMLWriter) {
        let texts = writer.texts
        writer.beginMenu(texts("Import"), key: "i")
        writer.markup("<form class=\"panel\" method=\"post\" enctype=\"multipart/form-data\"")
        writer.attribute("action", address)
        writer.markup("><label>")
        writer.element("", texts("Rows that exist:"), " <select name=\"on_duplicate\">")
        writer.option("error", texts("refuse the file"), isSelected: false)
        writer.option("keep-first", texts("keep"), isSelected: false)
        writer.option("replace", texts("replace"), isSelected: false)
        writer.option("merge", texts("change"), isSelected: false)
        writer.markup("</select></label><input type=\"file\" name=\"file\" required")
        writer.markup(" accept=\".csv,.tsv,.tab,.json,.ndjson,.jsonl\"")
        writer.attribute("aria-label", texts("File"))
        writer.element("><button class=\"btn go\">", texts("Preview"), "</button></form>")
        writer.endMenu()
    }

    static func write(_ progress: ProgressDocument, to writer: inout HTMLWriter) {
        write(numbersOf: progress, to: &writer)
        writer.faults(progress.faults)
        write(previewOf: progress, to: &writer)
    }

    private static func write(previewOf progress: ProgressDocument, to writer: inout HTMLWriter) {
        guard !progress.columns.isEmpty, !progress.state.isRunning || progress.state == .checking
        else { return }
        let texts = writer.texts
        if progress.mayBegin {
            writer.markup("<form class=\"ways\" method=\"post\"")
            writer.attribute("action", progress.address)
            let label = texts("Import \(texts.rows(Count(progress.rows.read)))")
            writer.element("><button class=\"btn go\">", label, "</button> <a class=\"btn\"")
            writer.attribute("href", progress.listAddress)
            writer.element(">", texts("Cancel"), "</a></form>\n")
        }
        write(firstRows: progress.sample, to: &writer) { writer in
            for column in progress.columns {
                writer.element("<th scope=\"col\">", column.name, "<br><span class=\"n\">")
                if let type = column.type {
                    writer.element("", column.label ?? column.name, " · ")
                    writer.element("", texts(type.text), "</span></th>")
                } else {
                    writer.element(
                        "<span class=\"failed\">",
                        texts("not in the list"),
                        "</span></span></th>"
                    )
                }
            }
        }
    }

    static func write(
        firstRows rows: [[String?]],
        to writer: inout HTMLWriter,
        header: (inout HTMLWriter) -> Void
    ) {
        let texts = writer.texts
        writer.markup("<div class=\"wide\" role=\"region\" tabindex=\"0\"")
        writer.attribute("aria-label", texts("First rows of the file"))
        writer.element(
            "><table><caption class=\"vh\">",
            texts("First rows of the file"),
            "</caption><thead><tr>"
        )
        header(&writer)
        writer.markup("</tr></thead><tbody>\n")
        for row in rows {
            writer.markup("<tr>")
            for value in row { writer.element("<td dir=\"auto\">", value ?? "", "</td>") }
            writer.markup("</tr>\n")
        }
        writer.markup("</tbody></table></div>\n")
    }

    private static func write(numbersOf progress: ProgressDocument, to writer: inout HTMLWriter) {
        let texts = writer.texts
        if progress.state.isRunning {
            writer.element("<p><progress max=\"100\" value=\"", "\(progress.percentage)", "\">")
            writer.element("", "\(progress.percentage) %", "</progress></p>\n")
        }
        let rows = progress.rows
        var lines = [
            (texts("Rows read"), texts.number(rows.read)),
            (texts("New rows"), texts.number(rows.inserted)),
            (texts("Replaced rows"), texts.number(rows.replaced)),
            (texts("Rows left as they were"), texts.number(rows.unchanged)),
            (texts("Refused rows"), texts.number(rows.refused)),
        ]
        if let rate = progress.rowsPerSecond {
            lines.append((texts("Rows a second"), texts.number(rate)))
        }
        if let seconds = progress.secondsLeft {
            lines.append((texts("Seconds left"), texts.number(seconds)))
        }
        writer.markup("<table class=\"plain\"><tbody>\n")
        for (label, value) in lines {
            writer.element("<tr><th scope=\"row\">", label, "</th>")
            writer.element("<td class=\"num\">", value, "</td></tr>\n")
        }
        writer.markup("</tbody></table>\n")
    }
}

extension ProgressDocument {
    fileprivate var percentage: Int { totalBytes > 0 ? min(100, bytes * 100 / totalBytes) : 0 }
}
