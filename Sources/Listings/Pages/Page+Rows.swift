import Bytes

extension Page {
    /// Appends a model's row, or its rows, to the section begun last.
    ///
    /// A controller that throws, or writes another number of cells than it has columns, leaves a
    /// failure in place of the row. Rows whose registration fetches for the page
    /// (``RowEvents/prefetch``) are written by ``end()``.
    ///
    /// - Complexity: O(cells), amortised.
    @inlinable
    public mutating func append<Model>(_ model: Model, using registration: Registration<Model>) {
        // Made for the model where that is known: to ask a registration of any model for what it
        // has costs as much as a row.
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

    /// Appends the row, or the rows, of one of several models.
    mutating func appendParts<Model>(
        of models: [Model],
        at position: Int,
        using registration: Registration<Model>
    ) {
        for part in 0..<registration.rowsPerModel {
            append(part: part, of: models, at: position, using: registration)
        }
    }

    /// Appends one of the rows of a model to the section begun last.
    ///
    /// - Parameters:
    ///   - part: The row's position among ``Registration/parts``; 0 where a model has one row.
    ///   - model: The model.
    ///   - registration: Shows it.
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

    /// Ends the page, as every reader does when the rows are appended.
    ///
    /// Fetches what rows wait for, writes them, and checks that the page can be shown.
    ///
    /// - Throws: ``SourceError/duplicateRow(_:first:second:)``, or
    ///   ``SourceError/failedRow(_:code:)`` where a registration refuses pages with such rows.
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

    /// Makes room behind ids and texts: what is drawn of them is copied together with what stands there.
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
        var run = WaitingRun(registration)
        _ = run.take(context, row: row, of: registration.kinds)
        waiting.append(run)
    }

    /// Writes the cells of a row, and what events make of it.
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
        var extras = RowExtras(context, registration.events)
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
        // What nothing performs cannot be offered.
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
        guard extras != RowExtras() else { return }
        rowSlots[row].extras = Int32(self.extras.count)
        self.extras.append(extras)
    }

    /// Lets a closure change a row, and writes its cells again.
    ///
    /// - Returns: What the row has besides; nil when it failed.
    private mutating func changed<Model>(
        _ row: Int,
        _ context: Context<Model>,
        _ extras: RowExtras,
        _ willRender: (Context<Model>, inout Row) throws -> Void,
        _ registration: Registration<Model>
    ) -> RowExtras? {
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
        var shaped = RowExtras(changed)
        shaped.canExpand = extras.canExpand
        return shaped
    }

    /// Leaves an error in place of a row.
    mutating func fail<Model>(
        _ row: Int,
        _ code: RowFailure.Code,
        _ error: (any Error)?,
        _ registration: Registration<Model>
    ) {
        fail(row, code, error, policy: registration.policy, model: "\(Model.self)")
    }

    /// Leaves an error in place of a row.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - code: What is told of the error.
    ///   - error: What was thrown.
    ///   - policy: What becomes of the page.
    ///   - model: The type of the model, for people.
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
