import Bytes
import Listings

struct ConditionText {
    let schema: ListSchema

    func text(of query: ListQuery) -> String? {
        guard !query.filters.isEmpty || !query.related.isEmpty else { return nil }
        let related = query.related.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }
        return (query.filters.map(parameter) + related).joined(separator: "&")
    }

    private func parameter(_ filter: Filter) -> String {
        if let group = filter.group {
            // Conditions that are all met are not all unmet.
            guard group.joint != .all else { return "not=(not\(members(of: group)))" }
            return (group.joint == .any ? "or=" : "not=") + members(of: group)
        }
        let id = schema.name(of: filter.field)
        // Where a page is followed, a name alone could be that of a parameter.
        let isTaken = id == ListParameter.since.name || id == ListParameter.include.name
        let isPlain = filter.operation == .equal && !isTaken
        let name = Self.encoded(id) + (isPlain ? "" : "__\(filter.operation.rawValue)")
        let values = values(of: filter)
        guard filter.operation.takesList else { return "\(name)=\(Self.encoded(values[0]))" }
        // Commas between values stay readable.
        let texts = values.map { Self.encoded(ValueList.text(of: [$0])) }
        return "\(name)=\(texts.joined(separator: ","))"
    }

    private func members(of group: FilterGroup) -> String {
        let members = group.members.map { filter in
            if let inner = filter.group { return inner.joint.rawValue + self.members(of: inner) }
            let operation = filter.operation == .equal ? "" : "__\(filter.operation.rawValue)"
            let name = FilterGroupText.name(schema.name(of: filter.field) + operation)
            let values = values(of: filter).map { Self.encoded(FilterGroupText.value($0)) }
            let value =
                filter.operation.takesList ? "(\(values.joined(separator: ",")))" : values[0]
            return "\(Self.encoded(name))=\(value)"
        }
        return "(\(members.joined(separator: ",")))"
    }

    private func values(of filter: Filter) -> [String] {
        // In a mixed column one text may name several values.
        var values: [String] = []
        for operand in filter.operands {
            let text = text(of: operand, filter)
            if !values.contains(where: { $0.utf8.elementsEqual(text.utf8) }) { values.append(text) }
        }
        return values
    }

    private func text(of operand: CellValue, _ filter: Filter) -> String {
        guard filter.operation == .identical, let column = filter.column else {
            return operand.plainText
        }
        return schema.columns[column].name(of: operand)
    }

    private static func encoded(_ text: String) -> String {
        PercentEncoding.encode(text, for: .queryComponent)
    }
}
