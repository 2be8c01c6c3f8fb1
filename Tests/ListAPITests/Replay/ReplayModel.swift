import Listings

/// A model whose cells are given as they are.
struct ReplayModel: Identifiable, Sendable {
    var id: String
    /// The cells by the ids of their columns; those left out have no value.
    var cells: [String: CellValue] = [:]
    var displays: [String: String] = [:]
    var revision: Int64? = 1
    /// Whether the row cannot be shown.
    var fails = false
    var below: [String] = []
}

struct ReplayController: RowController {
    struct Refusal: Error {}

    let kind: String
    let columns: [Column]
    let dependsOnModelAlone: Bool

    init(
        _ kind: String = "specimen.row",
        columns: [Column] = Self.allColumns,
        dependsOnModelAlone: Bool = false
    ) {
        self.kind = kind
        self.columns = columns
        self.dependsOnModelAlone = dependsOnModelAlone
    }

    /// A column of each type, and one of any.
    static let allColumns = [
        Column("name", priority: 1, isGroupable: true), Column("note"),
        Column("size", type: .integer, isGroupable: true), Column("ratio", type: .real),
        Column("ok", label: "In <order> & \"checked\"", type: .boolean, isGroupable: true),
        Column("day", type: .date, priority: 3, isGroupable: true),
        Column("moment", type: .timestamp, priority: 3), Column("mail", type: .email),
        Column("site", type: .link), Column("data", type: .json, isSortable: false),
        Column("blob", type: .bytes, isSortable: false, isFilterable: false),
        Column("any", priority: 3, isMixed: true),
    ]

    func write(_ context: Context<ReplayModel>, to cells: inout CellBuffer) throws {
        let specimen = context.model
        for column in columns {
            cells.append(
                specimen.cells[column.id] ?? .null,
                display: specimen.displays[column.id]
            )
        }
        // A row that fails does so when a part of it is written.
        if specimen.fails { throw Refusal() }
    }

    func revision(of model: ReplayModel) -> Int64? { model.revision }
}

extension ReplayModel {
    static func named(_ id: String, _ text: String) -> ReplayModel {
        ReplayModel(id: id, cells: ["name": .text(text), "note": .text(text)])
    }

    private static func time(_ text: String) -> CellValue {
        Timestamp(text).map(CellValue.timestamp) ?? .text("no time: \(text)")
    }

    private static func day(_ text: String) -> CellValue {
        CalendarDate(text).map(CellValue.date) ?? .text("no day: \(text)")
    }

    private static func decimal(_ text: String) -> CellValue {
        ExactDecimal(text).map(CellValue.decimal) ?? .text("no number: \(text)")
    }

    static let whole = [
        ReplayModel(
            id: "plain",
            cells: [
                "name": .text("Barbara"), "note": .text("An ordinary row"), "size": .integer(70),
                "ratio": .real(0.25), "ok": .boolean(true), "day": day("2021-11-13"),
                "moment": time("2021-11-13T08:05:09Z"), "mail": .text("b@example.org"),
                "site": .text("https://example.org/b?x=1&y=2"), "data": .json(#"{"a":[1,null]}"#),
                "blob": .bytes(ByteValue(count: 3)), "any": .text("any"),
            ]
        ),
        ReplayModel(
            id: "a/b ü?#%<\"&'>.json",
            cells: [
                "name": .text("Ängström \"Ida\" <i> & 'co'"),
                "note": .text(
                    "tab\t, line\nbreak\r\n, bell\u{7}, \u{1}\u{1F}\u{7F}\u{0}, \\ and /"
                ),
                "size": .integer(0), "ratio": decimal("0.10"), "ok": .boolean(false),
                "day": day("2024-02-29"), "moment": time("2024-02-29T23:59:59.123456+05:30"),
                "mail": .text("\"q&d\"@example.org"), "site": .text("http://example.org/<x>\"y\""),
                "data": .json(#"["</script>","é\n",{"q":"\"<&>"}]"#),
                "blob": .bytes(ByteValue(count: 1)), "any": .integer(9),
            ],
            revision: 9_007_199_254_740_993
        ),
        ReplayModel(
            id: "unicode",
            cells: [
                "name": .text("Élodie 👩‍👩‍👧 e\u{301} ﬁ"),
                "note": .text(
                    "line\u{2028}and\u{2029}paragraph, \u{202E}back\u{202C}, \u{85}, 日本 🙂"
                ),
                "size": .integer(-1), "ratio": .real(-0.0), "ok": .boolean(true),
                "day": day("0001-01-01"), "moment": time("1969-12-31T23:59:60Z"),
                "mail": .text("élodie@exämple.org"), "site": .text("https://exämple.org/日本"),
                "data": .json(#"{"é":"🙂"}"#), "blob": .bytes(ByteValue(count: 1_048_576)),
                "any": .boolean(false),
            ],
            revision: nil
        ),
        ReplayModel(
            id: "largest",
            cells: [
                "name": .text(String(repeating: "Zeppelin ", count: 22) + "Zz"),
                "note": .text(String(repeating: "x<é", count: 50)), "size": .integer(.max),
                "ratio": .real(1.7976931348623157e308), "ok": .boolean(true),
                "day": day("9999-12-31"), "moment": time("9999-12-31T23:59:59.999999999Z"),
                "mail": .text(String(repeating: "m", count: 60) + "@example.org"),
                "site": .text("https://example.org/" + String(repeating: "p", count: 180)),
                "data": .json("[" + String(repeating: "[],", count: 30) + "{}]"),
                "blob": .bytes(ByteValue(count: 0)), "any": decimal("12345678901234567890.50"),
            ]
        ),
        ReplayModel(
            id: "least",
            cells: [
                "name": .text(""), "note": .text(" "), "size": .integer(.min),
                "ratio": .real(.leastNonzeroMagnitude), "ok": .boolean(false),
                "day": day("1970-01-01"),
                "moment": time("2024-05-06T07:08"), "mail": .text(""), "site": .text(""),
                "data": .json("{}"), "blob": .bytes(ByteValue(count: 2)), "any": .real(2.5),
            ]
        ),
    ]

    /// Specimens of which some cells have no value, or one of another type.
    static let partial = [
        ReplayModel(id: "nothing"),
        ReplayModel(
            id: "precise",
            cells: [
                "name": .text("exactly thirty-two bytes of text"), "size": .integer(1 << 53),
                "ratio": .real(0.1), "note": .text("exactly thirty-three bytes, text."),
                "any": day("2024-01-02"),
            ]
        ),
        ReplayModel(
            id: "beyond",
            cells: [
                "name": .text("Barbara"), "size": .integer(9_007_199_254_740_993),
                "ratio": .real(.infinity), "any": time("2024-01-02T03:04:05-08:00"),
                "moment": day("2024-03-04"), "site": .text("javascript:alert(1)"),
            ]
        ),
        ReplayModel(
            id: "unsafe",
            cells: [
                "name": .text("barbara"), "ratio": .real(.nan), "any": .json("[1]"),
                "site": .text("data:text/html,<b>x</b>"), "mail": .text("no address"),
            ]
        ),
        ReplayModel(
            id: "below",
            cells: [
                "name": .text("Bärbel"), "ratio": .real(-.infinity),
                "site": .text("//example.org"),
                "any": .bytes(ByteValue(count: 4)), "mail": .text("a@b@c"),
            ]
        ),
        ReplayModel(
            id: "exponent",
            cells: [
                "name": .text("=1+1"), "ratio": .real(1e21), "size": .integer(1_234_567),
                "site": .text("/relative?x=<y>"), "any": .real(1e-7), "note": .text("@sum, -1"),
            ]
        ),
        ReplayModel(
            id: "money",
            cells: [
                "name": .text("~"), "ratio": decimal("-1234567.890"), "size": decimal("12"),
                "site": .text("mailto:a@example.org"), "note": .text("a,b;\"c\""),
                "any": .text("2024-01-02"),
            ]
        ),
        ReplayModel(
            id: "shown",
            cells: [
                "name": .text("Shown"), "size": .integer(5), "ok": .boolean(true),
                "day": day("2020-10-09"), "moment": time("2020-10-09T08:07:06.5"),
                "ratio": .real(3.75), "mail": .text("s@example.org"),
                "site": .text("https://example.org/s"), "data": .json("[]"),
                "blob": .bytes(ByteValue(count: 9)),
            ],
            displays: [
                "name": "<b>Shown</b> & \"seen\"", "size": "five", "ok": "ja", "day": "Friday",
                "moment": "long ago", "ratio": "3¾", "mail": "mail me", "site": "home",
                "data": "nothing", "blob": "nine", "any": "not <given>", "note": "",
            ]
        ),
        ReplayModel(id: "failing", cells: ["name": .text("Fails")], fails: true),
    ]
}
