import Bytes
import Listings

/// The Hebrew texts of pages, which are written from right to left.
struct HebrewText: PageText {
    let language = "he"
    let direction = "rtl"

    // MARK: Navigation

    let skipToList = "דילוג לרשימה"
    let skipToContent = "דילוג לתוכן"
    let breadcrumb = "נתיב"
    let lists = "רשימות"
    let documentation = "תיעוד"
    let view = "תצוגה"
    let jump = "מעבר אל"
    let pages = "עמודים"
    let previous = "הקודם"
    let next = "הבא"
    let groupBy = "קיבוץ"
    let sortBy = "מיון"
    let rowsPerPage = "שורות"
    let ownSections = "מקטעים"
    let ungrouped = "ללא"
    let sections = "כל המקטעים"
    let columns = "עמודות"
    let parameters = "פרמטרים"
    let continued = "המשך"
    let schema = "עמודות ופרמטרים"
    let id = "מזהה"

    func more(_ section: String) -> String { "עוד מתוך \(section)" }
    func inOtherFormats(_ title: String) -> String { "\(title) בתור" }

    // MARK: Values

    let null = "ללא"
    let yes = "כן"
    let no = "לא"
    let digitSeparator: Character = ","
    let decimalMark: Character = "."

    let months: [StaticString] = [
        "בינואר", "בפברואר", "במרץ", "באפריל", "במאי", "ביוני", "ביולי", "באוגוסט", "בספטמבר",
        "באוקטובר", "בנובמבר",
        "בדצמבר",
    ]

    let dayMark: StaticString = ""

    func rows(_ count: Count) -> String {
        count.value == 1 ? "שורה אחת" : "\(self.count(count)) שורות"
    }

    func absent(_ column: Column) -> String { "ללא \(column.label)" }

    // MARK: What a page shows

    func caption(_ title: String, grouping: String?, sort: [SortStep]) -> String {
        var text = title
        if let grouping { text += " לפי \(grouping)" }
        guard !sort.isEmpty else { return text }
        let order = order(sort, and: " ו־", then: ", אחר כך ") {
            $0 == .ascending ? "בסדר עולה" : "בסדר יורד"
        }
        return "\(text), ממוין לפי \(order)"
    }

    func initials(_ label: String) -> String { "\(label), א–ת" }

    // MARK: What is missing

    let stale =
        "ייתכן שהשורות אינן עדכניות: לא ניתן לקרוא כרגע את המקור."
    let editsAreLost = "השינויים נשמרים בזיכרון בלבד, ויאבדו כשהשרת ייעצר."
    let toAddRows =
        "כדי להוסיף שורות בדפדפן יש להפעיל את השרת עם \u{2066}--allow-anonymous-writes\u{2069}."
    let refresh = "רענון"
    let reload = "טעינה מחדש"
    let dropConditions = "הצגת כל השורות"
    let backToTheStart = "להתחלה"
    let noLists = "אין עדיין רשימות"
    let listsComeFromFiles = "יש להפעיל את השרת עם קובץ או מסד נתונים, לדוגמה:"

    func title(of reason: EmptyReason) -> String {
        switch reason {
        case .noData: "אין עדיין שורות"
        case .noMatch: "אין כאן שורות"
        case .loading: "בטעינה"
        case .failed: "לא ניתן היה להביא את השורות"
        }
    }

    func message(of reason: EmptyReason) -> String {
        switch reason {
        case .noData: "אין שורות ברשימה."
        case .noMatch:
            "השורות שהכתובת הובילה אליהן אינן קיימות עוד, או שהכתובת שגויה. ברשימה ייתכנו שורות אחרות."
        case .loading: "השורות מובאות בפעם הראשונה. יש לטעון את העמוד שוב בעוד רגע."
        case .failed: "השירות לא הגיב. השרת מנסה שוב; יש לטעון את העמוד בעוד דקה."
        }
    }

    func failure(_ code: RowFailure.Code) -> String {
        switch code {
        case .cellCount: "מספר התאים בשורה שונה ממספר העמודות."
        case .prefetchFailed: "לא ניתן היה להביא את הדרוש לשורה."
        case .childrenFailed: "לא ניתן היה להביא את השורות שמתחת לשורה."
        case .rowFailed, .eventFailed, .sectionFailed, .reservedAction, .unsafeLink:
            "לא ניתן היה להציג את השורה."
        }
    }

    // MARK: Conditions

    let search = "חיפוש"
    let filter = "סינון"
    let filters = "מסננים"
    let apply = "החלה"
    let any = "כלשהו"
    let drop = "הסרה"
    let countAll = "ספירת הכול"
    let stillCounting = "הספירה נמשכת"
    let notCounted = "הספירה ארכה זמן רב מדי"

    func bytes(_ count: Int) -> String { count == 1 ? "בית אחד" : "\(count) בתים" }

    let source = "מקור"
    let license = "רישיון"
    func amount(_ digits: String, _ currency: String) -> String { "\(digits)\u{A0}\(currency)" }
    func percent(_ number: String) -> String { "\(number)\u{A0}%" }

    func search(_ title: String) -> String { "חיפוש ב\(title)" }
    func search(for text: String) -> String { "חיפוש: \(text)" }

    func relation(_ operation: Filter.Operator) -> String {
        switch operation {
        case .equal: "הוא"
        case .notEqual: "אינו"
        case .less: "פחות מ־"
        case .atMost: "לכל היותר"
        case .greater: "יותר מ־"
        case .atLeast: "לפחות"
        case .among: "אחד מתוך"
        case .notAmong: "אינו אחד מתוך"
        case .contains: "מכיל"
        case .startsWith: "מתחיל ב־"
        case .endsWith: "מסתיים ב־"
        case .isNull: ""
        case .identical: "הוא"
        }
    }

    func name(of function: Aggregate.Function, _ column: String) -> String {
        switch function {
        case .sum: "סכום \(column)"
        case .average: "ממוצע \(column)"
        case .minimum: "הערך הקטן של \(column)"
        case .maximum: "הערך הגדול של \(column)"
        }
    }

    let or = "או"
    func not(_ label: String) -> String { "לא: \(label)" }

    // MARK: Rows

    let actions = "פעולות"
    let segments = "רשימות בכתובת זו"
    let below = "מתחת"
    let cannotBeTakenBack = "לא ניתן לבטל פעולה זו."
    let collapsed = "מוסתר"
    let layout = "סידור"
    let hideRows = "הסתרת השורות של המקטע"
    let showRows = "הצגת השורות של המקטע"
    let select = "בחירה"
    let withSelected = "עם השורות שנבחרו:"
    let expand = "הצגת מה שמתחת"
    let collapse = "הסתרת מה שמתחת"

    let moveUp = "למעלה"
    let moveDown = "למטה"

    func allMatching(_ count: Count?) -> String {
        "כל \(count.map { "\(self.count($0)) " } ?? "")התואמות"
    }

    func level(_ level: Int) -> String { "רמה \(level)" }
    func allBelow(_ count: Int) -> String { "כל \(number(count))" }
    func below(_ id: String) -> String { "מתחת ל־\(id)" }
    func select(_ name: String) -> String { "בחירת \(name)" }
    func askForMany(_ action: String) -> String { "\(action): כל השורות שנבחרו?" }

    func name(of layout: PageLayout) -> String {
        switch layout {
        case .table: "טבלה"
        case .grid: "כרטיסים"
        }
    }

    // MARK: Problems

    let corrected = "תיקון הכתובת"
    func problem(_ english: String) -> String { english }
    let didYouMean = "האם הכוונה הייתה"
    let request = "בקשה"
    func status(_ status: Int) -> String { "מצב \(status)" }

    // MARK: Changes

    let live = "עדכני"
    let lost = "החיבור נותק, מתבצע ניסיון נוסף"
    let news = "הצגת % שינויים"
    let outdated = "הצגת הרשימה החדשה"
    let added = "% נוספו"
    let changed = "% השתנו"
    let removed = "% הוסרו"
    let moved = "% הוזזו"
    let chosen = "עם % שנבחרו:"

    // MARK: Keys

    let keys = "מקשים"
    let singleKeys = "מקשים בודדים פעילים"
    let close = "סגירה"

    var shortcuts: [Shortcut] {
        [
            Shortcut("/", meaning: "חיפוש"),
            Shortcut("j", "k", meaning: "השורה הבאה והקודמת"),
            Shortcut("n", "p", meaning: "המקטע הבא והקודם"),
            Shortcut("[", "]", meaning: "העמוד הקודם והבא"),
            Shortcut("g", "A", meaning: "מעבר לאות"),
            Shortcut("s", meaning: "מיון"),
            Shortcut("f", meaning: "סינון"),
            Shortcut("e", meaning: "עריכת השורה הפתוחה"),
            Shortcut("c", meaning: "עמודות"),
            Shortcut("x", meaning: "בחירת שורה"),
            Shortcut(".", meaning: "מה ניתן לעשות בשורה"),
            Shortcut("r", meaning: "הצגת מה שהשתנה"),
            Shortcut("Esc", meaning: "סגירת מה שפתוח"),
            Shortcut("?", meaning: "עזרה זו"),
        ]
    }

    // MARK: Columns and parameters

    let name = "שם"
    let label = "כותרת"
    let type = "סוג"
    let sortable = "ניתן למיון"
    let groupable = "ניתן לקיבוץ"
    let meaning = "משמעות"
    let example = "דוגמה"
    let defaultValue = "ברירת מחדל"
    let maximum = "לכל היותר"
    func schemaTitle(_ title: String) -> String { "\(title): עמודות ופרמטרים" }

    // MARK: Writing

    let writing = "כתיבה"
    let add = "הוספה"
    let edit = "עריכה"
    let remove = "מחיקה"
    let save = "שמירה"
    let cancel = "ביטול"
    let needed = "נדרש"

    func writing(_ writing: SchemaDocument.Writing, list: String) -> String {
        let required = writing.required.joined(separator: ", ")
        return
            "POST \(list) מוסיף שורה; PUT, PATCH ו־DELETE \(list)/ID מחליפים, משנים ומוחקים שורה; "
            + "POST \(writing.rowsAddress) מקבל שורות רבות."
            + (required.isEmpty ? "" : " כל שורה זקוקה ל־\(required).")
            + (writing.requiresCondition ? " שינוי מציין את מצב השורה ב־If-Match." : "")
    }

    let importing = "ייבוא"
    let rowsRead = "שורות שנקראו"
    let rowsInserted = "שורות חדשות"
    let rowsReplaced = "שורות שהוחלפו"
    let rowsUnchanged = "שורות ללא שינוי"
    let rowsRefused = "שורות שנדחו"
    let rowsPerSecond = "שורות בשנייה"
    let secondsLeft = "שניות נותרו"

    func importTitle(_ list: String) -> String { "ייבוא אל \(list)" }

    func state(_ state: ProgressDocument.State) -> String {
        switch state {
        case .waiting: "ממתין לייבוא אחר."
        case .checking: "בודק את השורות; דבר לא נכתב עדיין."
        case .writing: "כותב את השורות; הן ייראו לאחר שהאחרונה תיכתב."
        case .checked: "נבדק; דבר לא נכתב עדיין."
        case .done: "הסתיים."
        case .failed: "נכשל; דבר לא נכתב."
        case .interrupted: "הופסק; דבר לא נכתב."
        }
    }

    func place(line: Int, column: Int) -> String { "שורה \(line), תו \(column):" }

    func title(of purpose: FormDocument.Purpose, list: String, row: String?) -> String {
        switch purpose {
        case .create: "\(list): הוספה"
        case .edit: "עריכת \(row ?? "")"
        case .remove: "למחוק את \(row ?? "")?"
        }
    }

    // MARK: Forms

    let madeID = "מזהה (נוצר אם ריק)"
    let emptyText = "טקסט ריק"
    let emptyBox = "שמירת טקסט ריק במקום ללא ערך"
    let takenMeanwhile = "השתנה מאז פתיחת הטופס; זה הערך החדש."
    let bothChanged = "גם אתם וגם אדם אחר שיניתם את הערך. בחרו אחד:"
    let keepMine = "שמירת הערך שלמעלה"
    let takeTheirs = "השארת הערך החדש:"

    func text(of notice: FormDocument.Notice) -> String {
        switch notice {
        case .nothingGiven: "לא ניתן ערך; דבר לא נכתב."
        case .notStored(1): "לא ניתן לשמור ערך אחד; דבר לא נכתב."
        case .notStored(let count):
            "לא ניתן לשמור \(count) ערכים; דבר לא נכתב."
        case .changedMeanwhile:
            "השורה השתנתה מאז פתיחת הטופס; דבר לא נכתב. ערכים שלא שיניתם הם החדשים. בדקו את המסומנים "
                + "ושמרו שוב."
        case .changedBeforeRemoval:
            "השורה השתנתה מאז פתיחת העמוד; דבר לא נמחק. לחיצה נוספת תמחק אותה."
        case .undecided: "יש לבחור תחילה בין שני הערכים; דבר לא נכתב."
        }
    }
}

extension HebrewText {
    var more: String { "עוד" }
    var suggestedFacets: String { "עמודות עם מעט ערכים" }
    var letters: String { "א–ת" }
    var first: String { "ראשון" }
    var last: String { "אחרון" }
    var page: String { "עמוד" }
    func range(_ range: String, of count: String) -> String { "\(range) מתוך \(count)" }
    var allColumns: String { "כל העמודות" }
    func moveForward(_ column: String) -> String { "הזזת \(column) קדימה" }
    func showAll(_ count: Int) -> String { "הצגת כל \(count) העמודות" }
    var ascending: String { "בסדר עולה" }
    var descending: String { "בסדר יורד" }
    var emptyFirst: String { "ריקים תחילה" }
    var thenBy: String { "ואז לפי" }
    var column: String { "עמודה" }
    var condition: String { "תנאי" }
    var value: String { "ערך" }
    var and: String { "וגם" }
    var between: String { "בין" }
    var isEmpty: String { "ריק" }
    var isNotEmpty: String { "אינו ריק" }
    var countValuesOf: String { "ספירת ערכים של" }
    var noRowMatches: String { "אין שורה תואמת" }
    var noConditionMet: String {
        "אפשר לשנות או להסיר את החיפוש או אחד המסננים, או להציג את כל השורות."
    }
    func firstRow(canImport: Bool) -> String {
        canImport
            ? "אפשר להוסיף את השורה הראשונה, או לייבא קובץ למעלה."
            : "אפשר להוסיף את השורה הראשונה."
    }
    func change(_ condition: String) -> String { "שינוי: \(condition)" }
    func openRow(_ id: String) -> String { "פתיחת השורה \(id)" }
    var rowBefore: String { "השורה הקודמת" }
    var rowAfter: String { "השורה הבאה" }
    var reading: String { "השורות נקראות…" }
    var saved: String { "נשמר" }
    var gone: String { "נמחק" }
    var undo: String { "ביטול הפעולה" }
    var undone: String { "הפעולה בוטלה" }
    var notUndone: String { "לא ניתן לבטל: השורות השתנו מאז." }
    var copy: String { "העתקה" }
    var searchLists: String { "חיפוש בכל הרשימות" }
    var notSearched: String { "לא נערך חיפוש" }
    var unavailable: String { "לא ניתן לקריאה כרגע" }
    func nothingFound(_ text: String) -> String { "אין רשימה שמכילה „\(text)“" }
    var file: String { "קובץ" }
    var preview: String { "תצוגה מקדימה" }
    var firstRows: String { "השורות הראשונות בקובץ" }
    var notInList: String { "לא ברשימה" }
    func name(of type: ColumnType) -> String {
        switch type {
        case .text: "טקסט"
        case .integer: "מספר שלם"
        case .real: "מספר"
        case .boolean: "כן או לא"
        case .date: "תאריך"
        case .timestamp: "תאריך ושעה"
        case .email: "דוא״ל"
        case .link: "קישור"
        case .json: "JSON"
        case .bytes: "בתים"
        }
    }
    var existingRows: String { "שורות קיימות:" }
    var duplicates: [String] { ["דחיית הקובץ", "השארה", "החלפה", "שינוי"] }
    func importRows(_ count: Int) -> String { "ייבוא \(rows(Count(count)))" }
    var export: String { "ייצוא" }
    var columnMenu: String { "תפריט של %" }
    var sortAscending: String { "מיון עולה" }
    var sortDescending: String { "מיון יורד" }
    var thenAscending: String { "ואז עולה" }
    var thenDescending: String { "ואז יורד" }
    var countValues: String { "ספירת ערכים" }
    var hide: String { "הסתרה" }
    var statistics: String { "סטטיסטיקה" }
    var statisticsOf: String { "סטטיסטיקה של" }
    func statistics(of column: String) -> String { "סטטיסטיקה של \(column)" }
    var smallest: String { "הערך הקטן" }
    var mean: String { "ממוצע" }
    var largest: String { "הערך הגדול" }
    var missing: String { "ללא ערך" }
    var distinct: String { "ערכים שונים" }
    var shortest: String { "הקצר ביותר" }
    var longest: String { "הארוך ביותר" }
    var frequent: String { "הנפוצים ביותר" }
    var moveLeft: String { "שמאלה" }
    var moveRight: String { "ימינה" }
    var pin: String { "הצמדה עד כאן" }
    var unpin: String { "שחרור" }
    var wider: String { "רחב יותר" }
    var narrower: String { "צר יותר" }
    var views: String { "תצוגות שמורות" }
    var viewName: String { "שם התצוגה" }
    var saveView: String { "שמירה" }
    var forgetView: String { "מחיקת התצוגה %" }
    var compact: String { "שורות צפופות" }
    var endless: String { "טעינת שורות נוספות בגלילה" }
}
