import Database
import Testing

@Suite("Conditions that limit a column to some texts")
struct ChoiceListTests {
    @Test(
        "the texts are read from the statement of SQLite and from the condition of PostgreSQL",
        arguments: [
            "CREATE TABLE t (id INTEGER, \"state\" TEXT CHECK (state IN ('new', 'it''s')), x TEXT)",
            "CREATE TABLE t ([State] TEXT, -- CHECK (x IN ('a'))\n CHECK(([state] in ('new','it''s'))))",
            "CHECK ((state = ANY (ARRAY['new'::text, 'it''s'::text])))",
            "CHECK (((state)::text = ANY ((ARRAY['new'::character varying, "
                + "'it''s'::character varying])::text[])))",
        ]
    )
    func choices(sql: String) {
        #expect(ChoiceList.all(in: sql) == ["state": ["new", "it's"]])
    }

    @Test(
        "other conditions limit nothing",
        arguments: [
            "CHECK (size IN (1, 2))", "CHECK (state IS NULL OR state IN ('new'))",
            "CHECK (state NOT IN ('new'))", "CHECK (state IN ('new') AND size > 1)", "CHECK (",
            "CHECK (state <> 'new')", "CHECK (lower(state) = 'new')", "CHECK (state IN ('new",
        ]
    )
    func others(sql: String) {
        #expect(ChoiceList.all(in: sql) == [:])
    }
}
