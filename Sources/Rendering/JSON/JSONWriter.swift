package import Bytes
import JSON
import ListDiff
package import Listings

/// A member name that is escaped once and written many times.
package struct JSONKey: Sendable {
    let bytes: [UInt8]

    package init(_ name: String) {
        var buffer = ByteBuffer()
        JSONWriter.write(to: &buffer) { $0.string(name) }
        buffer.append(UInt8(ascii: ":"))
        bytes = buffer.array()
    }
}

/// A writer of JSON (RFC 8259) that escapes all texts.
///
/// The writer adds commas. Closures ensure that brackets are closed.
package struct JSONWriter: ~Copyable {
    var buffer = ByteBuffer(minimumCapacity: 0)
    private var scratch = ByteBuffer(minimumCapacity: 0)
    var needsComma = false

    package static func write(
        to buffer: inout ByteBuffer,
        _ body: (inout JSONWriter) -> Void
    ) {
        var writer = JSONWriter()
        swap(&buffer, &writer.buffer)
        body(&writer)
        swap(&buffer, &writer.buffer)
    }

    mutating func separate() {
        if needsComma { buffer.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    // MARK: Structure

    package mutating func object(_ members: (inout JSONWriter) -> Void) {
        separate()
        buffer.append(UInt8(ascii: "{"))
        needsComma = false
        members(&self)
        buffer.append(UInt8(ascii: "}"))
        needsComma = true
    }

    package mutating func array(_ elements: (inout JSONWriter) -> Void) {
        separate()
        buffer.append(UInt8(ascii: "["))
        needsComma = false
        elements(&self)
        buffer.append(UInt8(ascii: "]"))
        needsComma = true
    }

    @inline(__always)
    package mutating func key(_ name: StaticString) {
        let follows = needsComma
        buffer.append(atMost: name.utf8CodeUnitCount + 4) { room in
            room.append(follows ? ",\"" : "\"" as StaticString)
            room.append(name)
            room.append("\":" as StaticString)
        }
        needsComma = false
    }

    /// Appends a literal between two values of an object: the end of the first, a comma, and the
    /// quoted name of the second with its colon.
    ///
    /// It is faster than ``key(_:)``, for members that are on every page.
    mutating func lead(_ text: StaticString) {
        buffer.append(text)
        needsComma = false
    }

    package mutating func key(_ name: JSONKey) {
        separate()
        buffer.append(name.bytes)
        needsComma = false
    }

    /// Appends the name of the next value's member from a range of a text.
    ///
    /// The range must have quotes, escapes and the colon.
    mutating func key(_ range: Range<Int>, of text: borrowing ByteBuffer) {
        separate()
        buffer.append(range, of: text)
        needsComma = false
    }

    package mutating func endLine() {
        buffer.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    // MARK: Values

    package mutating func drawn(_ value: [UInt8]) {
        separate()
        buffer.append(value)
    }

    package mutating func value(_ write: (inout ByteBuffer) -> Void) {
        separate()
        write(&buffer)
    }

    mutating func fragment(
        _ fragment: FragmentCache.Fragment,
        in context: RenderContext,
        _ render: (inout JSONWriter) -> Void
    ) {
        guard let fragments = context.fragments else { return render(&self) }
        if fragments.write(fragment, to: &buffer) {
            needsComma = true
            return
        }
        let start = buffer.count
        render(&self)
        fragments.keep(fragment, start..<buffer.count, of: buffer)
    }

    package mutating func null() {
        separate()
        JSONValueEncoder.writeNull(to: &buffer)
    }

    package mutating func boolean(_ value: Bool) {
        separate()
        JSONValueEncoder.write(value, to: &buffer)
    }

    /// Appends an integer.
    ///
    /// Beyond ±2⁵³ it is a text, because readers with only binary64 would change it (RFC 8259 §6).
    package mutating func integer(_ value: Int64) {
        separate()
        JSONValueEncoder.write(value, to: &buffer)
    }

    /// Appends a number with the fewest digits that parse to the same number.
    ///
    /// - Parameter value: The number, which must be finite.
    package mutating func real(_ value: Double) {
        separate()
        JSONValueEncoder.write(value, to: &buffer)
    }

    package mutating func string(_ text: String) {
        string(text.utf8.span)
    }

    package mutating func string(_ utf8: borrowing Span<UInt8>) {
        separate()
        JSONValueEncoder.write(utf8, to: &buffer)
    }

    mutating func plainString(_ text: borrowing ByteBuffer) {
        separate()
        buffer.append(UInt8(ascii: "\""))
        buffer.append(text)
        buffer.append(UInt8(ascii: "\""))
    }

    /// Appends a text that a closure writes, with escaping.
    ///
    /// - Parameter text: Appends to the buffer. It must not change the existing bytes.
    package mutating func string(writing text: (inout ByteBuffer) -> Void) {
        separate()
        buffer.append(UInt8(ascii: "\""))
        let start = buffer.count
        text(&buffer)
        precondition(buffer.count >= start, "bytes before a text were removed")
        // Most texts need no escape.
        if !buffer.withBytes({ JSONEscape.isPlain($0.extracting(start...)) }) {
            scratch.removeAll()
            scratch.append(start..<buffer.count, of: buffer)
            buffer.truncate(to: start)
            scratch.withBytes { JSONEscape.write($0, to: &buffer) }
        }
        buffer.append(UInt8(ascii: "\""))
    }

    /// Appends a day as a text (ISO 8601).
    package mutating func date(_ date: CalendarDate) {
        separate()
        JSONValueEncoder.write(date, to: &buffer)
    }
}

extension JSONWriter {
    package mutating func member(_ name: StaticString, _ text: String?) {
        key(name)
        if let text { string(text) } else { null() }
    }

    package mutating func member(_ name: StaticString, _ number: Int) {
        key(name)
        integer(Int64(number))
    }

    package mutating func member(_ name: StaticString, _ value: Bool) {
        key(name)
        boolean(value)
    }

    package mutating func object(
        _ name: StaticString,
        _ members: (inout JSONWriter) -> Void
    ) {
        key(name)
        object(members)
    }

    package mutating func array(
        _ name: StaticString,
        _ elements: (inout JSONWriter) -> Void
    ) {
        key(name)
        array(elements)
    }

    package mutating func string(
        _ name: StaticString,
        writing text: (inout ByteBuffer) -> Void
    ) {
        key(name)
        string(writing: text)
    }
}

extension JSONWriter {
    mutating func count(_ count: Count?) {
        guard let count else { return null() }
        separate()
        lead("{\"value\":")
        integer(Int64(count.value))
        lead(",\"relation\":")
        string(count.relation.rawValue)
        buffer.append(UInt8(ascii: "}"))
    }

    mutating func column(_ column: Column, operators: [Filter.Operator] = []) {
        object { writer in
            writer.member("id", column.id)
            writer.member("label", column.label)
            if let text = column.notes.description { writer.member("description", text) }
            writer.member("type", column.type.rawValue)
            if let format = column.format { writer.member("format", format.text) }
            if let width = column.notes.width { writer.member("width", width.rawValue) }
            writer.member("priority", column.priority)
            writer.member("sortable", column.isSortable)
            if column.isGroupable { writer.member("groupable", true) }
            if column.isFacet { writer.member("facet", true) }
            if column.type.isNumber { writer.member("align", "end") }
            if column.isMixed { writer.member("mixed", true) }
            guard !operators.isEmpty else { return }
            writer.array("operators") { writer in
                for operation in operators { writer.string(operation.rawValue) }
            }
        }
    }

    mutating func columns(of page: borrowing Page) {
        array("columns") { writer in
            for index in page.shownColumns { writer.column(page.schema.columns[index]) }
        }
    }

    mutating func order(of page: borrowing Page) {
        let (schema, query) = (page.schema, page.query)
        array("sort") { writer in
            guard !schema.usesOwnOrder(query) else { return }
            // Sorting by the id column makes any further order redundant.
            let isIDNamed = query.sort.contains { key in
                schema.idColumn.map { key.field == .column($0) } ?? false
            }
            for key in query.order where !isIDNamed || key.field != .id {
                writer.string(key.text(schema))
            }
        }
        switch query.shape {
        case .flow: member("mode", "flow")
        case .peek: member("mode", "peek")
        }
    }

    private static let alternates = PageFormat.allCases.filter { $0 != .json }
        .map { (format: $0, key: JSONKey($0.rawValue)) }

    mutating func furtherLinks(of page: borrowing Page, in context: RenderContext) {
        for alternate in Self.alternates {
            key(alternate.key)
            string { context.links.write(.alternate(alternate.format), to: &$0) }
        }
        if let parent = context.parent {
            string("parent") { context.links.writeRow(parent.utf8.span, to: &$0) }
        }
        if context.isRefreshable { link("refresh", .refresh, context) }
        if page.query.grouping != nil { link("sections", .sections, context) }
        link("schema", .schema, context)
    }

    /// Appends the members that describe a section, as the first ones of an object.
    mutating func section(_ position: Int, of page: borrowing Page, index: Int? = nil) {
        // The section is accessed in place, because a copy would retain each of its texts.
        lead("\"id\":")
        string(page.sections[position].info.id.rawValue)
        if let index {
            lead(",\"index\":")
            integer(Int64(index))
        }
        lead(",\"header\":")
        object(of: page.sections[position].info.header, "{\"title\":")
        lead(",\"footer\":")
        object(of: page.sections[position].info.footer, "{\"text\":")
        if let title = page.sections[position].info.indexTitle { member("indexTitle", title) }
        if page.sections[position].info.isCollapsed { member("collapsed", true) }
    }

    private mutating func object(of text: String?, _ start: StaticString) {
        guard let text else { return null() }
        lead(start)
        string(text)
        buffer.append(UInt8(ascii: "}"))
    }

    mutating func link(_ name: StaticString, _ link: PageLink?, _ context: RenderContext) {
        guard let link else { return member(name, nil) }
        string(name) { context.links.write(link, to: &$0) }
    }

    mutating func cursor(_ name: StaticString, _ cursor: Cursor?, _ context: RenderContext) {
        guard let cursor else { return member(name, nil) }
        string(name) { context.links.writeCursor(cursor, to: &$0) }
    }

    mutating func value(_ value: CellValue) {
        switch value {
        case .null: null()
        case .text(let text): string(text)
        case .integer(let integer): self.integer(integer)
        case .real(let real): self.real(real)
        case .boolean(let boolean): self.boolean(boolean)
        case .date(let date): self.date(date)
        case .timestamp(let timestamp): string(timestamp.text)
        case .decimal(let decimal):
            separate()
            JSONValueEncoder.writeDecimal(decimal.text.utf8.span, to: &buffer)
        case .json(let text):
            separate()
            buffer.append(text)
        case .bytes(let bytes):
            separate()
            JSONValueEncoder.writeBytes(bytes.count, to: &buffer)
        }
    }
}

extension SortKey {
    func text(_ schema: ListSchema) -> String {
        let name =
            switch field {
            case .id: ListSchema.idName
            case .column(let column): schema.columns[column].id
            }
        let sign = direction == .descending ? "-" : ""
        return sign + name + (nulls == .first ? ":nullsfirst" : "")
    }
}

extension JSONWriter {
    mutating func stage(_ stage: ChangeStage) {
        object { writer in
            writer.sections(stage)
            writer.rows(stage)
            writer.array("counts") { writer in
                for count in stage.counts { writer.integer(Int64(count)) }
            }
        }
    }

    private mutating func sections(_ stage: ChangeStage) {
        columns("deleteSections", stage.deletedSections) { writer, sections in
            writer.locations("at", sections.map(\.at))
            writer.ids(sections.map(\.id.rawValue))
        }
        columns("insertSections", stage.insertedSections) { writer, sections in
            writer.locations("at", sections.map(\.at))
            writer.ids(sections.map(\.id.rawValue))
            writer.array("rows") { writer in
                for section in sections {
                    writer.array { writer in for id in section.rows { writer.string(id) } }
                }
            }
        }
        columns("moveSections", stage.movedSections) { writer, sections in
            writer.locations("from", sections.map(\.from))
            writer.locations("to", sections.map(\.to))
            writer.ids(sections.map(\.id.rawValue))
        }
    }

    private mutating func rows(_ stage: ChangeStage) {
        columns("delete", stage.deletedRows) { writer, rows in
            writer.locations("at", rows.map(\.at))
            writer.ids(rows.map(\.id))
        }
        columns("insert", stage.insertedRows) { writer, rows in
            writer.locations("at", rows.map(\.at))
            writer.ids(rows.map(\.id))
        }
        columns("move", stage.movedRows) { writer, rows in
            writer.locations("from", rows.map(\.from))
            writer.locations("to", rows.map(\.to))
            writer.ids(rows.map(\.id))
        }
        columns("reload", stage.reloadedRows) { writer, rows in
            writer.locations("at", rows.map(\.at))
            writer.ids(rows.map(\.id))
        }
        columns("headers", stage.changedHeaders) { writer, sections in
            writer.locations("at", sections.map(\.at))
            writer.ids(sections.map(\.id.rawValue))
        }
    }

    private mutating func columns<Change>(
        _ name: StaticString,
        _ changes: [Change],
        _ parts: (inout JSONWriter, [Change]) -> Void
    ) {
        guard !changes.isEmpty else { return }
        object(name) { parts(&$0, changes) }
    }

    private mutating func locations(_ name: StaticString, _ locations: [Int]) {
        array(name) { writer in for location in locations { writer.integer(Int64(location)) } }
    }

    private mutating func locations(_ name: StaticString, _ locations: [IndexPath]) {
        array(name) { writer in
            for location in locations {
                writer.array { writer in
                    writer.integer(Int64(location.section))
                    writer.integer(Int64(location.row))
                }
            }
        }
    }

    private mutating func ids(_ ids: [String]) {
        array("id") { writer in for id in ids { writer.string(id) } }
    }
}

extension JSONWriter {
    mutating func extras(
        ofRow row: Int,
        of page: borrowing Page,
        in context: RenderContext
    ) {
        let outline = page.outline(ofRow: row)
        if let outline { member("level", outline.level) }
        if let isExpanded = outline?.isExpanded { member("expanded", isExpanded) }
        if let below = page.below(row: row) {
            object("children") { writer in
                writer.member("count", below.count)
                writer.member("shown", below.shown)
            }
        }
        if let span = page.span(ofRow: row) { member("span", span) }
        let actions = page.actions(ofRow: row)
        if !actions.isEmpty {
            array("actions") { writer in
                for action in actions { writer.action(action, ofRow: row, of: page, in: context) }
            }
        }
        let link = page.link(ofRow: row)
        object("links") { writer in
            if link == .closed {
                writer.member("self", nil)
            } else {
                writer.string("self") { address in
                    page.withID(ofRow: row) { id in context.links.writeRow(id, to: &address) }
                }
            }
            switch link {
            case .own, .closed: break
            case .address(let address):
                writer.string("open") { context.links.writeAddress(address, to: &$0) }
            case .absent: writer.member("open", nil)
            }
            if page.canExpand(row: row) {
                writer.string("children") { address in
                    page.withID(ofRow: row) { context.links.writeChildren(ofRow: $0, to: &address) }
                }
            }
            if let toggle = outline?.toggle {
                writer.string("toggle") { context.links.writeAddress(toggle, to: &$0) }
            }
        }
    }

    private mutating func action(
        _ action: RowAction,
        ofRow row: Int,
        of page: borrowing Page,
        in context: RenderContext
    ) {
        object { writer in
            writer.member("name", action.name)
            writer.member("title", action.title)
            writer.member("method", action.method.rawValue)
            writer.string("href") { address in
                page.withID(ofRow: row) { id in
                    context.links.writeAction(action.name, ofRow: id, to: &address)
                }
            }
            writer.member("destructive", action.isDestructive)
            writer.member("confirm", action.confirm)
            guard let rules = action.input else { return }
            writer.array("input") { writer in
                for position in rules.valueColumns {
                    writer.object { writer in
                        let column = rules.columns[position]
                        writer.member("name", column.id)
                        writer.member("label", column.label)
                        writer.member("type", column.type.rawValue)
                        writer.key(JSONKey("required"))
                        writer.boolean(rules.required.contains(position))
                    }
                }
            }
        }
    }
}

extension JSONWriter {
    mutating func head(ofSection index: Int, of page: borrowing Page) {
        section(index, of: page, index: index)
        lead(",\"count\":")
        count(page.sections[index].count)
        lead(",\"continued\":")
        boolean(page.sections[index].isContinued)
        lead(",\"more\":")
        boolean(page.sections[index].hasMore)
        aggregates(page.sections[index].aggregates, of: page)
    }

    mutating func aggregates(_ values: [CellValue?], of page: borrowing Page) {
        let query = page.query
        guard !query.aggregates.isEmpty else { return }
        key("aggregates")
        object { writer in
            for function in Aggregate.Function.allCases {
                let locations = query.aggregates.indices.filter {
                    query.aggregates[$0].function == function
                }
                guard !locations.isEmpty else { continue }
                writer.key(JSONKey(function.rawValue))
                writer.object { writer in
                    for location in locations {
                        let column = query.aggregates[location].column
                        writer.key(JSONKey(page.schema.columns[column].id))
                        writer.value(
                            values.indices.contains(location) ? values[location] ?? .null : .null
                        )
                    }
                }
            }
        }
    }

    mutating func links(
        ofSection index: Int,
        of page: borrowing Page,
        in context: RenderContext
    ) {
        let id = page.sections[index].info.id
        lead(",\"links\":{\"self\":")
        string { context.links.write(.section(id), to: &$0) }
        lead(",\"next\":")
        if let next = page.sections[index].next {
            string { context.links.write(.sectionAfter(id, next), to: &$0) }
        } else {
            null()
        }
        buffer.append(UInt8(ascii: "}"))
    }

    mutating func changes(since page: borrowing Page, in context: RenderContext) {
        beginChanges(in: context)
        endChanges(since: page)
    }

    mutating func beginChanges(in context: RenderContext) {
        string("changes") { address in
            let start = address.count
            context.links.write(.changes, to: &address)
            let hasQuery = address.withBytes { bytes in
                (start..<bytes.count).contains { bytes[$0] == UInt8(ascii: "?") }
            }
            address.append(hasQuery ? "&since=" as StaticString : "?since=")
        }
        buffer.truncate(to: buffer.count - 1)
    }

    mutating func endChanges(since page: borrowing Page) {
        // Base64url needs no escape.
        buffer.append(page.windowName)
        buffer.append(UInt8(ascii: "\""))
    }
}

/// The JSON spelling of values (RFC 8259), for any byte sink.
enum JSONValueEncoder {
    /// The maximum number of bytes of a value other than text.
    ///
    /// A binary64 number has at most 24.
    static let longest = 32

    static func writeNull(to sink: inout some ByteSink & ~Copyable) {
        sink.append("null" as StaticString)
    }

    static func write(_ value: Bool, to sink: inout some ByteSink & ~Copyable) {
        sink.append(value ? "true" : "false" as StaticString)
    }

    static func write(_ value: Int64, to sink: inout some ByteSink & ~Copyable) {
        guard value.magnitude > 1 << 53 else { return sink.append(decimal: value) }
        sink.append(UInt8(ascii: "\""))
        sink.append(decimal: value)
        sink.append(UInt8(ascii: "\""))
    }

    static func write(_ value: Double, to sink: inout some ByteSink & ~Copyable) {
        guard value.isFinite else { return write(CellValue.text(of: value).utf8.span, to: &sink) }
        sink.append(value.description.utf8.span)
    }

    /// Appends an exact number, as a text if a double cannot represent it.
    ///
    /// A number keeps its spelling if that is JSON and a double is equal. Integers beyond ±2⁵³ are
    /// texts.
    static func writeDecimal(
        _ utf8: borrowing Span<UInt8>,
        to sink: inout some ByteSink & ~Copyable
    ) {
        guard JSONNumber.isNumber(utf8) else { return write(utf8, to: &sink) }
        // A double holds every number of fifteen digits.
        let isShort = utf8.count <= 15 && ExactDecimal.isPlain(utf8)
        if isShort || ExactDecimal(json: utf8.text)?.isReadAsDouble == true {
            sink.append(utf8)
        } else {
            write(utf8, to: &sink)
        }
    }

    static func writeBytes(_ count: Int, to sink: inout some ByteSink & ~Copyable) {
        sink.append("{\"bytes\":" as StaticString)
        sink.append(decimal: Int64(count))
        sink.append(UInt8(ascii: "}"))
    }

    static func write(_ date: CalendarDate, to sink: inout some ByteSink & ~Copyable) {
        sink.append(UInt8(ascii: "\""))
        date.write(into: &sink)
        sink.append(UInt8(ascii: "\""))
    }

    static func write(
        _ utf8: borrowing Span<UInt8>,
        to sink: inout some ByteSink & ~Copyable
    ) {
        sink.append(UInt8(ascii: "\""))
        JSONEscape.write(utf8, to: &sink)
        sink.append(UInt8(ascii: "\""))
    }

    static func writePlain(
        _ index: Int,
        of cells: borrowing CellBuffer,
        to sink: inout some ByteSink & ~Copyable
    ) {
        switch cells[index] {
        case .null: writeNull(to: &sink)
        case .text: preconditionFailure("cell \(index) is a text")
        case .integer(let integer): write(integer, to: &sink)
        case .real(let real): write(real, to: &sink)
        case .boolean(let boolean): write(boolean, to: &sink)
        case .date(let date): write(date, to: &sink)
        case .decimal: cells.withText(index) { writeDecimal($0, to: &sink) }
        case .timestamp: cells.withText(index) { write($0, to: &sink) }
        case .json: cells.withText(index) { sink.append($0) }
        case .bytes(let count): writeBytes(count, to: &sink)
        }
    }

    static func write(
        _ index: Int,
        of cells: borrowing CellBuffer,
        to sink: inout some ByteSink & ~Copyable
    ) {
        if cells.isText(index) {
            cells.withText(index) { write($0, to: &sink) }
        } else {
            writePlain(index, of: cells, to: &sink)
        }
    }
}
