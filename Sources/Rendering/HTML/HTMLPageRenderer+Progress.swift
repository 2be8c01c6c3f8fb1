package import Bytes
import Listings

extension HTMLPageRenderer {
    /// Appends a page with the progress of an import, which reloads while the import runs.
    package func render(_ progress: ProgressDocument, to buffer: inout ByteBuffer) {
        let title = texts.importTitle(progress.title)
        HTMLDocument(
            site: site,
            title: title,
            steps: [
                HTMLDocument.Step(title: progress.title, address: progress.listAddress),
                HTMLDocument.Step(title: texts.importing, address: nil),
            ]
        ).write(
            to: &buffer,
            head: { writer in
                if progress.state.isRunning {
                    writer.markup("<meta http-equiv=\"refresh\" content=\"2\">\n")
                }
            },
            main: { writer in
                writer.element("<div class=\"head\"><h1>", title, "</h1></div>\n")
                writer.element(
                    "<p class=\"lead\" role=\"status\">",
                    texts.state(progress.state),
                    "</p>\n"
                )
                if let detail = progress.detail { writer.element("<p>", detail, "</p>\n") }
                writer.numbers(of: progress)
                writer.faults(of: progress)
            },
            footer: { _ in }
        )
    }
}

extension HTMLWriter {
    fileprivate mutating func numbers(of progress: ProgressDocument) {
        if progress.state.isRunning {
            element("<p><progress max=\"100\" value=\"", "\(progress.percentage)", "\">")
            element("", "\(progress.percentage) %", "</progress></p>\n")
        }
        let rows = progress.rows
        var lines = [
            (texts.rowsRead, texts.number(rows.read)),
            (texts.rowsInserted, texts.number(rows.inserted)),
            (texts.rowsReplaced, texts.number(rows.replaced)),
            (texts.rowsUnchanged, texts.number(rows.unchanged)),
            (texts.rowsRefused, texts.number(rows.refused)),
        ]
        if let rate = progress.rowsPerSecond {
            lines.append((texts.rowsPerSecond, texts.number(rate)))
        }
        if let seconds = progress.secondsLeft {
            lines.append((texts.secondsLeft, texts.number(seconds)))
        }
        markup("<table class=\"plain\"><tbody>\n")
        for (label, value) in lines {
            element("<tr><th scope=\"row\">", label, "</th>")
            element("<td class=\"num\">", value, "</td></tr>\n")
        }
        markup("</tbody></table>\n")
    }

    fileprivate mutating func faults(of progress: ProgressDocument) {
        guard !progress.faults.isEmpty else { return }
        markup("<ul class=\"faults\">\n")
        for fault in progress.faults {
            element("<li>", texts.place(line: fault.line, column: fault.column), " ")
            if let field = fault.field { element("<code>", field, "</code> ") }
            text(fault.detail)
            if let suggestion = fault.suggestion {
                element(" ", texts.didYouMean, " ")
                element("<code>", suggestion, "</code>?")
            }
            markup("</li>\n")
        }
        markup("</ul>\n")
    }
}

extension ProgressDocument {
    fileprivate var percentage: Int { totalBytes > 0 ? min(100, bytes * 100 / totalBytes) : 0 }
}
