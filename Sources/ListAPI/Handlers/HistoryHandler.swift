import Bytes
import HTTP
import JSON
import Listings
import Rendering
import SQLite

enum HistoryHandler {
    private typealias Field = HistoryList.Field

    /// Returns the request for the history that `/-/history` or `/LIST/ROW/-/history` stands for,
    /// and the list of the row.
    ///
    /// Nil for other addresses.
    static func request(
        for alias: borrowing HTTPRequest
    ) -> (request: HTTPRequest, list: String?)? {
        let segments = alias.path.segments
        guard let last = segments.last, FormatSuffix(last).name == HistoryList.name,
            segments == ["-", last] || segments.count == 4 && segments[2] == "-"
        else { return nil }
        var target = Address.root.list(last)
        var separator = "?"
        if segments.count == 4 {
            let names = [Field.list, .row].map { "\($0.rawValue)__is=" }
            let values = [segments[0], FormatSuffix.name(ofInner: segments[1])]
                .map { PercentEncoding.encode($0, for: .queryComponent) }
            target += separator + zip(names, values).map { $0 + $1 }.joined(separator: "&")
            separator = "&"
        }
        if let query = alias.query { target += separator + query }
        let fields = alias.sentFields.compactMap { field in
            FieldName(validating: field.name).map { ($0, field.value) }
        }
        guard var request = try? HTTPRequest(alias.method, target, fields: fields, body: alias.body)
        else { return nil }
        if let external = alias.external { request = request.addressed(at: external) }
        return (request, segments.count == 4 ? segments[0] : nil)
    }

    /// Writes the old values of a change into its row, or creates the row again.
    static func restore(
        _ id: String,
        _ action: ActionCall,
        in call: inout Call
    ) throws -> ActionOutcome {
        guard try action.endpoint.readRow(id) else { throw call.noRow(id, in: action.list) }
        let entry = HistoryEntry(action.endpoint.page, at: 0)
        guard let old = entry.old else {
            return .refused(reason: "Change \(id) has no old values.")
        }
        guard let target = call.visibleEndpoint(entry.list), let writer = target.writer else {
            return .refused(reason: "The list '\(entry.list)' cannot be written.")
        }
        guard target.view.mayWrite else { throw Problem.withoutRight }
        let write = WriteCall(
            endpoint: target,
            writer: writer,
            prepared: action.prepared,
            preferences: action.preferences,
            conditions: [],
            receipt: nil
        )
        let exists = try target.readRow(entry.row)
        let members = exists ? entry.replaced : old
        if let reason = writer.rules.obstacle(to: members, isNew: !exists, target.schema) {
            return .refused(reason: reason)
        }
        var conditions = try call.conditions(ofRow: entry.row)
        if exists, conditions.isEmpty {
            if let reason = entry.laterChange(target.page) { return .refused(reason: reason) }
            conditions = target.page.revision(ofRow: 0).map { [.isAt([$0])] } ?? []
        }
        let row = try action.taking { () throws(Problem.Fault) in
            try RowDecoder(.object(writer.rules.settable(members), text: ""), writer.rules)
        }
        let address = Address.root.row(entry.row, of: entry.list)
        guard !exists || !row.values.isEmpty else { return .redirected(to: address) }
        var change = RowChange(exists ? .merge : .insert, id: entry.row, values: row.values)
        change.conditions = conditions
        let faults = row.faults(of: change)
        guard faults.isEmpty else { throw write.invalid(faults) }
        let batch = WriteBatch([try call.restrict(change, write)], readsRow: false)
        var made = address
        do throws(WriteError) {
            _ = try writer.write(batch, into: &target.page) { _, results in
                if case .success(let row)? = results.first {
                    made = Address.root.row(row.id, of: entry.list)
                }
                return []
            }
        } catch {
            throw try write.problem(of: error, [.json("")], in: call)
        }
        return .redirected(to: made)
    }

    private static let shownEntries = 5

    /// The last changes of a row; nil without a history, or for a caller who may not read it.
    static func entries(
        ofRow id: String,
        of endpoint: ServedList,
        in call: borrowing Call
    ) throws(SourceError) -> RelatedRows? {
        guard call.service.options.history != nil, !endpoint.definition.isHistory,
            let history = call.visibleEndpoint(HistoryList.name)
        else { return nil }
        let schema = history.schema
        func condition(_ field: Field, _ value: String) -> Filter? {
            schema.index(of: field.rawValue).map { Filter(column: $0, .equal, [.text(value)]) }
        }
        let name = endpoint.definition.name
        var query = ListQuery(shape: .flow(limit: shownEntries))
        query.sort = schema.defaultSort
        query.filters = [condition(.list, name), condition(.row, id)].compactMap(\.self)
        var page = Page(list: HistoryList.name, schema: schema)
        try history.read(ScopedQuery(query, in: history.view.scope), into: &page)
        guard page.rowCount > 0 else { return nil }
        let needsCondition = call.service.options.writing.requiresCondition
        let mayRestore = endpoint.writer != nil && endpoint.view.mayWrite && !needsCondition
        let items = (0..<page.rowCount).map { position in
            let entry = HistoryEntry(page, at: position)
            let number = page.id(ofRow: position)
            let address = call.addresses.row(number, of: HistoryList.name)
            return RelatedRows.Item(
                id: number,
                label: entry.text(endpoint.schema),
                address: address,
                restoring: mayRestore && entry.old != nil
                    ? "\(address)/-/\(HistoryList.restore)" : nil
            )
        }
        return RelatedRows(
            list: HistoryList.name,
            column: Field.row.rawValue,
            title: history.definition.title,
            address: call.addresses.list(name)
                + "/\(PercentEncoding.encode(id, for: .pathSegment))/-/\(HistoryList.name)",
            count: page.total,
            items: items
        )
    }
}

/// A change that the history has.
private struct HistoryEntry {
    let list, row, change, time: String
    let caller: String?
    /// The values by the ids of the columns; nil where there was no row.
    let old, new: [String: JSONValue]?

    init(_ page: borrowing Page, at row: Int) {
        func text(_ field: HistoryList.Field, _ page: borrowing Page) -> String? {
            guard let column = page.schema.index(of: field.rawValue) else { return nil }
            let value = page.value(row: row, column: column)
            return value.isNull ? nil : value.plainText
        }
        func members(_ field: HistoryList.Field, _ page: borrowing Page) -> [String: JSONValue]? {
            text(field, page).flatMap(Self.members)
        }
        (list, self.row) = (text(.list, page) ?? "", text(.row, page) ?? "")
        (change, time) = (text(.change, page) ?? "", text(.time, page) ?? "")
        caller = text(.caller, page)
        (old, new) = (members(.old, page), members(.new, page))
    }

    private static func members(_ json: String) -> [String: JSONValue]? {
        guard case .object(let members, _)? = try? JSONValue(parsing: Array(json.utf8)) else {
            return nil
        }
        return members
    }

    /// The reason why old values would replace later ones of the shown row; nil if they would not.
    func laterChange(_ page: borrowing Page) -> String? {
        guard let new else { return "Row '\(row)' exists again." }
        let now = Self.members(page.json(ofRow: 0)) ?? [:]
        let changed = page.schema.columns.first { column in
            replaced[column.id] != nil && now[column.id] != new[column.id]
        }
        return changed.map { column in
            "Column '\(column.label)' was changed again. Restore the later change first, or send "
                + "If-Match."
        }
    }

    /// The old values that the change replaced.
    var replaced: [String: JSONValue] {
        (old ?? [:]).filter { name, value in new == nil || new?[name] != value }
    }

    func text(_ schema: ListSchema) -> String {
        let changed = schema.columns.compactMap { column -> String? in
            guard let before = replaced[column.id], let after = new?[column.id] else { return nil }
            return "\(column.label): \(before.shown) → \(after.shown)"
        }
        let what = changed.isEmpty ? change : changed.joined(separator: ", ")
        let day = String(time.prefix(16)).replacing("T", with: " ") + " UTC"
        return [day, caller, what].compactMap(\.self).joined(separator: " · ")
    }
}

extension JSONValue {
    fileprivate var shown: String {
        switch self {
        case .null: "–"
        case .boolean(let boolean): "\(boolean)"
        case .number(let text), .text(let text), .array(_, let text), .object(_, let text): text
        }
    }
}

extension RowRules {
    /// The values of the columns that clients set.
    fileprivate func settable(_ members: [String: JSONValue]) -> [String: JSONValue] {
        let names = Set(givenColumns.map { columns[$0].id })
        return members.filter { names.contains($0.key) }
    }

    /// The reason why old values would be lost; nil if all can be set.
    fileprivate func obstacle(
        to members: [String: JSONValue],
        isNew: Bool,
        _ schema: ListSchema
    ) -> String? {
        guard !isNew || schema.hidden.isEmpty else {
            return "The list hides columns, whose values are not recorded."
        }
        let lost = members.filter { name, value in
            guard let column = columns.first(where: { $0.id == name }) else { return true }
            return column.type.form == .bytes && value != .null
        }
        guard let first = lost.keys.min() else { return nil }
        return "The values of column '\(first)' are not recorded, or it is gone."
    }
}
