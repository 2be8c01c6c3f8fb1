import Bytes
import Listings

struct GermanText: PageText {
    let language = "de"
    let direction = "ltr"

    // MARK: Navigation

    let skipToList = "Zur Liste springen"
    let skipToContent = "Zum Inhalt springen"
    let breadcrumb = "Pfad"
    let lists = "Listen"
    let documentation = "Dokumentation"
    let view = "Ansicht"
    let jump = "Springen zu"
    let pages = "Seiten"
    let previous = "Zurück"
    let next = "Weiter"
    let groupBy = "Gruppieren"
    let sortBy = "Sortieren"
    let rowsPerPage = "Zeilen"
    let ownSections = "Abschnitte"
    let ungrouped = "Ohne"
    let sections = "Alle Abschnitte"
    let columns = "Spalten"
    let parameters = "Parameter"
    let continued = "Fortsetzung"
    let schema = "Spalten und Parameter"
    let id = "ID"

    func more(_ section: String) -> String { "Mehr aus \(section)" }
    func inOtherFormats(_ title: String) -> String { "\(title) als" }

    // MARK: Values

    let null = "ohne"
    let yes = "ja"
    let no = "nein"
    let digitSeparator: Character = "."
    let decimalMark: Character = ","

    let months: [StaticString] = [
        "Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sep.", "Okt.", "Nov.",
        "Dez.",
    ]

    let dayMark: StaticString = "."

    func rows(_ count: Count) -> String {
        "\(self.count(count)) \(count.value == 1 ? "Zeile" : "Zeilen")"
    }

    func absent(_ column: Column) -> String { "Ohne \(column.label)" }

    // MARK: What a page shows

    func caption(_ title: String, grouping: String?, sort: [SortStep]) -> String {
        var text = title
        if let grouping { text += " nach \(grouping)" }
        guard !sort.isEmpty else { return text }
        let order = order(sort, and: " und ", then: ", dann ") {
            $0 == .ascending ? "aufsteigend" : "absteigend"
        }
        return "\(text), sortiert nach \(order)"
    }

    func initials(_ label: String) -> String { "\(label), A–Z" }

    // MARK: What is missing

    let stale =
        "Diese Zeilen sind vielleicht veraltet: Ihre Quelle ist zurzeit nicht lesbar."
    let editsAreLost =
        "Änderungen bleiben nur im Arbeitsspeicher und gehen verloren, wenn der Server endet."
    let toAddRows =
        "Um Zeilen im Browser hinzuzufügen, starten Sie den Server mit --allow-anonymous-writes."
    let refresh = "Neu holen"
    let reload = "Neu laden"
    let dropConditions = "Alle Zeilen zeigen"
    let backToTheStart = "Zum Anfang"
    let noLists = "Noch keine Liste"
    let listsComeFromFiles = "Starten Sie den Server mit einer Datei oder Datenbank, zum Beispiel:"

    func title(of reason: EmptyReason) -> String {
        switch reason {
        case .noData: "Noch keine Zeilen"
        case .noMatch: "Hier sind keine Zeilen"
        case .loading: "Wird geladen"
        case .failed: "Die Zeilen konnten nicht geholt werden"
        }
    }

    func message(of reason: EmptyReason) -> String {
        switch reason {
        case .noData: "Die Liste hat keine Zeilen."
        case .noMatch:
            "Die Zeilen, zu denen diese Adresse führte, gibt es nicht mehr, oder sie ist falsch "
                + "geschrieben. Die Liste kann andere haben."
        case .loading: "Die Zeilen werden zum ersten Mal geholt. Laden Sie die Seite gleich neu."
        case .failed:
            "Ihr Dienst hat nicht geantwortet. Der Server versucht es wieder; laden Sie die Seite in "
                + "einer Minute neu."
        }
    }

    func failure(_ code: RowFailure.Code) -> String {
        switch code {
        case .cellCount: "Die Zeile hat eine andere Zahl von Zellen als die Liste Spalten."
        case .prefetchFailed: "Was die Zeile braucht, konnte nicht geholt werden."
        case .childrenFailed: "Die Zeilen unter der Zeile konnten nicht geholt werden."
        case .rowFailed, .eventFailed, .sectionFailed, .reservedAction, .unsafeLink:
            "Die Zeile konnte nicht gezeigt werden."
        }
    }

    // MARK: Conditions

    let search = "Suchen"
    let filter = "Filtern"
    let filters = "Filter"
    let apply = "Anwenden"
    let any = "beliebig"
    let drop = "Entfernen"
    let countAll = "alle zählen"
    let stillCounting = "Es wird noch gezählt"
    let notCounted = "Das Zählen dauerte zu lange"

    func bytes(_ count: Int) -> String { count == 1 ? "1 Byte" : "\(count) Bytes" }

    let source = "Quelle"
    let license = "Lizenz"
    func amount(_ digits: String, _ currency: String) -> String { "\(digits)\u{A0}\(currency)" }
    func percent(_ number: String) -> String { "\(number)\u{A0}%" }

    func search(_ title: String) -> String { "\(title) durchsuchen" }
    func search(for text: String) -> String { "Suche: \(text)" }

    func relation(_ operation: Filter.Operator) -> String {
        switch operation {
        case .equal: "ist"
        case .notEqual: "ist nicht"
        case .less: "unter"
        case .atMost: "höchstens"
        case .greater: "über"
        case .atLeast: "mindestens"
        case .among: "ist eines von"
        case .notAmong: "ist keines von"
        case .contains: "enthält"
        case .startsWith: "beginnt mit"
        case .endsWith: "endet mit"
        case .isNull: ""
        case .identical: "ist"
        }
    }

    func name(of function: Aggregate.Function, _ column: String) -> String {
        switch function {
        case .sum: "Summe \(column)"
        case .average: "Durchschnitt \(column)"
        case .minimum: "Kleinster Wert \(column)"
        case .maximum: "Größter Wert \(column)"
        }
    }

    let or = "oder"
    func not(_ label: String) -> String { "Nicht: \(label)" }

    // MARK: Rows

    let actions = "Aktionen"
    let segments = "Listen unter dieser Adresse"
    let below = "Darunter"
    let cannotBeTakenBack = "Das lässt sich nicht zurücknehmen."
    let collapsed = "verborgen"
    let layout = "Anordnung"
    let hideRows = "Zeilen dieses Abschnitts verbergen"
    let showRows = "Zeilen dieses Abschnitts zeigen"
    let select = "Auswählen"
    let withSelected = "Mit ausgewählten Zeilen:"
    let expand = "Zeigen, was darunter ist"
    let collapse = "Verbergen, was darunter ist"

    let moveUp = "Nach oben"
    let moveDown = "Nach unten"

    func allMatching(_ count: Count?) -> String {
        "alle \(count.map { "\(self.count($0)) " } ?? "")passenden"
    }

    func level(_ level: Int) -> String { "Ebene \(level)" }
    func allBelow(_ count: Int) -> String { "alle \(number(count))" }
    func below(_ id: String) -> String { "Unter \(id)" }
    func select(_ name: String) -> String { "\(name) auswählen" }
    func askForMany(_ action: String) -> String { "\(action): alle ausgewählten Zeilen?" }

    func name(of layout: PageLayout) -> String {
        switch layout {
        case .table: "Tabelle"
        case .grid: "Karten"
        }
    }

    // MARK: Problems

    let corrected = "Adresse berichtigen"
    private static let problems = TranslationCatalog(PackageResources.German_txt)
    func problem(_ english: String) -> String { Self.problems.text(english) }
    let didYouMean = "Gemeint war vielleicht"
    let request = "Anfrage"
    func status(_ status: Int) -> String { "Status \(status)" }

    // MARK: Changes

    let live = "Aktuell"
    let lost = "Verbindung verloren, neuer Versuch"
    let news = "% Änderungen zeigen"
    let outdated = "Neue Liste zeigen"
    let added = "% hinzugefügt"
    let changed = "% geändert"
    let removed = "% entfernt"
    let moved = "% verschoben"
    let chosen = "Mit % ausgewählten:"

    // MARK: Keys

    let keys = "Tasten"
    let singleKeys = "Einzelne Tasten tun etwas"
    let close = "Schließen"

    var shortcuts: [Shortcut] {
        [
            Shortcut("/", meaning: "Suchen"),
            Shortcut("j", "k", meaning: "Nächste und vorige Zeile"),
            Shortcut("n", "p", meaning: "Nächster und voriger Abschnitt"),
            Shortcut("[", "]", meaning: "Vorige und nächste Seite"),
            Shortcut("g", "A", meaning: "Zu einem Buchstaben"),
            Shortcut("s", meaning: "Sortieren"),
            Shortcut("f", meaning: "Filtern"),
            Shortcut("e", meaning: "Zeile bearbeiten"),
            Shortcut("c", meaning: "Spalten"),
            Shortcut("x", meaning: "Zeile auswählen"),
            Shortcut(".", meaning: "Was mit der Zeile getan werden kann"),
            Shortcut("r", meaning: "Zeigen, was sich geändert hat"),
            Shortcut("Esc", meaning: "Schließen, was offen ist"),
            Shortcut("?", meaning: "Diese Hilfe"),
        ]
    }

    // MARK: Columns and parameters

    let name = "Name"
    let label = "Überschrift"
    let type = "Typ"
    let sortable = "Sortierbar"
    let groupable = "Gruppierbar"
    let meaning = "Bedeutung"
    let example = "Beispiel"
    let defaultValue = "Vorgabe"
    let maximum = "Höchstens"
    func schemaTitle(_ title: String) -> String { "\(title): Spalten und Parameter" }

    // MARK: Writing

    let writing = "Schreiben"
    let add = "Hinzufügen"
    let edit = "Bearbeiten"
    let remove = "Löschen"
    let save = "Speichern"
    let cancel = "Abbrechen"
    let needed = "nötig"

    func writing(_ writing: SchemaDocument.Writing, list: String) -> String {
        let required = writing.required.joined(separator: ", ")
        return "POST \(list) legt eine Zeile an; PUT, PATCH und DELETE \(list)/ID ersetzen, ändern "
            + "und löschen eine; POST \(writing.rowsAddress) nimmt viele."
            + (required.isEmpty ? "" : " Jede Zeile braucht \(required).")
            + (writing.requiresCondition
                ? " Eine Änderung nennt den Stand der Zeile in If-Match." : "")
    }

    let importing = "Import"
    let rowsRead = "Gelesene Zeilen"
    let rowsInserted = "Neue Zeilen"
    let rowsReplaced = "Ersetzte Zeilen"
    let rowsUnchanged = "Unveränderte Zeilen"
    let rowsRefused = "Abgelehnte Zeilen"
    let rowsPerSecond = "Zeilen je Sekunde"
    let secondsLeft = "Sekunden noch"

    func importTitle(_ list: String) -> String { "Import in \(list)" }

    func state(_ state: ProgressDocument.State) -> String {
        switch state {
        case .waiting: "Wartet auf einen anderen Import."
        case .checking: "Prüft die Zeilen; noch ist nichts geschrieben."
        case .writing: "Schreibt die Zeilen; zu sehen sind sie, wenn die letzte geschrieben ist."
        case .checked: "Geprüft; noch ist nichts geschrieben."
        case .done: "Fertig."
        case .failed: "Gescheitert; nichts wurde geschrieben."
        case .interrupted: "Abgebrochen; nichts wurde geschrieben."
        }
    }

    func place(line: Int, column: Int) -> String { "Zeile \(line), Zeichen \(column):" }

    func title(of purpose: FormDocument.Purpose, list: String, row: String?) -> String {
        switch purpose {
        case .create: "\(list): hinzufügen"
        case .edit: "\(row ?? "") bearbeiten"
        case .remove: "\(row ?? "") löschen?"
        }
    }

    // MARK: Forms

    let madeID = "Id (entsteht, wenn leer)"
    let emptyText = "leerer Text"
    let emptyBox = "Leeren Text speichern statt keinen Wert"
    let takenMeanwhile = "Seit dem Öffnen des Formulars geändert; das ist der neue Wert."
    let bothChanged = "Diesen Wert haben Sie und jemand anderes geändert. Wählen Sie einen:"
    let keepMine = "Den Wert oben speichern"
    let takeTheirs = "Den neuen Wert behalten:"

    func text(of notice: FormDocument.Notice) -> String {
        switch notice {
        case .nothingGiven: "Kein Wert ist angegeben; nichts wurde geschrieben."
        case .notStored(1): "Ein Wert lässt sich nicht speichern; nichts wurde geschrieben."
        case .notStored(let count):
            "\(count) Werte lassen sich nicht speichern; nichts wurde geschrieben."
        case .changedMeanwhile:
            "Die Zeile wurde geändert, seit Sie das Formular geöffnet haben; nichts wurde "
                + "geschrieben. Werte, die Sie nicht geändert haben, sind die neuen. Sehen Sie die "
                + "markierten an und speichern Sie noch einmal."
        case .changedBeforeRemoval:
            "Die Zeile wurde geändert, seit Sie die Seite geöffnet haben; nichts wurde gelöscht. "
                + "Der Knopf löscht sie beim nächsten Mal."
        case .undecided: "Wählen Sie erst zwischen den beiden Werten; nichts wurde geschrieben."
        }
    }
}
