import HTTP
import ListAPI
import ListAPITestSupport
import Listings
import TestSupport
import Testing

@Suite("Forms offer the values that fields take")
struct FormControlTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private static let tables =
        Shop.tables + """
            CREATE TABLE jobs (job_id integer PRIMARY KEY, name text, done boolean,
                state text NOT NULL CHECK (state IN ('new', 'done')), place text,
                customer_id integer REFERENCES customers (id));
            INSERT INTO jobs VALUES (1, 'One', NULL, 'new', 'Rome', 3), (2, 'Two', NULL, 'new', 'Rome', 1),
                (3, 'Three', NULL, 'done', 'Bern', NULL), (4, 'Four', NULL, 'new', 'Bern', NULL);
            """

    private func client(_ shop: Shop) throws -> AuthorizedClient {
        try AuthorizedClient(
            try shop.lists(in: folder, of: Self.tables),
            [("all", "jobs:write customers:read"), ("some", "jobs:write")],
            writes: true
        )
    }

    private func form(
        _ client: AuthorizedClient,
        _ target: String,
        as name: String
    ) throws -> String {
        let answer = try client.ask(.get, target, as: name, fields: [(.accept, "text/html")])
        #expect(answer.status == 200)
        return answer.body
    }

    @Test("rows of another list are offered with their labels", arguments: [Shop.sqlite])
    func keys(shop: Shop) throws {
        let html = try form(client(shop), "/jobs/1/-/edit", as: "all")
        #expect(html.contains(#"value="3" list="o-customer_id" data-search="/customers""#))
        #expect(html.contains(#"data-labels="name""#))
        #expect(html.contains(#"<option value="1">Ada &amp; Co</option>"#))
        #expect(html.contains(#"<p class="n">Cy</p>"#))
        #expect(html.contains(">Customer</label>"))
    }

    @Test("a caller who may not read the other list has its id alone", arguments: [Shop.sqlite])
    func hidden(shop: Shop) throws {
        let html = try form(client(shop), "/jobs/1/-/edit", as: "some")
        #expect(html.contains(#"name="customer_id" dir="auto" value="3">"#))
        #expect(!html.contains("Ada &amp; Co") && !html.contains("/customers"))
    }

    @Test("the choices of the database are offered, and few texts", arguments: [Shop.sqlite])
    func choices(shop: Shop) throws {
        let html = try form(client(shop), "/jobs/1/-/edit", as: "some")
        let options = #"<option value="new" selected="selected">new</option><option value="done">"#
        #expect(html.contains(options))
        #expect(html.contains(#"<option value="Bern">Bern</option>"#))
        #expect(html.contains(#"value="Rome" list="o-place">"#))
    }

    @Test("a form of a new row has one field for the id", arguments: [Shop.sqlite])
    func id(shop: Shop) throws {
        let html = try form(client(shop), "/jobs/-/new", as: "some")
        #expect(!html.contains(#"name="id""#))
        #expect(html.contains(#">Job id</label>"#))
        #expect(html.contains("made if empty"))
    }
}
