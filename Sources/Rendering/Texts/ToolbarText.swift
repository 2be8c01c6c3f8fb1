import Listings

/// The texts of the toolbar, of its panels, and of the links between pages in one language.
protocol ToolbarText {
    var more: String { get }
    var letters: String { get }
    var first: String { get }
    var last: String { get }
    var page: String { get }
    /// Returns the numbers of the shown rows and of all, such as `1–50 of 537`.
    func range(_ range: String, of count: String) -> String

    // MARK: Columns

    var allColumns: String { get }
    func moveForward(_ column: String) -> String
    /// Returns the label of the box that shows all columns on a narrow screen.
    func showAll(_ count: Int) -> String

    // MARK: Order

    var ascending: String { get }
    var descending: String { get }
    var emptyFirst: String { get }
    var thenBy: String { get }

    // MARK: Conditions

    var column: String { get }
    var condition: String { get }
    var value: String { get }
    var and: String { get }
    var between: String { get }
    var isEmpty: String { get }
    var isNotEmpty: String { get }
    /// The words before a column whose values are counted.
    var countValuesOf: String { get }
    var suggestedFacets: String { get }
    var noRowMatches: String { get }
    var noConditionMet: String { get }
    /// Returns the message of an empty list that takes rows.
    func firstRow(canImport: Bool) -> String
    /// Returns the label of the form that changes a condition.
    func change(_ condition: String) -> String

    // MARK: Row beside the list

    /// Returns the name of the link to a row whose first cell leads elsewhere.
    func openRow(_ id: String) -> String
    var rowBefore: String { get }
    var rowAfter: String { get }
    var reading: String { get }
    var saved: String { get }
    var gone: String { get }
    var undo: String { get }
    var undone: String { get }
    var notUndone: String { get }
    var copy: String { get }
    var export: String { get }

    // MARK: All lists

    var searchLists: String { get }
    var notSearched: String { get }
    /// The text that replaces the number of rows of a list that cannot be read now.
    var unavailable: String { get }
    func nothingFound(_ text: String) -> String

    // MARK: Import

    var file: String { get }
    var preview: String { get }
    var firstRows: String { get }
    var notInList: String { get }
    /// Returns the name of a type for people.
    func name(of type: ColumnType) -> String
    /// The label of the choice for rows whose id exists already.
    var existingRows: String { get }
    /// The choices: refuse the file, keep the rows, replace them, or change their values.
    var duplicates: [String] { get }
    func importRows(_ count: Int) -> String

    // MARK: Menu of a column

    /// Returns the name of the menu of a column; % is its label.
    var columnMenu: String { get }
    var sortAscending: String { get }
    var sortDescending: String { get }
    var thenAscending: String { get }
    var thenDescending: String { get }
    var countValues: String { get }
    var hide: String { get }

    // MARK: Statistics of a column

    var statistics: String { get }
    var statisticsOf: String { get }
    func statistics(of column: String) -> String
    var smallest: String { get }
    var mean: String { get }
    var largest: String { get }
    var missing: String { get }
    var distinct: String { get }
    var shortest: String { get }
    var longest: String { get }
    var frequent: String { get }

    // MARK: Moving a column

    var moveLeft: String { get }
    var moveRight: String { get }
    /// The choice to show the columns up to this one at any time.
    var pin: String { get }
    var unpin: String { get }
    var wider: String { get }
    var narrower: String { get }

    // MARK: Choices of a browser

    var views: String { get }
    var viewName: String { get }
    var saveView: String { get }
    /// The label of the button that deletes a view; % is its name.
    var forgetView: String { get }
    var compact: String { get }
    var endless: String { get }
}

extension EnglishText {
    var more: String { "More" }
    var letters: String { "A–Z" }
    var first: String { "First" }
    var last: String { "Last" }
    var page: String { "Page" }
    func range(_ range: String, of count: String) -> String { "\(range) of \(count)" }
    var allColumns: String { "All columns" }
    func moveForward(_ column: String) -> String { "Move \(column) forward" }
    func showAll(_ count: Int) -> String { "Show all \(count) columns" }
    var ascending: String { "ascending" }
    var descending: String { "descending" }
    var emptyFirst: String { "empty first" }
    var thenBy: String { "then by" }
    var column: String { "Column" }
    var condition: String { "Condition" }
    var value: String { "Value" }
    var and: String { "and" }
    var between: String { "between" }
    var isEmpty: String { "is empty" }
    var isNotEmpty: String { "is not empty" }
    var countValuesOf: String { "Count values of" }
    var suggestedFacets: String { "Columns with few values" }
    var noRowMatches: String { "No row matches" }
    var noConditionMet: String {
        "Change or remove the search or one of the filters above, or show all rows."
    }
    func firstRow(canImport: Bool) -> String {
        canImport
            ? "Add the first row, or import a file with the button above." : "Add the first row."
    }
    func change(_ condition: String) -> String { "Change: \(condition)" }
    func openRow(_ id: String) -> String { "Open row \(id)" }
    var rowBefore: String { "Previous row" }
    var rowAfter: String { "Next row" }
    var reading: String { "Reading the rows…" }
    var saved: String { "Saved" }
    var gone: String { "Deleted" }
    var undo: String { "Undo" }
    var undone: String { "Undone" }
    var notUndone: String { "This could not be undone: the rows have changed since." }
    var copy: String { "Copy" }
    var searchLists: String { "Search all lists" }
    var notSearched: String { "Not searched" }
    var unavailable: String { "Not readable now" }
    func nothingFound(_ text: String) -> String { "No list has “\(text)”" }
    var file: String { "File" }
    var preview: String { "Preview" }
    var firstRows: String { "First rows of the file" }
    var notInList: String { "not in the list" }
    func name(of type: ColumnType) -> String {
        switch type {
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
    var existingRows: String { "Rows that exist:" }
    var duplicates: [String] { ["refuse the file", "keep", "replace", "change"] }
    func importRows(_ count: Int) -> String { "Import \(rows(Count(count)))" }
    var export: String { "Export" }
    var columnMenu: String { "Menu of %" }
    var sortAscending: String { "Sort ascending" }
    var sortDescending: String { "Sort descending" }
    var thenAscending: String { "Then ascending" }
    var thenDescending: String { "Then descending" }
    var countValues: String { "Count values" }
    var hide: String { "Hide" }
    var statistics: String { "Statistics" }
    var statisticsOf: String { "Statistics of" }
    func statistics(of column: String) -> String { "Statistics of \(column)" }
    var smallest: String { "Smallest" }
    var mean: String { "Mean" }
    var largest: String { "Largest" }
    var missing: String { "Missing" }
    var distinct: String { "Different values" }
    var shortest: String { "Shortest" }
    var longest: String { "Longest" }
    var frequent: String { "Most frequent" }
    var moveLeft: String { "Move left" }
    var moveRight: String { "Move right" }
    var pin: String { "Pin up to here" }
    var unpin: String { "Unpin" }
    var wider: String { "Wider" }
    var narrower: String { "Narrower" }
    var views: String { "Saved views" }
    var viewName: String { "Name of the view" }
    var saveView: String { "Save" }
    var forgetView: String { "Delete the view %" }
    var compact: String { "Compact rows" }
    var endless: String { "Load more rows while scrolling" }
}

extension GermanText {
    var more: String { "Mehr" }
    var letters: String { "A–Z" }
    var first: String { "Anfang" }
    var last: String { "Ende" }
    var page: String { "Seite" }
    func range(_ range: String, of count: String) -> String { "\(range) von \(count)" }
    var allColumns: String { "Alle Spalten" }
    func moveForward(_ column: String) -> String { "\(column) nach vorn" }
    func showAll(_ count: Int) -> String { "Alle \(count) Spalten zeigen" }
    var ascending: String { "aufsteigend" }
    var descending: String { "absteigend" }
    var emptyFirst: String { "leere zuerst" }
    var thenBy: String { "dann nach" }
    var column: String { "Spalte" }
    var condition: String { "Bedingung" }
    var value: String { "Wert" }
    var and: String { "und" }
    var between: String { "zwischen" }
    var isEmpty: String { "ist leer" }
    var isNotEmpty: String { "ist nicht leer" }
    var countValuesOf: String { "Werte zählen von" }
    var suggestedFacets: String { "Spalten mit wenigen Werten" }
    var noRowMatches: String { "Keine Zeile passt" }
    var noConditionMet: String {
        "Ändern oder entfernen Sie oben die Suche oder einen der Filter, oder zeigen Sie alle Zeilen."
    }
    func firstRow(canImport: Bool) -> String {
        canImport
            ? "Fügen Sie die erste Zeile hinzu, oder importieren Sie oben eine Datei."
            : "Fügen Sie die erste Zeile hinzu."
    }
    func change(_ condition: String) -> String { "Ändern: \(condition)" }
    func openRow(_ id: String) -> String { "Zeile \(id) öffnen" }
    var rowBefore: String { "Vorige Zeile" }
    var rowAfter: String { "Nächste Zeile" }
    var reading: String { "Die Zeilen werden gelesen …" }
    var saved: String { "Gespeichert" }
    var gone: String { "Gelöscht" }
    var undo: String { "Rückgängig" }
    var undone: String { "Rückgängig gemacht" }
    var notUndone: String {
        "Das ließ sich nicht rückgängig machen: Die Zeilen haben sich seitdem geändert."
    }
    var copy: String { "Kopieren" }
    var searchLists: String { "Alle Listen durchsuchen" }
    var notSearched: String { "Nicht durchsucht" }
    var unavailable: String { "Zurzeit nicht lesbar" }
    func nothingFound(_ text: String) -> String { "Keine Liste enthält „\(text)“" }
    var file: String { "Datei" }
    var preview: String { "Vorschau" }
    var firstRows: String { "Erste Zeilen der Datei" }
    var notInList: String { "nicht in der Liste" }
    func name(of type: ColumnType) -> String {
        switch type {
        case .text: "Text"
        case .integer: "ganze Zahl"
        case .real: "Zahl"
        case .boolean: "ja oder nein"
        case .date: "Datum"
        case .timestamp: "Zeitpunkt"
        case .email: "E-Mail-Adresse"
        case .link: "Link"
        case .json: "JSON"
        case .bytes: "Bytes"
        }
    }
    var existingRows: String { "Vorhandene Zeilen:" }
    var duplicates: [String] { ["Datei ablehnen", "behalten", "ersetzen", "ändern"] }
    func importRows(_ count: Int) -> String { "\(rows(Count(count))) importieren" }
    var export: String { "Exportieren" }
    var columnMenu: String { "Menü von %" }
    var sortAscending: String { "Aufsteigend sortieren" }
    var sortDescending: String { "Absteigend sortieren" }
    var thenAscending: String { "Dann aufsteigend" }
    var thenDescending: String { "Dann absteigend" }
    var countValues: String { "Werte zählen" }
    var hide: String { "Ausblenden" }
    var statistics: String { "Statistik" }
    var statisticsOf: String { "Statistik zu" }
    func statistics(of column: String) -> String { "Statistik zu \(column)" }
    var smallest: String { "Kleinster Wert" }
    var mean: String { "Mittel" }
    var largest: String { "Größter Wert" }
    var missing: String { "Ohne Wert" }
    var distinct: String { "Verschiedene Werte" }
    var shortest: String { "Kürzester" }
    var longest: String { "Längster" }
    var frequent: String { "Am häufigsten" }
    var moveLeft: String { "Nach links" }
    var moveRight: String { "Nach rechts" }
    var pin: String { "Bis hier anheften" }
    var unpin: String { "Lösen" }
    var wider: String { "Breiter" }
    var narrower: String { "Schmaler" }
    var views: String { "Gespeicherte Ansichten" }
    var viewName: String { "Name der Ansicht" }
    var saveView: String { "Speichern" }
    var forgetView: String { "Ansicht % löschen" }
    var compact: String { "Dichte Zeilen" }
    var endless: String { "Beim Blättern weitere Zeilen laden" }
}
