package import Bytes
import Listings

extension HTMLPageRenderer {
    /// Appends a page with a form: each value under its name, and what is wrong with it beside it.
    package func render(_ form: FormDocument, to buffer: inout ByteBuffer) {
        let title = texts.title(of: form)
        HTMLDocument(
            site: site,
            title: "\(title) · \(form.list)",
            steps: [
                HTMLDocument.Step(title: form.list, address: form.listAddress),
                HTMLDocument.Step(title: title, address: nil),
            ]
        ).write(
            to: &buffer,
            main: { writer in
                writer.element("<div class=\"head\"><h1>", title, "</h1></div>\n")
                if let message = form.message {
                    writer.element("<p class=\"failed\" role=\"alert\">", message, "</p>\n")
                }
                writer.form(form)
            },
            footer: { _ in }
        )
    }
}

extension HTMLWriter {
    fileprivate mutating func form(_ form: FormDocument) {
        // What is right is decided here and nowhere else, so that it is said in one way.
        markup("<form method=\"post\" novalidate")
        attribute("action", form.address)
        markup(">\n")
        if let tag = form.tag {
            markup("<input type=\"hidden\"")
            attribute("name", FormDocument.tagField)
            attribute("value", tag)
            markup(">\n")
        }
        if form.purpose == .remove {
            element("<p>", texts.cannotBeTakenBack, "</p>\n")
        } else {
            markup("<dl class=\"row\">\n")
            for (index, field) in form.fields.enumerated() { self.field(field, index) }
            markup("</dl>\n")
        }
        markup(
            form.purpose == .remove
                ? "<p class=\"ways\"><button class=\"btn bad\">"
                : "<p class=\"ways\"><button class=\"btn go\">"
        )
        element("", texts.button(of: form.purpose), "</button> <a class=\"btn\"")
        attribute("href", form.listAddress)
        element(">", texts.cancel, "</a></p>\n</form>\n")
    }

    private mutating func field(_ field: FormDocument.Field, _ index: Int) {
        markup("<div><dt><label")
        attribute("for", "f\(index)")
        element(">", field.label, "</label>")
        if field.isRequired { element(" <span class=\"n\">", texts.needed, "</span>") }
        markup("</dt><dd>")
        if field.type == .boolean { choice(field, index) } else { input(field, index) }
        let notes = field.faults + (field.currentValue.map { [texts.now($0)] } ?? [])
        if !notes.isEmpty {
            markup("<p class=\"failed\"")
            attribute("id", "e\(index)")
            element(">", notes.joined(separator: " "), "</p>")
        }
        markup("</dd></div>\n")
    }

    private mutating func input(_ field: FormDocument.Field, _ index: Int) {
        switch field.type {
        case .email: markup("<input type=\"email\"")
        case .link: markup("<input type=\"url\"")
        case .date: markup("<input type=\"date\"")
        case .integer, .real: markup("<input inputmode=\"decimal\"")
        case .text, .boolean, .timestamp, .json, .bytes: markup("<input")
        }
        attributes(of: field, index)
        attribute("value", field.value)
        markup(">")
    }

    private mutating func choice(_ field: FormDocument.Field, _ index: Int) {
        markup("<select")
        attributes(of: field, index)
        markup(">")
        for (value, label) in [("", texts.null), ("true", texts.yes), ("false", texts.no)] {
            markup("<option")
            attribute("value", value)
            if value == field.value { markup(" selected") }
            element(">", label, "</option>")
        }
        markup("</select>")
    }

    private mutating func attributes(of field: FormDocument.Field, _ index: Int) {
        attribute("id", "f\(index)")
        attribute("name", field.name)
        markup(" dir=\"auto\"")
        if field.isRequired { markup(" required") }
        if !field.faults.isEmpty { markup(" aria-invalid=\"true\"") }
        if !field.faults.isEmpty || field.currentValue != nil {
            attribute("aria-describedby", "e\(index)")
        }
    }
}
