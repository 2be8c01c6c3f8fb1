import HTTP
import Listings
import Rendering

/// The parameters of a list that the fields of a page's form stand for; see ``ToolbarForm``.
struct ToolbarItems {
    private let schema: ListSchema
    private let language: PageLanguage
    private(set) var items: [QueryItems.Item] = []
    private var joint: FilterGroup.Joint?
    /// The parameters of each condition: two for a range, else one.
    private var conditions: [[QueryItems.Item]] = []
    private var column: String?
    private var comparison: ToolbarForm.Comparison?
    private var value = ""
    private var sort: [String] = []
    private var shown: [String]?
    private var forward: String?
    private var showsAll = false

    init(_ fields: [QueryItems.Item], _ schema: ListSchema, _ language: PageLanguage) {
        self.schema = schema
        self.language = language
        for field in fields { take(field) }
        addConditions()
        let order = order
        if !order.isEmpty {
            let keys = order.joined(separator: ",")
            items.append(.init(name: ListParameter.sort.name, value: keys))
        }
        if let columns { items.append(.init(name: "columns", value: columns)) }
    }

    private mutating func take(_ field: QueryItems.Item) {
        let text = field.value ?? ""
        switch field.name {
        case ToolbarForm.joint: joint = FilterGroup.Joint(rawValue: text)
        case ToolbarForm.column: (column, comparison, value) = (text, nil, "")
        case ToolbarForm.comparison:
            comparison = ToolbarForm.Comparison.allCases.first { $0.name == text }
        case ToolbarForm.value: value = text
        case ToolbarForm.bound: addCondition(to: text)
        case ToolbarForm.sort, ToolbarForm.direction: sort.append(text)
        case ToolbarForm.show: shown = (shown ?? []) + [text]
        case ToolbarForm.forward: forward = text
        case ListParameter.columns.name where text.isEmpty: showsAll = true
        default: if !text.isEmpty { items.append(field) }
        }
    }

    private mutating func addCondition(to bound: String) {
        guard let column, !column.isEmpty, let comparison else { return }
        let parameters = comparison.parameters(operand(value), to: operand(bound))
        guard !parameters.isEmpty else { return }
        conditions.append(parameters.map { .init(name: column + $0.suffix, value: $0.value) })
    }

    /// Appends the conditions: each by itself, or all of them joined.
    private mutating func addConditions() {
        guard let joint, joint != .all, !conditions.isEmpty else {
            items += conditions.joined()
            return
        }
        let members = conditions.map { items in
            let members = items.map(Self.member).joined(separator: ",")
            return items.count == 1 ? members : "\(FilterGroup.Joint.all.rawValue)(\(members))"
        }
        let text = "(\(members.joined(separator: ",")))"
        items.append(.init(name: joint.rawValue, value: text))
    }

    private static func member(_ item: QueryItems.Item) -> String {
        let text = item.value ?? ""
        let takesList = FilterName(item.name).operation.flatMap(Filter.Operator.init)?.takesList
        let values = takesList == true ? ValueList.values(of: text) : nil
        let list = values.map { "(\($0.map(FilterGroupText.value).joined(separator: ",")))" }
        return FilterGroupText.name(item.name) + "=" + (list ?? FilterGroupText.value(text))
    }

    private func operand(_ text: String) -> String {
        guard comparison?.takesList == false, let position = column.flatMap(schema.index) else {
            return text
        }
        return LocalNumber.plain(text, of: schema.columns[position].type, language)
    }

    private var order: [String] {
        stride(from: 0, to: sort.count, by: 2).compactMap { location in
            let direction = location + 1 < sort.count ? sort[location + 1] : ""
            guard !sort[location].isEmpty else { return nil }
            let isDescending = direction.hasPrefix("-")
            return (isDescending ? "-" : "") + sort[location]
                + (isDescending ? direction.dropFirst() : direction[...])
        }
    }

    /// The value of `columns`, or nil if all are shown in their own order.
    private var columns: String? {
        guard !showsAll, var names = shown?.filter({ !$0.isEmpty }), !names.isEmpty else {
            return nil
        }
        if let forward, let location = names.firstIndex(of: forward), location > 0 {
            names.swapAt(location, location - 1)
        }
        let all = schema.displayOrder.map { schema.columns[$0].id }
        return names == all ? nil : names.joined(separator: ",")
    }
}

enum LocalNumber {
    /// Returns a text for a column in the notation of parameters: `12.5` for the German `12,5`.
    static func plain(_ text: String, of type: ColumnType, _ language: PageLanguage) -> String {
        guard language == .german, type.isNumber,
            text.utf8.count(where: { $0 == UInt8(ascii: ",") }) == 1,
            !text.utf8.contains(UInt8(ascii: "."))
        else { return text }
        return String(text.map { $0 == "," ? "." : $0 })
    }

    static func plain(
        _ items: [QueryItems.Item],
        _ schema: ListSchema,
        _ language: PageLanguage
    ) -> [QueryItems.Item] {
        items.map { item in
            guard let text = item.value, let column = schema.index(of: item.name) else {
                return item
            }
            let type = schema.columns[column].type
            return QueryItems.Item(name: item.name, value: plain(text, of: type, language))
        }
    }
}

extension ToolbarForm.Comparison {
    fileprivate var takesList: Bool {
        if case .by(let operation) = self { operation.takesList } else { false }
    }
}
