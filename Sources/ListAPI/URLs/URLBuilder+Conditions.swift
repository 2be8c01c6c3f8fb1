import Bytes
import HTTP
import Listings
import Rendering

/// The parameters that filter rows and count them.
extension URLBuilder {
    func writeConditions(
        _ query: ListQuery,
        _ variant: Variant,
        _ parameters: inout Parameters,
        to buffer: inout ByteBuffer
    ) {
        if let conditions = variant.conditions {
            write(conditions.filters, conditions.search, &parameters, to: &buffer)
        } else {
            write(query.filters, query.search, &parameters, to: &buffer)
        }
        for filter in query.related where filter != variant.dropped {
            parameters.separate(in: &buffer)
            PercentEncoding.encode(filter.name, for: .queryComponent, into: &buffer)
            buffer.append(UInt8(ascii: "="))
            PercentEncoding.encode(filter.value, for: .queryComponent, into: &buffer)
        }
    }

    private func write(
        _ filters: [Filter],
        _ search: TextSearch?,
        _ parameters: inout Parameters,
        to buffer: inout ByteBuffer
    ) {
        if let search {
            parameters.begin(.search, in: &buffer)
            PercentEncoding.encode(search.text, for: .queryComponent, into: &buffer)
        }
        for filter in filters { write(filter, &parameters, to: &buffer) }
    }

    private func write(
        _ filter: Filter,
        _ parameters: inout Parameters,
        to buffer: inout ByteBuffer
    ) {
        if let group = filter.group { return write(group, &parameters, to: &buffer) }
        parameters.separate(in: &buffer)
        let id = schema.name(of: filter.field)
        PercentEncoding.encode(id, for: .queryComponent, into: &buffer)
        if filter.operation != .equal || ListParameter.Accepted.changes.accepts(name: id) {
            buffer.append("__" as StaticString)
            buffer.append(filter.operation.rawValue)
        }
        buffer.append(UInt8(ascii: "="))
        let values = values(of: filter)
        guard filter.operation.takesList else {
            return PercentEncoding.encode(values[0], for: .queryComponent, into: &buffer)
        }
        // Commas between values stay readable.
        for (index, value) in values.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            PercentEncoding.encode(ValueList.text(of: [value]), for: .queryComponent, into: &buffer)
        }
    }

    /// Returns the different texts of a condition's operands.
    private func values(of filter: Filter) -> [String] {
        // In a mixed column one text may name several values.
        var values: [String] = []
        for operand in filter.operands {
            let text = text(of: operand, filter)
            if !values.contains(where: { $0.utf8.elementsEqual(text.utf8) }) { values.append(text) }
        }
        return values
    }

    /// Appends joined conditions as a parameter.
    private func write(
        _ group: FilterGroup,
        _ parameters: inout Parameters,
        to buffer: inout ByteBuffer
    ) {
        // Conditions that are all met are not all unmet.
        let isAll = group.joint == .all
        parameters.begin(group.joint == .any ? .or : .not, in: &buffer)
        if isAll { buffer.append("(not" as StaticString) }
        writeMembers(of: group, to: &buffer)
        if isAll { buffer.append(UInt8(ascii: ")")) }
    }

    /// Appends the conditions of a group between parentheses; its signs stay readable.
    private func writeMembers(of group: FilterGroup, to buffer: inout ByteBuffer) {
        buffer.append(UInt8(ascii: "("))
        for (index, filter) in group.members.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            if let inner = filter.group {
                buffer.append(inner.joint.rawValue)
                writeMembers(of: inner, to: &buffer)
                continue
            }
            let operation = filter.operation == .equal ? "" : "__\(filter.operation.rawValue)"
            let name = FilterGroupText.name(schema.name(of: filter.field) + operation)
            PercentEncoding.encode(name, for: .queryComponent, into: &buffer)
            buffer.append(UInt8(ascii: "="))
            let values = values(of: filter)
            guard filter.operation.takesList else {
                let value = FilterGroupText.value(values[0])
                PercentEncoding.encode(value, for: .queryComponent, into: &buffer)
                continue
            }
            for (index, value) in values.enumerated() {
                buffer.append(index == 0 ? UInt8(ascii: "(") : UInt8(ascii: ","))
                let value = FilterGroupText.value(value)
                PercentEncoding.encode(value, for: .queryComponent, into: &buffer)
            }
            buffer.append(UInt8(ascii: ")"))
        }
        buffer.append(UInt8(ascii: ")"))
    }

    /// Returns an operand in the form of the parameter.
    private func text(of operand: CellValue, _ filter: Filter) -> String {
        guard filter.operation == .identical, let column = filter.column else {
            return operand.plainText
        }
        return schema.columns[column].name(of: operand)
    }

    func writeCounts(
        _ query: ListQuery,
        _ variant: Variant,
        _ parameters: inout Parameters,
        to buffer: inout ByteBuffer
    ) {
        if variant.counting != .capped, schema.abilities.contains(.counting) {
            parameters.begin(.count, in: &buffer)
            buffer.append(variant.counting.rawValue)
        }
        for function in Aggregate.Function.allCases {
            let columns = query.aggregates.filter { $0.function == function }.map(\.column)
            guard !columns.isEmpty, let parameter = ListParameter(rawValue: function.rawValue)
            else { continue }
            parameters.begin(parameter, in: &buffer)
            writeNames(columns.map { schema.columns[$0].id }, to: &buffer)
        }
        if let column = query.statistics {
            parameters.begin(.statistics, in: &buffer)
            writeNames([schema.columns[column].id], to: &buffer)
        }
        let further = variant.facet ?? (query.suggestsFacets ? ListParameter.suggestion : nil)
        guard !query.facets.isEmpty || further != nil else { return }
        parameters.begin(.facets, in: &buffer)
        let names = query.facets.map { schema.columns[$0].id }
        writeNames(names + (further.map { [$0] } ?? []), to: &buffer)
    }

    func parameters(of link: PageLink) -> [(name: String, value: String)] {
        var buffer = ByteBuffer()
        write(link, to: &buffer)
        let hasParameters = buffer.withBytes { bytes in
            bytes.indices.contains { bytes[$0] == UInt8(ascii: "?") }
        }
        guard hasParameters else { return [] }
        let address = buffer.text()
        // Links written by this type always parse.
        guard let mark = address.firstIndex(of: "?"),
            let items = try? QueryItems(rawQuery: String(address[address.index(after: mark)...]))
        else { return [] }
        var parameters = items.map { (name: $0.name, value: $0.value ?? "") }
        if case .section(let id) = place { parameters.append(("section", id.rawValue)) }
        return parameters
    }

    /// Appends the address of the filter form; see ``Service/redirectNarrowing(_:_:with:)``.
    func writeForm(to buffer: inout ByteBuffer) {
        writeList(to: &buffer)
        buffer.append("/-/narrow" as StaticString)
        guard let suffix else { return }
        buffer.append(UInt8(ascii: "."))
        buffer.append(suffix.rawValue)
    }
}
