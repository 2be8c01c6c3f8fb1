import Listings

/// The parameters of paging: the size of a page and its start.
extension ListParameters {
    /// Reads the shape of the page: rows, or sections with a maximum number of rows each.
    mutating func readShape(isIndex: Bool) -> ListQuery.Shape {
        let perSection = isIndex ? 0 : number("per_section", minimum: 1)
        let limit = number("limit", minimum: 1)
        if let limit, limit > schema.maximumLimit {
            refuse(.limitTooLarge(maximum: schema.maximumLimit))
        }
        guard let perSection else { return .flow(limit: limit ?? schema.defaultLimit) }
        let sections = limit ?? Self.sectionLimit(schema, rows: perSection)
        let rows = sections.multipliedReportingOverflow(by: perSection)
        if rows.overflow || rows.partialValue > schema.maximumLimit {
            refuse(
                .tooManyRows(
                    limit: sections,
                    perSection: perSection,
                    maximum: schema.maximumLimit
                )
            )
        }
        return .peek(limit: sections, rows: perSection)
    }

    /// Returns the default number of sections a page, lowered so that their rows fit the page.
    static func sectionLimit(_ schema: ListSchema, rows: Int) -> Int {
        min(defaultSectionLimit, max(1, schema.maximumLimit / max(1, rows)))
    }

    /// Reads the start of the page.
    mutating func readStart(_ query: ListQuery) -> ListQuery.Start {
        let given = ["after", "before", "page", "jump"].filter { values[$0] != nil }
        if given.count > 1 {
            refuse(.conflictingParameters(given[0], given[1]))
            return .beginning
        }
        switch given.first {
        case "after": return cursor("after", query).map(ListQuery.Start.after) ?? .beginning
        case "before": return cursor("before", query).map(ListQuery.Start.before) ?? .beginning
        case "page": return page(query)
        case "jump": return letter(query)
        default: return .beginning
        }
    }

    private mutating func page(_ query: ListQuery) -> ListQuery.Start {
        guard let page = number("page", minimum: 1) else { return .beginning }
        let limit = query.shape.limit
        // A refused limit does not bound the page number.
        guard limit <= schema.maximumLimit else { return .beginning }
        let end = page.multipliedReportingOverflow(by: limit)
        guard !end.overflow, end.partialValue <= Self.deepestRow else {
            refuse(
                .pageTooDeep(
                    page: page,
                    deepest: max(1, Self.deepestRow / max(1, limit)),
                    maximumRows: Self.deepestRow
                )
            )
            return .beginning
        }
        return page == 1 ? .beginning : .offset((page - 1) * limit)
    }

    private mutating func cursor(_ name: String, _ query: ListQuery) -> Cursor? {
        guard errors.isEmpty, let text = values[name]?.first else { return nil }
        do {
            let cursor = try Cursor(
                text,
                signature: query.signature(of: list, schema: schema),
                valueCount: query.placeValueCount,
                keys: cursorKeys
            )
            let hasSections =
                query.parent == nil && (query.grouping != nil || schema.usesOwnSections(query))
            if (cursor.section == .whole) != hasSections { return cursor }
            refuse(.invalidCursor(name))
            return nil
        } catch {
            switch error {
            case .invalid: refuse(.invalidCursor(name))
            case .expired: refuse(.expiredCursor(name))
            }
            return nil
        }
    }

    private mutating func number(_ name: String, minimum: Int) -> Int? {
        guard let text = values[name]?.first else { return nil }
        guard text.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else {
            refuse(.notANumber(name, value: text))
            return nil
        }
        // Digits that overflow an integer exceed every limit.
        let number = Int(text) ?? .max
        if number < minimum { refuse(.numberTooSmall(name, minimum: minimum)) }
        return number
    }
}
