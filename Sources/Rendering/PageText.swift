import Bytes
import Listings

/// Every text that people read on a page and that does not come from the list, in English.
enum PageText {
    static let language = "en"
    static let direction = "ltr"

    // MARK: Navigation

    static let skipToList = "Skip to the list"
    static let skipToContent = "Skip to the content"
    static let breadcrumb = "Breadcrumb"
    static let lists = "Lists"
    static let view = "View"
    static let jump = "Jump to"
    static let pages = "Pages"
    static let previous = "Previous"
    static let next = "Next"
    static let groupBy = "Group"
    static let sortBy = "Sort"
    static let rowsPerPage = "Rows"
    static let ungrouped = "None"
    static let sections = "All sections"
    static let columns = "Columns"
    static let parameters = "Parameters"
    static let continued = "continued"

    static func more(_ section: String) -> String { "More in \(section)" }
    static func inOtherFormats(_ title: String) -> String { "\(title) as" }
    static let schema = "Columns and parameters"
    static let id = "Id"

    static func name(of format: PageFormat) -> String {
        switch format {
        case .html: "HTML"
        case .json: "JSON"
        case .csv: "CSV"
        case .ndjson: "NDJSON"
        }
    }

    // MARK: Values

    static let null = "none"
    static let yes = "yes"
    static let no = "no"

    private static let months: [StaticString] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Appends `13 Nov 2021`.
    static func write(_ date: CalendarDate, to buffer: inout ByteBuffer) {
        buffer.append(decimal: date.day)
        buffer.append(UInt8(ascii: " "))
        buffer.append(months[date.month - 1])
        buffer.append(UInt8(ascii: " "))
        buffer.append(decimal: date.year)
    }

    static func word(_ value: Bool) -> String { value ? yes : no }

    /// `33,406`, and `10,000+` where there may be more.
    static func count(_ count: Count) -> String {
        number(count.value) + (count.relation == .atLeast ? "+" : "")
    }

    /// `33,406`.
    static func number(_ value: Int) -> String {
        var digits = Array(String(value.magnitude))
        var place = digits.count - 3
        while place > 0 {
            digits.insert(",", at: place)
            place -= 3
        }
        return (value < 0 ? "-" : "") + String(digits)
    }

    /// `33,406 rows`.
    static func rows(_ count: Count) -> String {
        "\(self.count(count)) \(count.value == 1 ? "row" : "rows")"
    }

    /// `1–50`: which rows of the list a page shows, where that is known.
    static func range(first: Int, last: Int) -> String {
        "\(number(first))–\(number(last))"
    }

    // MARK: What a page shows

    /// `Users by occupation, sorted by last name and first name, ascending`.
    static func caption(_ title: String, _ query: ListQuery, _ schema: ListSchema) -> String {
        var text = title
        if let grouping = query.grouping {
            text += " by \(schema.columns[grouping.column].label.lowercased())"
        }
        guard let first = query.sort.first else { return text }
        let labels = query.sort.map { label(of: $0.field, schema).lowercased() }
        let direction = first.direction == .ascending ? "ascending" : "descending"
        return "\(text), sorted by \(labels.joined(separator: " and ")), \(direction)"
    }

    /// `Last name`, and `Last name, A–Z` for initials.
    static func label(of grouping: Grouping, _ schema: ListSchema) -> String {
        let label = schema.columns[grouping.column].label
        return grouping.part == .initial ? "\(label), A–Z" : label
    }

    static func label(of field: SortKey.Field, _ schema: ListSchema) -> String {
        switch field {
        case .id: id
        case .column(let column): schema.columns[column].label
        }
    }

    // MARK: What is missing

    static let stale =
        "These rows may be out of date: the service they come from cannot be reached now."

    static func title(of reason: EmptyReason) -> String {
        switch reason {
        case .noData: "No rows yet"
        case .noMatch: "No rows here"
        case .loading: "Loading"
        case .failed: "The rows could not be fetched"
        }
    }

    static func message(of reason: EmptyReason) -> String {
        switch reason {
        case .noData: "The list is empty. Rows come from a file, for example:"
        case .noMatch: "Nothing stands where this address points. The list itself may have rows."
        case .loading: "The rows are being fetched for the first time. Load the page again soon."
        case .failed: "They will be fetched again. Load the page again later."
        }
    }

    static let refresh = "Refresh"
    static let reload = "Load again"

    static let dropConditions = "Show all rows"

    // MARK: Conditions

    static let search = "Search"
    static let filter = "Filter"
    static let filters = "Filters"
    static let apply = "Apply"
    static let any = "any"
    static let drop = "Remove"
    static let countAll = "count all"

    static func search(_ title: String) -> String { "Search \(title.lowercased())" }
    static func search(for text: String) -> String { "Search: \(text)" }

    /// The words before the operand of a condition.
    static func relation(_ operation: Filter.Operator) -> String {
        switch operation {
        case .equal: "is"
        case .notEqual: "is not"
        case .less: "below"
        case .atMost: "at most"
        case .greater: "above"
        case .atLeast: "at least"
        case .among: "is one of"
        case .notAmong: "is none of"
        case .contains: "contains"
        case .startsWith: "begins with"
        case .endsWith: "ends with"
        case .isNull: ""
        }
    }

    /// `City is Oslo`, `No city`.
    static func label(of filter: Filter, _ schema: ListSchema) -> String {
        let column = schema.columns[filter.column]
        guard filter.operation != .isNull else {
            let label = label(of: .null, column)
            return filter.operands == [.boolean(true)] ? label : "Not: \(label)"
        }
        let operands = filter.operands.map { label(of: $0, column) }.joined(separator: ", ")
        return "\(column.label) \(relation(filter.operation)) \(operands)"
    }

    /// A value as people read it, `No city` for null.
    static func label(of value: CellValue, _ column: Column) -> String {
        switch value {
        case .null: ListSchema.header(value, column) ?? null
        case .boolean(let value): word(value)
        case .date(let date):
            Self.text { write(date, to: &$0) }
        case .text, .integer, .real: value.plainText
        }
    }

    private static func text(_ write: (inout ByteBuffer) -> Void) -> String {
        var buffer = ByteBuffer(minimumCapacity: 16)
        write(&buffer)
        return buffer.text()
    }

    // MARK: Rows

    static let actions = "Actions"
    static let segments = "Lists under this address"
    static func level(_ level: Int) -> String { "level \(level)" }
    static func allBelow(_ count: Int) -> String { "all \(number(count))" }
    static let below = "Below"
    static func below(_ id: String) -> String { "Below \(id)" }
    static let cannotBeTakenBack = "This cannot be taken back."
    static let collapsed = "hidden"
    static let layout = "Layout"
    static let hideRows = "Hide the rows of this section"
    static let showRows = "Show the rows of this section"
    static let select = "Select"
    static func select(_ name: String) -> String { "Select \(name)" }
    static let withSelected = "With selected rows:"
    static func askForMany(_ action: String) -> String { "\(action): all selected rows?" }
    static let expand = "Show what is below"
    static let collapse = "Hide what is below"

    static func name(of layout: PageLayout) -> String {
        switch layout {
        case .table: "Table"
        case .grid: "Grid"
        }
    }

    static func example(_ list: String) -> String { "roster \(list)=people.csv" }
    static let backToTheStart = "Back to the start"
    static let noLists = "No list yet"
    static let listsComeFromFiles = "Lists come from files, for example:"

    static func failure(_ code: RowFailure.Code) -> String {
        switch code {
        case .cellCount: "The row has another number of cells than the list has columns."
        case .prefetchFailed: "What the row needs could not be fetched."
        case .childrenFailed: "The rows below the row could not be fetched."
        case .rowFailed, .eventFailed, .sectionFailed, .reservedAction, .unsafeLink:
            "The row could not be shown."
        }
    }

    // MARK: Problems

    static let didYouMean = "Did you mean"
    static let request = "Request"
    static func status(_ status: Int) -> String { "Status \(status)" }

    // MARK: Columns and parameters

    static func schemaTitle(_ title: String) -> String { "\(title): columns and parameters" }
    static let name = "Name"
    static let label = "Label"
    static let type = "Type"
    static let sortable = "Sortable"
    static let groupable = "Groupable"
    static let meaning = "Meaning"
    static let example = "Example"
    static let defaultValue = "Default"
    static let maximum = "Maximum"
}
