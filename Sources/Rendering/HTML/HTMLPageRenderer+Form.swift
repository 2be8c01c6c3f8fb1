package import Bytes
package import Listings

extension HTMLPageRenderer {
    package func render(_ form: FormDocument, to buffer: inout ByteBuffer) {
        let title = texts(form.title)
        HTMLDocument(
            site: site,
            title: "\(title) · \(form.list)",
            steps: [
                HTMLDocument.Step(title: form.list, address: form.listAddress),
                HTMLDocument.Step(title: title, address: nil),
            ],
            hasForm: form.purpose != .remove
        ).write(
            to: &buffer,
            main: { writer in
                writer.element("<div class=\"head\"><h1>", title, "</h1></div>\n")
                if let notice = form.notice {
                    let text = texts(notice.text)
                    writer.element("<p class=\"failed\" role=\"alert\">", text, "</p>\n")
                }
                writer.editNotice(of: form.about)
                writer.form(form)
            },
            footer: { _ in }
        )
    }
}

extension HTMLWriter {
    fileprivate mutating func form(_ form: FormDocument) {
        // Only the server validates values, so that all errors look the same.
        markup("<form method=\"post\" novalidate")
        attribute("action", form.address)
        attribute("data-purpose", "\(form.purpose)")
        if let address = form.editAddress { attribute("data-edit", address) }
        markup(">\n")
        if let tag = form.tag { hidden(FormDocument.tagField, tag) }
        if let base = form.base { hidden(FormDocument.baseField, base) }
        if form.purpose == .remove {
            element("<p class=\"once\">", texts("This cannot be taken back."), "</p>\n")
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
        element(
            "",
            texts(form.purpose.text),
            "</button> <a class=\"btn\" data-act=\"cancel\""
        )
        attribute("href", form.listAddress)
        element(">", texts("Cancel"), "</a></p>\n</form>\n")
    }

    private mutating func field(_ field: FormDocument.Field, _ index: Int) {
        markup("<div><dt><label")
        attribute("for", "f\(index)")
        element(">", field.label ?? texts("ID (made if empty)"), "</label>")
        if field.isRequired { element(" <span class=\"n\">", texts("needed"), "</span>") }
        if field.isMade { element(" <span class=\"n\">", texts("made if empty"), "</span>") }
        markup("</dt><dd>")
        control(field, index)
        if field.control.search != nil {
            element("<p class=\"n\">", field.valueLabel ?? "", "</p>")
        }
        if field.offersEmptyText { emptyTextBox(field) }
        if let note = field.note(in: texts) {
            markup("<p class=\"failed\"")
            attribute("id", "e\(index)")
            element(">", note, "</p>")
        }
        if case .both(let current, let choice) = field.difference {
            self.choice(field, current, choice)
        }
        markup("</dd></div>\n")
    }

    private mutating func control(_ field: FormDocument.Field, _ index: Int) {
        let isText = field.type == .text && field.label != nil && !field.control.isPicker
        switch field.control.kind(of: field.value.text) {
        case .area: area(field, index)
        case .choice: options(field, index)
        case .input where isText: area(field, index)
        case .input(let element): input(element, field, index)
        }
    }

    private mutating func input(
        _ element: StaticString,
        _ field: FormDocument.Field,
        _ index: Int
    ) {
        markup(element)
        attributes(of: field, index)
        attribute("value", field.value.text)
        pickerAttributes(of: field.control, id: "o-\(field.name)")
        markup(">")
        datalist(of: field.control, id: "o-\(field.name)")
    }

    private mutating func area(_ field: FormDocument.Field, _ index: Int) {
        markup("<textarea")
        let lines = field.value.text.utf8.count { $0 == UInt8(ascii: "\n") } + 1
        attribute("rows", "\(min(lines, 12))")
        attributes(of: field, index)
        // The stylesheet shows the box for an empty text only if the field is empty.
        if field.offersEmptyText { markup(" placeholder=\" \"") }
        // Browsers drop the first line break.
        element(">\n", field.value.text, "</textarea>")
    }

    private mutating func options(_ field: FormDocument.Field, _ index: Int) {
        markup("<select")
        attributes(of: field, index)
        markup(">")
        options(of: field.control, value: field.value.text, isRequired: field.isRequired)
        markup("</select>")
    }

    private mutating func emptyTextBox(_ field: FormDocument.Field) {
        markup("<label><input type=\"checkbox\"")
        attribute("name", FormDocument.emptyField)
        attribute("value", field.name)
        if field.value.isEmptyText { markup(" checked") }
        element("> ", texts("Store an empty text instead of no value"), "</label>")
    }

    private mutating func choice(
        _ field: FormDocument.Field,
        _ current: FormValue,
        _ choice: FormDocument.Choice?
    ) {
        let name = FormDocument.choiceField + field.name
        element(
            "<fieldset><legend>",
            texts("You and another writer changed this value. Choose one:"),
            "</legend>"
        )
        // Marks the choice as present, even if it is not made.
        hidden(name, "")
        option(.mine, of: name, choice)
        element("", texts("Save the value above"), "</label>")
        option(.theirs, of: name, choice)
        element("", texts("Keep the new value:"), " ")
        if current.text.isEmpty {
            let label = current.isEmptyText ? texts("empty text") : texts("none")
            element("<span class=\"null\">", label, "</span>")
        } else {
            element("<bdi>", current.text, "</bdi>")
        }
        markup("</label></fieldset>")
    }

    private mutating func option(
        _ option: FormDocument.Choice,
        of name: String,
        _ choice: FormDocument.Choice?
    ) {
        markup("<label><input type=\"radio\"")
        attribute("name", name)
        attribute("value", option.rawValue)
        if option == choice { markup(" checked") }
        markup("> ")
    }

    private mutating func attributes(of field: FormDocument.Field, _ index: Int) {
        attribute("id", "f\(index)")
        attribute("name", field.name)
        markup(" dir=\"auto\"")
        if field.isRequired { markup(" required") }
        if !field.faults.isEmpty { markup(" aria-invalid=\"true\"") }
        if field.note(in: texts) != nil { attribute("aria-describedby", "e\(index)") }
    }
}

extension FormDocument.Field {
    fileprivate func note(in texts: PageText) -> String? {
        var notes = faults.map { texts($0) }
        if case .taken = difference {
            notes.append(texts("Changed since you opened this form; this is the new value."))
        }
        return notes.isEmpty ? nil : notes.joined(separator: " ")
    }
}

extension HTMLPageRenderer {
    package func renderRow(
        of page: borrowing Page,
        in context: RenderContext,
        to buffer: inout ByteBuffer
    ) {
        let title = page.title(ofRow: 0)
        context.use(templates, of: page)
        let alternates = [Alternate(.json, address: context.address(of: .alternate(.json)))]
        HTMLDocument(
            site: site,
            title: "\(title) · \(context.title)",
            steps: [
                HTMLDocument.Step(
                    title: context.title,
                    address: context.address(of: .list) + context.wayBack
                ),
                HTMLDocument.Step(title: title, address: nil),
            ],
            isRow: true
        ).write(
            to: &buffer,
            head: { $0.alternateRelations(alternates) },
            main: { writer in
                writer.element("<div class=\"head\"><h1><bdi>", title, "</bdi></h1>")
                if let section = page.sections.first?.info {
                    writer.section(section, of: page, context)
                }
                if context.isWritable { writer.rowForms(of: page, in: context) }
                if page.hasActions {
                    writer.markup("<div class=\"acts\">")
                    writer.actions(ofRow: 0, of: page, in: context)
                    writer.markup("</div>")
                }
                writer.markup("</div>\n")
                writer.staleness(of: page, in: context)
                if let template = template(ofRowOf: page) {
                    writer.markup("<div class=\"tpl\">")
                    writer.template(template, ofRow: 0, of: page, in: context)
                    writer.markup("</div>\n")
                } else {
                    writer.cells(of: page, in: context)
                }
                context.related.write(to: &writer, in: context)
                writer.children(of: page, in: context)
            },
            footer: { $0.alternates(alternates, of: title) }
        )
    }

    private func template(ofRowOf page: borrowing Page) -> RowTemplate? {
        guard page.query.columns == nil, page.failures[0] == nil else { return nil }
        return templates.row(page.kind(ofRow: 0)).map { RowTemplate($0, page.schema) }
    }
}

extension HTMLWriter {
    fileprivate mutating func section(
        _ section: SectionInfo,
        of page: borrowing Page,
        _ context: RenderContext
    ) {
        let title = texts.title(of: section, in: page)
        guard !title.isEmpty else { return }
        markup("<p>")
        link(title, to: .section(section.id), context)
        markup("</p>")
    }

    fileprivate mutating func children(of page: borrowing Page, in context: RenderContext) {
        guard page.canExpand(row: 0) else { return }
        markup("<p><a class=\"btn\" href=\"")
        page.withID(ofRow: 0) { id in text { context.links.writeChildren(ofRow: id, to: &$0) } }
        element("\">", texts("Below"), "</a></p>\n")
    }

    fileprivate mutating func rowForms(of page: borrowing Page, in context: RenderContext) {
        markup("<div class=\"ways\">")
        for (name, label) in [("edit", texts("Edit")), ("delete", texts("Delete"))]
        where context.operations.contains(name == "edit" ? .update : .delete) {
            markup(" <a class=\"btn\"")
            attribute("data-act", name)
            markup(" href=\"")
            page.withID(ofRow: 0) { id in
                text { context.links.writeAction(name, ofRow: id, to: &$0) }
            }
            text(context.wayBack)
            element("\">", label, "</a>")
        }
        markup("</div>")
    }

    fileprivate mutating func cells(of page: borrowing Page, in context: RenderContext) {
        if let code = page.failures[0] {
            return element("<p class=\"failed\">", texts(code.text), "</p>\n")
        }
        let (schema, isTitled) = (page.schema, page.title(ofRow: 0) == page.id(ofRow: 0))
        // The title of a row without label is its id.
        let unshown = isTitled && schema.keyColumns.count == 1 ? schema.keyColumns : []
        markup("<dl class=\"row\">\n")
        for index in page.shownColumns where index != schema.idColumn && !unshown.contains(index) {
            let column = schema.columns[index]
            guard let cell = page.cell(row: 0, column: index) else { continue }
            markup(schema.keyColumns.contains(index) ? "<div class=\"id\"><dt" : "<div><dt")
            if let description = column.notes.description { attribute("title", description) }
            element(">", column.label, "</dt><dd>")
            value(cell, inColumn: index, ofRow: 0, of: page, isAlone: true, in: context)
            markup("</dd></div>\n")
        }
        let showsKey = schema.keyColumns.contains {
            $0 != schema.idColumn && page.shownColumns.contains($0)
        }
        if !isTitled, !showsKey {
            element("<div class=\"id\"><dt>", texts("ID"), "</dt><dd>")
            page.withID(ofRow: 0) { text($0) }
            markup("</dd></div>\n")
        }
        markup("</dl>\n")
    }
}

extension Page {
    /// Returns the name of a row: its label, or else its id.
    package borrowing func title(ofRow row: Int) -> String {
        let label = label(ofRow: row, schema.labels)
        return label.isEmpty ? id(ofRow: row) : label
    }

    package borrowing func label(ofRow row: Int, _ columns: [Int]) -> String {
        var words: [String] = []
        for column in columns {
            guard let cell = cell(row: row, column: column) else { continue }
            let word = cells.display(cell) ?? cells.value(cell).plainText
            if !word.isEmpty { words.append(word) }
        }
        return words.joined(separator: " ")
    }
}
