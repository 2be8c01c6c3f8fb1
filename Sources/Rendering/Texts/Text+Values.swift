import Listings

// Each literal of this file is the key of a translation.

extension EmptyReason {
    var title: Text {
        switch self {
        case .noData: "No rows yet"
        case .noMatch: "No rows here"
        case .loading: "Loading"
        case .failed: "The rows could not be fetched"
        }
    }

    var message: Text {
        switch self {
        case .noData: "The list has no rows."
        case .noMatch:
            "The rows that this address led to are gone, or it is misspelled. "
                + "The list may have others."
        case .loading: "The rows are being fetched for the first time. Load the page again soon."
        case .failed:
            "Their service did not respond. The server tries again; load the page again in a minute."
        }
    }
}

extension RowFailure.Code {
    var text: Text {
        switch self {
        case .cellCount: "The row has another number of cells than the list has columns."
        case .prefetchFailed: "What the row needs could not be fetched."
        case .childrenFailed: "The rows below the row could not be fetched."
        case .rowFailed, .eventFailed, .sectionFailed, .reservedAction, .unsafeLink:
            "The row could not be shown."
        }
    }
}

extension Filter.Operator {
    var text: Text {
        switch self {
        case .equal, .identical: "is"
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
}

extension ToolbarForm.Comparison {
    var text: Text {
        switch self {
        case .by(let operation): operation.text
        case .between: "between"
        case .isEmpty(true): "is empty"
        case .isEmpty(false): "is not empty"
        case .isTrue(true): "is yes"
        case .isTrue(false): "is no"
        }
    }
}

extension Aggregate.Function {
    func text(_ column: String) -> Text {
        switch self {
        case .sum: "Sum of \(column)"
        case .average: "Average of \(column)"
        case .minimum: "Least \(column)"
        case .maximum: "Greatest \(column)"
        case .filled: "Values of \(column)"
        }
    }

    /// The name below a column.
    var text: Text {
        switch self {
        case .sum: "Sum"
        case .average: "Average"
        case .minimum: "Least"
        case .maximum: "Greatest"
        case .filled: "Filled"
        }
    }
}

extension PageLayout {
    var text: Text {
        switch self {
        case .table: "Table"
        case .grid: "Grid"
        case .board: "Board"
        }
    }
}

extension ColumnType {
    var text: Text {
        switch self {
        case .text: "text"
        case .integer: "whole number"
        case .real: "number"
        case .boolean: "yes or no"
        case .date: "date"
        case .timestamp: "date and time"
        case .email: "e-mail address"
        case .link: "link"
        case .json: "JSON"
        case .bytes: "bytes"
        }
    }
}

extension ProgressDocument.State {
    var text: Text {
        switch self {
        case .waiting: "Waiting for another import."
        case .checking: "Checking the rows; nothing is written yet."
        case .writing: "Writing the rows; they are seen when the last one is written."
        case .checked: "Checked; nothing is written yet."
        case .done: "Done."
        case .failed: "Failed; nothing was written."
        case .interrupted: "Interrupted; nothing was written."
        }
    }
}

extension FormDocument {
    var title: Text {
        switch purpose {
        case .remove where row != nil: "Delete \(row ?? "")?"
        case .edit where row != nil: "Edit \(row ?? "")"
        case .create, .edit, .remove: "Add to \(list)"
        }
    }
}

extension FormDocument.Purpose {
    var text: Text {
        switch self {
        case .create: "Add"
        case .edit: "Save"
        case .remove: "Delete"
        }
    }
}

extension FormDocument.Notice {
    var text: Text {
        switch self {
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

extension ListQuery {
    /// Returns a caption such as `Users by occupation, sorted by last name, ascending`.
    ///
    /// Different directions are named separately.
    func caption(_ title: String, grouping: String?, order labels: [String]) -> Text {
        let caption: Text = grouping.map { "\(title) by \(noun: $0)" } ?? "\(title)"
        guard let first = labels.first else { return caption }
        if Set(sort.map(\.direction)).count == 1 {
            let start: Text = "\(noun: first)"
            let order = labels.dropFirst().reduce(start) { "\($0) and \(noun: $1)" }
            return sort[0].direction == .ascending
                ? "\(caption), sorted by \(order), ascending"
                : "\(caption), sorted by \(order), descending"
        }
        let steps: [Text] = zip(labels, sort).map { label, key in
            key.direction == .ascending
                ? "\(noun: label) ascending" : "\(noun: label) descending"
        }
        let order = steps.dropFirst().reduce(steps[0]) { "\($0), then \($1)" }
        return "\(caption), sorted by \(order)"
    }
}

struct Shortcut {
    let keys: [String]
    let meaning: Text

    static let all: [Shortcut] = [
        Shortcut(keys: ["/"], meaning: "Search"),
        Shortcut(keys: ["j", "k"], meaning: "Next and previous row"),
        Shortcut(keys: ["n", "p"], meaning: "Next and previous section"),
        Shortcut(keys: ["[", "]"], meaning: "Previous and next page"),
        Shortcut(keys: ["g", "A"], meaning: "Go to a letter"),
        Shortcut(keys: ["s"], meaning: "Sort"),
        Shortcut(keys: ["f"], meaning: "Filter"),
        Shortcut(keys: ["e"], meaning: "Edit the row"),
        Shortcut(keys: ["F2", "Enter"], meaning: "Edit the cell; typing replaces its value"),
        Shortcut(keys: ["Del", "Ctrl+D"], meaning: "Clear cells, fill them from above"),
        Shortcut(keys: ["Ctrl+Z", "Ctrl+Y"], meaning: "Undo and redo"),
        Shortcut(keys: ["c"], meaning: "Columns"),
        Shortcut(keys: ["x"], meaning: "Select the row"),
        Shortcut(keys: ["."], meaning: "What can be done with the row"),
        Shortcut(keys: ["r"], meaning: "Show what has changed"),
        Shortcut(keys: ["Esc"], meaning: "Close what is open"),
        Shortcut(keys: ["?"], meaning: "This help"),
    ]
}
