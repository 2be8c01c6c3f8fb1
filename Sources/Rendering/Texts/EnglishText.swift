import Bytes
import Listings

struct EnglishText: PageText {
    let language = "en"
    let direction = "ltr"

    // MARK: Navigation

    let skipToList = "Skip to the list"
    let skipToContent = "Skip to the content"
    let breadcrumb = "Breadcrumb"
    let lists = "Lists"
    let documentation = "Documentation"
    let view = "View"
    let jump = "Jump to"
    let pages = "Pages"
    let previous = "Previous"
    let next = "Next"
    let groupBy = "Group"
    let sortBy = "Sort"
    let rowsPerPage = "Rows"
    let ownSections = "Sections"
    let ungrouped = "None"
    let sections = "All sections"
    let columns = "Columns"
    let parameters = "Parameters"
    let continued = "continued"
    let schema = "Columns and parameters"
    let id = "ID"

    func more(_ section: String) -> String { "More in \(section)" }
    func inOtherFormats(_ title: String) -> String { "\(title) as" }

    // MARK: Values

    let null = "none"
    let yes = "yes"
    let no = "no"
    let digitSeparator: Character = ","
    let decimalMark: Character = "."

    let months: [StaticString] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    let dayMark: StaticString = ""

    func rows(_ count: Count) -> String {
        "\(self.count(count)) \(count.value == 1 ? "row" : "rows")"
    }

    func absent(_ column: Column) -> String { ListSchema.header(.null, column) ?? null }

    // MARK: What a page shows

    func caption(_ title: String, grouping: String?, sort: [SortStep]) -> String {
        var text = title
        if let grouping { text += " by \(grouping.lowercased())" }
        guard !sort.isEmpty else { return text }
        let lower = sort.map { (label: $0.label.lowercased(), direction: $0.direction) }
        let order = order(lower, and: " and ", then: ", then ") {
            $0 == .ascending ? "ascending" : "descending"
        }
        return "\(text), sorted by \(order)"
    }

    func initials(_ label: String) -> String { "\(label), A–Z" }

    // MARK: What is missing

    let stale =
        "These rows may be out of date: their source cannot be read now."
    let editsAreLost = "Edits stay in memory, and are lost when the server stops."
    let toAddRows =
        "To add rows in the browser, start the server with --allow-anonymous-writes."
    let refresh = "Refresh"
    let reload = "Load again"
    let dropConditions = "Show all rows"
    let backToTheStart = "Back to the start"
    let noLists = "No list yet"
    let listsComeFromFiles = "Start the server with a file or a database, for example:"

    func title(of reason: EmptyReason) -> String {
        switch reason {
        case .noData: "No rows yet"
        case .noMatch: "No rows here"
        case .loading: "Loading"
        case .failed: "The rows could not be fetched"
        }
    }

    func message(of reason: EmptyReason) -> String {
        switch reason {
        case .noData: "The list has no rows."
        case .noMatch:
            "The rows that this address led to are gone, or it is misspelled. "
                + "The list may have others."
        case .loading: "The rows are being fetched for the first time. Load the page again soon."
        case .failed:
            "Their service did not respond. The server tries again; load the page again in a minute."
        }
    }

    func failure(_ code: RowFailure.Code) -> String {
        switch code {
        case .cellCount: "The row has another number of cells than the list has columns."
        case .prefetchFailed: "What the row needs could not be fetched."
        case .childrenFailed: "The rows below the row could not be fetched."
        case .rowFailed, .eventFailed, .sectionFailed, .reservedAction, .unsafeLink:
            "The row could not be shown."
        }
    }

    // MARK: Conditions

    let search = "Search"
    let filter = "Filter"
    let filters = "Filters"
    let apply = "Apply"
    let any = "any"
    let drop = "Remove"
    let countAll = "count all"
    let stillCounting = "Still counting"
    let notCounted = "Counting took too long"

    func bytes(_ count: Int) -> String { count == 1 ? "1 byte" : "\(count) bytes" }

    let source = "Source"
    let license = "License"
    func amount(_ digits: String, _ currency: String) -> String {
        currency.count == 1 ? currency + digits : "\(currency)\u{A0}\(digits)"
    }
    func percent(_ number: String) -> String { "\(number)%" }

    func search(_ title: String) -> String { "Search \(title.lowercased())" }
    func search(for text: String) -> String { "Search: \(text)" }

    func relation(_ operation: Filter.Operator) -> String {
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
        case .identical: "is"
        }
    }

    func name(of function: Aggregate.Function, _ column: String) -> String {
        switch function {
        case .sum: "Sum of \(column)"
        case .average: "Average of \(column)"
        case .minimum: "Least \(column)"
        case .maximum: "Greatest \(column)"
        }
    }

    let or = "or"
    func not(_ label: String) -> String { "Not: \(label)" }

    // MARK: Rows

    let actions = "Actions"
    let segments = "Lists under this address"
    let below = "Below"
    let cannotBeTakenBack = "This cannot be taken back."
    let collapsed = "hidden"
    let layout = "Layout"
    let hideRows = "Hide the rows of this section"
    let showRows = "Show the rows of this section"
    let select = "Select"
    let withSelected = "With selected rows:"
    let expand = "Show what is below"
    let collapse = "Hide what is below"

    let moveUp = "Move up"
    let moveDown = "Move down"

    func allMatching(_ count: Count?) -> String {
        "all \(count.map { "\(self.count($0)) " } ?? "")matching"
    }

    func level(_ level: Int) -> String { "level \(level)" }
    func allBelow(_ count: Int) -> String { "all \(number(count))" }
    func below(_ id: String) -> String { "Below \(id)" }
    func select(_ name: String) -> String { "Select \(name)" }
    func askForMany(_ action: String) -> String { "\(action): all selected rows?" }

    func name(of layout: PageLayout) -> String {
        switch layout {
        case .table: "Table"
        case .grid: "Grid"
        }
    }

    // MARK: Problems

    let corrected = "Correct the address"
    func problem(_ english: String) -> String { english }
    let didYouMean = "Did you mean"
    let request = "Request"
    func status(_ status: Int) -> String { "Status \(status)" }

    // MARK: Changes

    let live = "Live"
    let lost = "Connection lost, trying again"
    let news = "Show % changes"
    let outdated = "Show the new list"
    let added = "% added"
    let changed = "% changed"
    let removed = "% removed"
    let moved = "% moved"
    let chosen = "With % selected:"

    // MARK: Keys

    let keys = "Keys"
    let singleKeys = "Single keys do something"
    let close = "Close"

    var shortcuts: [Shortcut] {
        [
            Shortcut("/", meaning: "Search"),
            Shortcut("j", "k", meaning: "Next and previous row"),
            Shortcut("n", "p", meaning: "Next and previous section"),
            Shortcut("[", "]", meaning: "Previous and next page"),
            Shortcut("g", "A", meaning: "Go to a letter"),
            Shortcut("s", meaning: "Sort"),
            Shortcut("f", meaning: "Filter"),
            Shortcut("e", meaning: "Edit the row"),
            Shortcut("c", meaning: "Columns"),
            Shortcut("x", meaning: "Select the row"),
            Shortcut(".", meaning: "What can be done with the row"),
            Shortcut("r", meaning: "Show what has changed"),
            Shortcut("Esc", meaning: "Close what is open"),
            Shortcut("?", meaning: "This help"),
        ]
    }

    // MARK: Columns and parameters

    let name = "Name"
    let label = "Label"
    let type = "Type"
    let sortable = "Sortable"
    let groupable = "Groupable"
    let meaning = "Meaning"
    let example = "Example"
    let defaultValue = "Default"
    let maximum = "Maximum"
    func schemaTitle(_ title: String) -> String { "\(title): columns and parameters" }

    // MARK: Writing

    let writing = "Writing"
    let add = "Add"
    let edit = "Edit"
    let remove = "Delete"
    let save = "Save"
    let cancel = "Cancel"
    let needed = "needed"

    func writing(_ writing: SchemaDocument.Writing, list: String) -> String {
        let required = writing.required.joined(separator: ", ")
        return "POST \(list) creates a row, PUT, PATCH and DELETE \(list)/ID replace, change and "
            + "remove one, POST \(writing.rowsAddress) takes an array of rows."
            + (required.isEmpty ? "" : " Every row needs \(required).")
            + (writing.requiresCondition ? " A change names the row's entity tag in If-Match." : "")
    }

    let importing = "Import"
    let rowsRead = "Rows read"
    let rowsInserted = "New rows"
    let rowsReplaced = "Replaced rows"
    let rowsUnchanged = "Rows left as they were"
    let rowsRefused = "Refused rows"
    let rowsPerSecond = "Rows a second"
    let secondsLeft = "Seconds left"

    func importTitle(_ list: String) -> String { "Import into \(list)" }

    func state(_ state: ProgressDocument.State) -> String {
        switch state {
        case .waiting: "Waiting for another import."
        case .checking: "Checking the rows; nothing is written yet."
        case .writing: "Writing the rows; they are seen when the last one is written."
        case .checked: "Checked; nothing is written yet."
        case .done: "Done."
        case .failed: "Failed; nothing was written."
        case .interrupted: "Interrupted; nothing was written."
        }
    }

    func place(line: Int, column: Int) -> String { "Line \(line), character \(column):" }

    func title(of purpose: FormDocument.Purpose, list: String, row: String?) -> String {
        switch purpose {
        case .create: "Add to \(list)"
        case .edit: "Edit \(row ?? "")"
        case .remove: "Delete \(row ?? "")?"
        }
    }

    // MARK: Forms

    let madeID = "ID (made if empty)"
    let emptyText = "empty text"
    let emptyBox = "Store an empty text instead of no value"
    let takenMeanwhile = "Changed since you opened this form; this is the new value."
    let bothChanged = "You and another writer changed this value. Choose one:"
    let keepMine = "Save the value above"
    let takeTheirs = "Keep the new value:"

    func text(of notice: FormDocument.Notice) -> String {
        switch notice {
        case .nothingGiven: "No value is given; nothing was written."
        case .notStored(1): "A value cannot be stored; nothing was written."
        case .notStored(let count): "\(count) values cannot be stored; nothing was written."
        case .changedMeanwhile:
            "The row has changed since you opened this form; nothing was written. Values that you left "
                + "alone are the new ones. Look at the marked ones and save again."
        case .changedBeforeRemoval:
            "The row has changed since you opened this page. Nothing was removed. Pressing the button "
                + "again removes it."
        case .undecided: "Choose between the two values first; nothing was written."
        }
    }
}
