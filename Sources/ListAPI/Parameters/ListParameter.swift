import Listings
import Rendering

/// A query parameter of lists, in the order of links; ``Parameter`` says all else about it.
package enum ListParameter: Int, CaseIterable, Sendable {
    case segment, search
    case conditions
    case or, not, sort, group, section, collapsed, columns, expanded, embed
    case byteOrderMark, shape, pretty
    case count, sum, avg, min, max, filled, statistics, facets
    case perSection, limit, after, before, page, offset, jump, around, layout
    case since, include, onDuplicate, on

    private static let names = Parameter.all.map(\.name)
    private static let named = Dictionary(
        uniqueKeysWithValues: allCases.filter { $0 != .conditions }.map { ($0.name, $0) }
    )

    init?(named name: String) {
        guard let found = Self.named[name] else { return nil }
        self = found
    }

    package var name: String { Self.names[rawValue] }

    /// The parameters in the order of documents and of error texts.
    package static let documented: [ListParameter] = [
        .limit, .after, .before, .page, .offset, .around, .sort, .columns, .group, .section,
        .perSection, .or, .not, .conditions, .search, .count, .sum, .avg, .min, .max, .filled,
        .statistics,
        .facets, .jump, .layout, .segment, .collapsed, .expanded, .embed, .since, .include,
        .onDuplicate, .on, .byteOrderMark, .shape, .pretty,
    ]

    /// The parameters that say where a page starts; they exclude one another.
    static let starts: [ListParameter] = [.after, .before, .page, .offset, .around, .jump]

    /// The deepest row that a page number or an offset may reach: the greatest integer that all
    /// readers of JSON represent.
    static let deepestRow = (1 << 53) - 1
    /// The maximum number of sort columns, because each takes part in every comparison and range.
    static let maximumSortKeys = 8
    static let maximumFacets = 8
    static let suggestion = "?"
}

package enum AddressKind: Int, CaseIterable, Sendable {
    case list, section, sections, children, row, cell, schema, changes
    case writtenRow
    case writtenRows
    case importing
    case directory
    case export
    /// The conditions of a caller, or those on rows of another list.
    case scope
}

package struct ParameterSet: Sequence, ExpressibleByArrayLiteral, Sendable {
    private var bits: UInt64 = 0

    init(_ parameters: some Sequence<ListParameter>) {
        for parameter in parameters { insert(parameter) }
    }

    package init(arrayLiteral parameters: ListParameter...) { self.init(parameters) }

    private static let byAddress = AddressKind.allCases.map { kind in
        ParameterSet(ListParameter.allCases.filter { Parameter.of($0).addresses.contains(kind) })
    }

    static let starts = ParameterSet(ListParameter.starts)

    package static func accepted(at address: AddressKind) -> ParameterSet {
        byAddress[address.rawValue]
    }

    func offered(by list: ListTraits) -> ParameterSet {
        var offered = ParameterSet([])
        for id in self where Parameter.offers[id.rawValue](list) { offered.insert(id) }
        return offered
    }

    package func contains(_ parameter: ListParameter) -> Bool {
        bits & 1 << parameter.rawValue != 0
    }

    package mutating func insert(_ parameter: ListParameter) { bits |= 1 << parameter.rawValue }

    package mutating func remove(_ parameter: ListParameter) { bits &= ~(1 << parameter.rawValue) }

    func union(_ other: ParameterSet) -> ParameterSet {
        var all = self
        all.bits |= other.bits
        return all
    }

    func intersection(_ other: ParameterSet) -> ParameterSet {
        var shared = self
        shared.bits &= other.bits
        return shared
    }

    func subtracting(_ other: ParameterSet) -> ParameterSet {
        var rest = self
        rest.bits &= ~other.bits
        return rest
    }

    package struct Iterator: IteratorProtocol {
        fileprivate var bits: UInt64

        package mutating func next() -> ListParameter? {
            guard bits != 0 else { return nil }
            defer { bits &= bits - 1 }
            return ListParameter(rawValue: bits.trailingZeroBitCount)
        }
    }

    package func makeIterator() -> Iterator { Iterator(bits: bits) }

    var named: [ListParameter] {
        ListParameter.documented.filter { $0 != .conditions && contains($0) }
    }

    var known: [String] {
        let names = named.map(\.name)
        return contains(.conditions) ? names + ["{column}", "{column}__{operator}"] : names
    }
}

struct ListTraits {
    let schema: ListSchema
    var segments: [Segments.Segment] = []
    var abilities: ReaderAbilities = []
    var embeds = false
    var embeddable: [String] = []
    /// A section of the list's own, as an example; nil if it has none.
    var ownSection: SectionID?

    var hasSegments: Bool { !segments.isEmpty }

    var filters: Bool {
        !schema.abilities.isDisjoint(with: [.filtering, .filteringByID])
    }

    var exampleSection: String { ownSection?.rawValue ?? "~" }
}

extension ListTraits {
    init(_ endpoint: ServedList, _ segments: [Segments.Segment], embeds: Bool) {
        self.init(
            schema: endpoint.schema,
            segments: segments,
            abilities: endpoint.reader.abilities,
            embeds: embeds
        )
    }
}

struct Parameter: Sendable {
    let id: ListParameter
    let name: String
    let addresses: [AddressKind]
    /// The abilities one of which a list needs; empty if it needs none.
    private let abilities: ListAbilities
    private var isOfList: @Sendable (ListTraits) -> Bool = { _ in true }
    /// The maximum number of occurrences in an address; nil for a parameter that occurs once.
    private(set) var maximumOccurrences: Int?
    /// Whether an empty value is valid, because the id of a section may be empty.
    private(set) var mayBeEmpty = false
    private var yieldsToColumn = false
    private(set) var read: @Sendable (inout ListParameters) -> Void = { _ in }
    /// Returns the encoded value of a request; nil where the request has the default.
    private(set) var print: @Sendable (ListRequest) -> String? = { _ in nil }
    /// Whether all lists have the same description, except for the example.
    private(set) var isConstant = false
    private var describe: @Sendable (ListTraits) -> Description? = { _ in nil }

    init(
        _ id: ListParameter,
        _ name: String,
        at addresses: [AddressKind],
        needs abilities: ListAbilities = []
    ) {
        (self.id, self.name, self.addresses, self.abilities) = (id, name, addresses, abilities)
    }

    private func with(_ change: (inout Parameter) -> Void) -> Parameter {
        var parameter = self
        change(&parameter)
        return parameter
    }

    func offered(_ isOfList: @escaping @Sendable (ListTraits) -> Bool) -> Parameter {
        with { $0.isOfList = isOfList }
    }

    func repeatable(_ maximum: Int, mayBeEmpty: Bool = false) -> Parameter {
        with { ($0.maximumOccurrences, $0.mayBeEmpty) = (maximum, mayBeEmpty) }
    }

    /// Gives way to a column of the same name, because the parameter came later.
    func yielding() -> Parameter { with { $0.yieldsToColumn = true } }

    func reads(_ read: @escaping @Sendable (inout ListParameters) -> Void) -> Parameter {
        with { $0.read = read }
    }

    func prints(_ print: @escaping @Sendable (ListRequest) -> String?) -> Parameter {
        with { $0.print = print }
    }

    func described(_ describe: @escaping @Sendable (ListTraits) -> Description?) -> Parameter {
        with { $0.describe = describe }
    }

    func described(
        _ summary: Text,
        _ values: Values = .text,
        example: String,
        default value: String? = nil
    ) -> Parameter {
        let description = Description(summary, values, example: example, default: value)
        return described { _ in description }.with { $0.isConstant = true }
    }

    func described(
        _ summary: Text,
        example: @escaping @Sendable (ListTraits) -> String
    ) -> Parameter {
        described { Description(summary, example: example($0)) }.with { $0.isConstant = true }
    }

    func switching(
        _ property: any WritableKeyPath<ListRequest, Bool> & Sendable,
        _ summary: Text
    ) -> Parameter {
        yielding()
            .reads { [id] in $0.request[keyPath: property] = $0.readSwitch(id) }
            .prints { $0[keyPath: property] ? "1" : nil }
            .described(summary, .word(["1"]), example: "1")
    }

    enum Values: Sendable {
        case number(minimum: Int = 1, maximum: Int)
        case text
        case letter
        case word([String])
        case words([String], maximum: Int)
        case order([String], maximum: Int)
    }

    struct Description: Sendable {
        let summary: Text
        /// The part of the summary that a schema of the values says, too; empty without any.
        let choices: String
        let values: Values
        let example: String
        let defaultValue: String?

        init(
            _ summary: Text,
            choices: String = "",
            _ values: Values = .text,
            example: String,
            default value: String? = nil
        ) {
            (self.summary, self.choices, self.values) = (summary, choices, values)
            (self.example, defaultValue) = (example, value)
        }
    }

    /// All parameters, in the order of links.
    static let all = table.sorted { $0.id.rawValue < $1.id.rawValue }

    static func of(_ id: ListParameter) -> Parameter { all[id.rawValue] }

    // Requests need one closure of each parameter, because copying an entry takes longer.
    static let readers = table.map(\.read)
    static let printers = all.map(\.print)
    fileprivate static let offers = all.map { parameter in
        { @Sendable (list: ListTraits) in parameter.isOffered(list) }
    }

    func isOffered(_ list: ListTraits) -> Bool {
        (abilities.isEmpty || !list.schema.abilities.isDisjoint(with: abilities)) && isOfList(list)
    }

    /// Whether a column of a list takes the place of the parameter.
    func isColumn(of schema: ListSchema) -> Bool {
        yieldsToColumn && schema.index(of: name) != nil
    }

    func description(in list: ListTraits) -> Description? {
        isOffered(list) && !isColumn(of: list.schema) ? describe(list) : nil
    }

    static func documented(in list: ListTraits) -> [SchemaDocument.Parameter] {
        let reading = ParameterSet.accepted(at: .list)
        return ListParameter.documented.filter(reading.contains).compactMap { id in
            let parameter = of(id)
            guard let description = parameter.description(in: list) else { return nil }
            var maximum = parameter.maximumOccurrences
            if case .number(_, let largest) = description.values { maximum = largest }
            return SchemaDocument.Parameter(
                parameter.name,
                summary: description.summary,
                example: description.example,
                defaultValue: description.defaultValue,
                maximum: maximum
            )
        }
    }
}
