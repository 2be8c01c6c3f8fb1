import Bytes
package import Listings
import Rendering

enum ListPlace: Hashable, Sendable {
    case list
    case section(SectionID)
    case sections
    case row(String)
    case children(String)
    case cell(String, column: String)
    case schema
    case changes

    var kind: AddressKind {
        switch self {
        case .list: .list
        case .section: .section
        case .sections: .sections
        case .row: .row
        case .children: .children
        case .cell: .cell
        case .schema: .schema
        case .changes: .changes
        }
    }

    var hasOwnOrder: Bool {
        switch self {
        case .sections, .children: true
        case .list, .section, .row, .cell, .schema, .changes: false
        }
    }
}

/// A list as its addresses need it; requests share one object.
final class RequestedList: Sendable, Equatable {
    let name: String
    let schema: ListSchema
    let cursorKeys: CursorKeys

    init(_ name: String, _ schema: ListSchema, _ cursorKeys: CursorKeys) {
        (self.name, self.schema, self.cursorKeys) = (name, schema, cursorKeys)
    }

    convenience init(_ endpoint: ServedList) {
        self.init(endpoint.definition.name, endpoint.schema, endpoint.cursorKeys)
    }

    func deriving(_ column: DerivedColumn) -> RequestedList {
        RequestedList(name, schema.deriving(schema.derived + [column]), cursorKeys)
    }

    static func == (left: RequestedList, right: RequestedList) -> Bool {
        left.name == right.name && left.schema.columns == right.schema.columns
    }
}

/// Parsing an address and writing the request are inverse.
package struct ListRequest: Sendable, Equatable {
    var list: RequestedList
    var place = ListPlace.list
    var representation = Representation(forced: .json, suffix: nil)
    /// The query without the scope of the caller.
    package var query: ListQuery
    var layout = PageLayout.table
    /// The shape of JSON; nil for that of pages.
    var shape: JSONShape?
    var isPretty = false
    package var hasByteOrderMark = false
    /// Whether the address names even the default limit, because tables without a limit are sent
    /// whole.
    var namesLimit = false
    /// The number of rows before the cursor, as the link to the page knew it.
    var rowsBefore: Int?
    var around: String?
    /// The facet of a link, besides those of the query.
    var furtherFacet: String?

    init(_ list: RequestedList) {
        self.list = list
        query = ListQuery(
            grouping: list.schema.defaultGrouping,
            sort: list.schema.defaultSort,
            shape: .flow(limit: list.schema.defaultLimit)
        )
    }

    /// Nil if the parameters have errors; an address that has no page has no reader.
    init?(
        parsing parameters: inout ListParameters,
        at target: ListResource,
        as representation: Representation,
        embedding reader: EmbeddingReader? = nil
    ) {
        parameters.readRequest()
        parameters.checkDerivedColumns(of: target.endpoint)
        if let reader { parameters.readForms(of: representation.format, embedding: reader) }
        guard parameters.errors.isEmpty else { return nil }
        self = parameters.request
        self.representation = representation
        if reader == nil {
            (hasByteOrderMark, shape, isPretty) = (false, nil, false)
            (rowsBefore, around) = (nil, nil)
        }
        namesLimit =
            representation.format.isTable && (parameters.has(.limit) || !query.leadsToTheEnd)
        query.lookups = target.relatedLists.map(\.lookup)
        query.isReadOnly = !target.mayWrite
        guard reader != nil else { return }
        // Exports have the values only.
        if format.isTable { query.lookups = [] }
        // Rows alone have no place for values of sections.
        if format.isTable || shape != nil { (query.aggregates, query.statistics) = ([], nil) }
    }

    var schema: ListSchema { list.schema }
    var format: PageFormat { representation.format }

    var isExport: Bool { format.isTable && !namesLimit }

    /// The number of the page, if that says where it starts.
    var page: Int? {
        guard case .offset(let offset) = query.start else { return nil }
        let limit = max(1, query.shape.limit)
        return offset.isMultiple(of: limit) ? offset / limit + 1 : nil
    }

    func text(of cursor: Cursor) -> String {
        var buffer = ByteBuffer(minimumCapacity: 128)
        cursor.write(signedBy: list.cursorKeys, to: &buffer)
        return buffer.text() + (rowsBefore.map { "~\($0)" } ?? "")
    }

    func with(_ change: (inout ListRequest) -> Void) -> ListRequest {
        var request = self
        change(&request)
        return request
    }

    /// Appends the canonical address: the differences from the list's defaults, in a fixed order.
    func write(under addresses: Address = Address(), to buffer: inout ByteBuffer) {
        writePath(place, suffix: representation.suffix, under: addresses, to: &buffer)
        var separator = ParameterSeparator()
        for id in ParameterSet.accepted(at: place.kind) {
            guard let value = Parameter.of(id).print(self) else { continue }
            separator.begin(id, in: &buffer)
            buffer.append(value)
        }
    }
}

struct ParameterSeparator {
    private var isFirst = true

    mutating func begin(_ parameter: ListParameter, in buffer: inout ByteBuffer) {
        buffer.append(isFirst ? UInt8(ascii: "?") : UInt8(ascii: "&"))
        isFirst = false
        // Conditions have names of their own.
        guard parameter != .conditions else { return }
        buffer.append(parameter.name)
        buffer.append(UInt8(ascii: "="))
    }
}

extension ListRequest {
    /// Only the last segment of a path can look like one with a suffix.
    func writeList(under addresses: Address, to buffer: inout ByteBuffer) {
        buffer.append(addresses.base)
        buffer.append(UInt8(ascii: "/"))
        PercentEncoding.encode(list.name, for: .pathSegment, into: &buffer)
    }

    func writePath(
        _ place: ListPlace,
        suffix: PageFormat?,
        under addresses: Address,
        to buffer: inout ByteBuffer
    ) {
        guard place != .list else {
            buffer.append(addresses.base)
            buffer.append(UInt8(ascii: "/"))
            return writeName(list.name, suffix: suffix, to: &buffer)
        }
        writeList(under: addresses, to: &buffer)
        switch place {
        case .list: break
        case .row(let id):
            buffer.append(UInt8(ascii: "/"))
            writeName(id, suffix: suffix, to: &buffer)
        case .section(let id):
            buffer.append("/-/sections/" as StaticString)
            writeName(id.rawValue, suffix: suffix, to: &buffer)
        case .children(let id):
            writeInner(id, to: &buffer)
            writeName(ActionResource.children, suffix: suffix, to: &buffer)
        case .cell(let id, let column):
            writeInner(id, to: &buffer)
            buffer.append("cells/" as StaticString)
            PercentEncoding.encode(column, for: .pathSegment, into: &buffer)
        case .sections: writeView("sections", suffix: suffix, to: &buffer)
        case .schema: writeView("schema", suffix: suffix, to: &buffer)
        case .changes: writeView("changes", suffix: suffix, to: &buffer)
        }
    }

    private func writeView(_ name: String, suffix: PageFormat?, to buffer: inout ByteBuffer) {
        buffer.append("/-/" as StaticString)
        writeName(name, suffix: suffix, to: &buffer)
    }

    func writeInner(_ id: String, to buffer: inout ByteBuffer) {
        buffer.append(UInt8(ascii: "/"))
        PercentEncoding.encode(id, for: .pathSegment, into: &buffer)
        if FormatSuffix.needsSuffix(id) {
            buffer.append(UInt8(ascii: "."))
            buffer.append(format.rawValue)
        }
        buffer.append("/-/" as StaticString)
    }

    /// A name that looks like one with a suffix, or like a dot segment, gets the page's format.
    func writeName(_ name: String, suffix: PageFormat?, to buffer: inout ByteBuffer) {
        PercentEncoding.encode(name, for: .pathSegment, into: &buffer)
        let isMistakable =
            name.isEmpty
            || name.utf8.span.hasDot
                && (name == "." || name == ".." || FormatSuffix(name).format != nil)
        guard let suffix = suffix ?? (isMistakable ? format : nil) else { return }
        buffer.append(UInt8(ascii: "."))
        buffer.append(suffix.rawValue)
    }
}

extension Span where Element == UInt8 {
    var hasDot: Bool {
        for index in indices where self[index] == UInt8(ascii: ".") { return true }
        return false
    }
}

extension ListQuery {
    /// A page before a cursor, or one with a number, is a single page.
    fileprivate var leadsToTheEnd: Bool {
        guard case .flow = shape else { return false }
        return switch start {
        case .beginning, .after, .letter: true
        case .before, .end, .offset: false
        }
    }
}
