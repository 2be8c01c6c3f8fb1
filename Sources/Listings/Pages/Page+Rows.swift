import Bytes

extension Page {
    /// Appends the row or rows of a model to the current section.
    ///
    /// If the controller throws or writes a wrong number of cells, a failure replaces the row. Rows
    /// of registrations with ``RowEvents/prefetch`` are written by ``end()``.
    ///
    /// - Complexity: O(cells), amortised.
    @inlinable
    public mutating func append<Model>(_ model: Model, using registration: Registration<Model>) {
        // Inlinable, so that the compiler specializes it for known models. Generic access to the
        // registration is slow.
        if let writer = registration.plainWriter, takesPlainRows {
            writer.write(model, &self)
        } else {
            appendParts(of: model, using: registration)
        }
    }

    @usableFromInline
    mutating func appendParts<Model>(of model: Model, using registration: Registration<Model>) {
        appendParts(of: [model], at: 0, using: registration)
    }

    /// Appends the row or rows of one of several models.
    package mutating func appendParts<Model>(
        of models: [Model],
        at position: Int,
        using registration: Registration<Model>
    ) {
        for part in 0..<registration.rowsPerModel {
            append(part: part, of: models, at: position, using: registration)
        }
    }

    /// Appends one of the rows of a model to the current section.
    ///
    /// - Parameters:
    ///   - part: The row's position among ``Registration/parts``; 0 for models with one row.
    ///   - model: The model.
    ///   - registration: The registration that shows the model.
    public mutating func append<Model>(
        part: Int,
        of model: Model,
        using registration: Registration<Model>
    ) {
        append(part: part, of: [model], at: 0, using: registration)
    }

    private mutating func append<Model>(
        part: Int,
        of models: [Model],
        at position: Int,
        using registration: Registration<Model>
    ) {
        precondition(!sections.isEmpty, "a row was appended before any section began")
        let section = sections.count - 1
        guard !sections[section].info.isCollapsed else { return }
        if let search { return follow(search, from: models[position], part: part, registration) }
        let row = beginRow(part, of: models[position], registration)
        sections[section].rows = sections[section].rows.lowerBound..<rowSlots.count
        let context = Context(models, at: position, in: sectionPlace, part: part)
        if registration.events.prefetch == nil {
            write(row, context, registration)
        } else {
            wait(row, context, registration)
        }
        if !query.expanded.isEmpty { appendChildren(of: row, context, registration) }
    }

    /// Ends the page after the reader has appended all rows.
    ///
    /// It prefetches and writes the waiting rows, and checks that the page can be shown.
    ///
    /// - Throws: ``SourceError/duplicateRow(_:first:second:)``, or
    ///   ``SourceError/failedRow(_:code:)`` if a registration refuses pages with failed rows.
    /// - Complexity: O(rows).
    public mutating func end() throws(SourceError) {
        for rows in waiting { rows.write(to: &self) }
        waiting.removeAll(keepingCapacity: true)
        renderSections()
        reservePadding()
        if let (first, second) = firstDuplicate() {
            throw .duplicateRow(id(ofRow: second), first: first, second: second)
        }
        if let refusal, let code = failures[refusal] {
            throw .failedRow(id(ofRow: refusal), code: code)
        }
    }

    /// Reserves padding after ids and texts, because renderers copy whole blocks.
    mutating func reservePadding() {
        ids.reserve(ByteBuffer.padding)
        ownCells.reservePadding()
    }

    private mutating func beginRow<Model>(
        _ part: Int,
        of model: Model,
        _ registration: Registration<Model>
    ) -> Int {
        let idStart = ids.count
        if outline.level == 0 {
            ids.append(model.id.description)
        } else {
            ids.append(outline.prefix)
            ids.append(RowPath.escape(model.id.description))
        }
        var name = registration.kind
        if !registration.parts.isEmpty {
            ids.append(UInt8(ascii: "#"))
            ids.append(registration.parts[part].name)
            name = registration.parts[part].kind
        }
        rowSlots.append(
            RowSlot(
                kind: kind(name, columns: registration.columns),
                idStart: idStart,
                idEnd: ids.count,
                revision: registration.revision(model),
                level: UInt8(outline.level)
            )
        )
        return rowSlots.count - 1
    }

    private mutating func wait<Model>(
        _ row: Int,
        _ context: Context<Model>,
        _ registration: Registration<Model>
    ) {
        for index in waiting.indices
        where waiting[index].take(context, row: row, of: registration.kinds) {
            return
        }
        var run = PrefetchedRun(registration)
        _ = run.take(context, row: row, of: registration.kinds)
        waiting.append(run)
    }

    /// Writes the cells of a row and applies the events of its registration.
    mutating func write<Model>(
        _ row: Int,
        _ context: Context<Model>,
        _ registration: Registration<Model>
    ) {
        let first = cells.count
        rowSlots[row].firstCell = Int32(first)
        do {
            try registration.write(context, &ownCells)
        } catch {
            return fail(row, .rowFailed, error, registration)
        }
        guard cells.count - first == kinds[rowSlots[row].kind].cellCount else {
            return fail(row, .cellCount, nil, registration)
        }
        if registration.shapesRows || rowSlots[row].level > 0 { shape(row, context, registration) }
    }

    private mutating func shape<Model>(
        _ row: Int,
        _ context: Context<Model>,
        _ registration: Registration<Model>
    ) {
        var extras = RowDecorations(context, registration.events)
        let level = Int(rowSlots[row].level)
        extras.canExpand = canExpand(context, registration, at: level)
        if extras.outline == nil,
            extras.canExpand || registration.events.children != nil || level > 0
        {
            extras.outline = RowOutline(
                level: level,
                isExpanded: extras.canExpand ? query.expanded.contains(id(ofRow: row)) : nil
            )
        }
        if let willRender = registration.events.willRender {
            guard let changed = changed(row, context, extras, willRender, registration) else {
                return
            }
            extras = changed
        }
        // Actions without a `perform` event cannot be offered.
        if registration.events.perform == nil { extras.actions = [] }
        for action in extras.actions where RowAction.reservedNames.contains(action.name) {
            extras.actions.removeAll { $0.name == action.name }
            report(row, .reservedAction, ListingError.reservedAction(action.name), registration)
        }
        if case .address(let address) = extras.link, !LinkAddress.isSafe(address.utf8.span) {
            extras.link = .absent
            report(row, .unsafeLink, nil, registration)
        }
        if let toggle = extras.outline?.toggle, !LinkAddress.isSafe(toggle.utf8.span) {
            extras.outline?.toggle = nil
            report(row, .unsafeLink, nil, registration)
        }
        guard extras != RowDecorations() else { return }
        rowSlots[row].extras = Int32(self.extras.count)
        self.extras.append(extras)
    }

    /// Lets a closure change a row, and writes its cells again.
    ///
    /// - Returns: The extras of the row; nil when it failed.
    private mutating func changed<Model>(
        _ row: Int,
        _ context: Context<Model>,
        _ extras: RowDecorations,
        _ willRender: (Context<Model>, inout Row) throws -> Void,
        _ registration: Registration<Model>
    ) -> RowDecorations? {
        guard let first = rowSlots[row].firstCell.map(Int.init) else { return nil }
        let given = copy(of: row, cells: first..<cells.count, extras)
        var changed = given
        do {
            try willRender(context, &changed)
        } catch {
            fail(row, .eventFailed, error, registration)
            return nil
        }
        guard changed.cells.count == given.cells.count else {
            fail(row, .cellCount, nil, registration)
            return nil
        }
        if changed.cells != given.cells || changed.displays != given.displays {
            ownCells.truncate(to: first)
            for (index, cell) in changed.cells.enumerated() {
                ownCells.append(cell, display: changed.displays[index])
            }
        }
        var shaped = RowDecorations(changed)
        shaped.canExpand = extras.canExpand
        return shaped
    }

    /// Replaces a row by a failure.
    mutating func fail<Model>(
        _ row: Int,
        _ code: RowFailure.Code,
        _ error: (any Error)?,
        _ registration: Registration<Model>
    ) {
        fail(row, code, error, policy: registration.policy, model: "\(Model.self)")
    }

    /// Replaces a row by a failure.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - code: The code that clients see.
    ///   - error: The thrown error.
    ///   - policy: The consequence for the page.
    ///   - model: The name of the model type.
    mutating func fail(
        _ row: Int,
        _ code: RowFailure.Code,
        _ error: (any Error)?,
        policy: RowFailurePolicy,
        model: @autoclosure () -> String
    ) {
        if let first = rowSlots[row].firstCell { ownCells.truncate(to: Int(first)) }
        failures[row] = code
        if policy == .refusePage, refusal == nil { refusal = row }
        report(row, code, error, model: model())
    }

    private func report<Model>(
        _ row: Int,
        _ code: RowFailure.Code,
        _ error: (any Error)?,
        _ registration: Registration<Model>
    ) {
        report(row, code, error, model: "\(Model.self)")
    }

    private func report(
        _ row: Int,
        _ code: RowFailure.Code,
        _ error: (any Error)?,
        model: @autoclosure () -> String
    ) {
        guard let onFailure else { return }
        onFailure(
            RowFailure(
                list: list,
                id: id(ofRow: row),
                kind: kind(ofRow: row),
                model: model(),
                code: code,
                error: error
            )
        )
    }
}
