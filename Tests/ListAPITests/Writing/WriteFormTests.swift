import HTTP
import ListAPI
import ListAPITestSupport
import Listings
import Testing

@Suite("People write rows on plain forms")
struct WriteFormTests {
    private let client: Client

    init() throws { client = try Client(writing: .throughServer) }

    private func page(_ target: String) throws -> Answer {
        try client.get(target, accept: "text/html")
    }

    private func post(_ target: String, _ form: String) throws -> Answer {
        try client.send(
            .post,
            target,
            form,
            fields: [(.contentType, "application/x-www-form-urlencoded"), (.accept, "text/html")]
        )
    }

    private func tag(_ form: Answer) throws -> String {
        let found = form.body.firstMatch(of: /name="form__tag" value="([^"]+)"/)
        return try String(#require(found?.1))
    }

    @Test("the list leads to a form for a new row, and back with what was asked for")
    func create() throws {
        #expect(try page("/users?sort=-age").body.contains(#"href="/users/-/new?sort=-age""#))
        let form = try page("/users/-/new?sort=-age")
        #expect(form.status == 200)
        #expect(form.body.contains(#"<form method="post" novalidate action="/users?sort=-age" "#))
        #expect(form.body.contains(#"<label for="f1">First name</label>"#))
        let answer = try post("/users?sort=-age", "id=&firstName=A&lastName=B&occupation=C")
        #expect(answer.status == 303)
        #expect(answer.field("Location")?.hasPrefix("/users?sort=-age&notice=") == true)
        let wrong = try post("/users?sort=-age", "firstName=%3Cb%3E&lastName=&occupation=C&age=x")
        #expect(wrong.status == 422)
        #expect(wrong.body.contains("2 values cannot be stored; nothing was written."))
        #expect(wrong.body.contains(">\n&lt;b&gt;</textarea>"))
        #expect(wrong.body.contains(#"aria-invalid="true" aria-describedby="e2""#))
        #expect(wrong.body.contains("This takes a whole number such as 42."))
        let named = try post("/users", "id=70&firstName=A&lastName=B&occupation=C")
        #expect(named.status == 303)
        #expect(try client.cells("/users/70")?["firstName"]?.text == "A")
        let twice = try post("/users", "firstName=A&firstName=B&lastName=B&occupation=C")
        #expect(twice.status == 422)
    }

    @Test("a row is changed, and what was left as it is stays so")
    func edit() throws {
        #expect(try page("/users/14").body.contains(#"href="/users/14/-/edit""#))
        // The row has no first name, which a new one would need.
        let form = try page("/users/14/-/edit?limit=5")
        let fields = "firstName=&lastName=Suharto&city=Bogor&form__tag=\(try tag(form))"
        let answer = try post("/users/14/-/edit?limit=5", fields)
        #expect(answer.status == 303)
        #expect(answer.field("Location")?.hasPrefix("/users?limit=5&notice=") == true)
        #expect(try client.cells("/users/14")?["city"]?.text == "Bogor")
        #expect(try client.cells("/users/14")?["occupation"]?.text == "Writer")
    }

    @Test("without the values that were seen, whatever differs is a choice")
    func conflict() throws {
        let old = try tag(page("/users/1/-/edit"))
        #expect(try client.send(.patch, "/users/1", #"{"city":"Abuja"}"#).status == 200)
        let answer = try post("/users/1/-/edit", "city=Kano&form__tag=\(old)")
        #expect(answer.status == 412)
        #expect(answer.body.contains(">\nKano</textarea>"))
        #expect(answer.body.contains("<bdi>Abuja</bdi>"))
        #expect(try client.cells("/users/1")?["city"]?.text == "Abuja")
        let again = "city=Kano&form__choice__city=&form__tag=\(try tag(answer))"
        let undecided = try post("/users/1/-/edit", again)
        #expect(undecided.status == 422 && undecided.body.contains("Choose between the two values"))
        #expect(try post("/users/1/-/edit", again + "&form__choice__city=mine").status == 303)
        #expect(try client.cells("/users/1")?["city"]?.text == "Kano")
        #expect(try post("/users/1/-/edit", "city=x&form__tag=%22%0A").status == 412)
        #expect(try post("/users/1/-/edit", "city=x").status == 412)
    }

    @Test("what cannot be stored is shown again with what is wrong, and nothing is written")
    func invalid() throws {
        let old = try tag(page("/users/1/-/edit"))
        let answer = try post("/users/1/-/edit", "city=Kano&age=x&form__tag=\(old)")
        #expect(answer.status == 422)
        #expect(answer.body.contains("This takes a whole number such as 42."))
        #expect(answer.body.contains(">\nKano</textarea>"))
        #expect(try client.cells("/users/1")?["city"]?.text == "Lagos")
    }

    @Test("a row that was changed meanwhile is not removed")
    func conflictingRemoval() throws {
        let old = try tag(page("/users/2/-/delete"))
        #expect(try client.send(.patch, "/users/2", #"{"city":"Abuja"}"#).status == 200)
        let answer = try post("/users/2/-/delete", "form__tag=\(old)")
        #expect(answer.status == 412)
        #expect(try client.get("/users/2").status == 200)
        #expect(try post("/users/2/-/delete", "form__tag=\(try tag(answer))").status == 303)
    }

    @Test("a row is removed after a question")
    func remove() throws {
        let form = try page("/users/2/-/delete?limit=5")
        #expect(form.body.contains("<h1>Delete ") && !form.body.contains("<h1>Delete 2?"))
        #expect(try client.get("/users/2").status == 200)
        let answer = try post("/users/2/-/delete?limit=5", "form__tag=\(try tag(form))")
        #expect(answer.status == 303)
        #expect(answer.field("Location")?.hasPrefix("/users?limit=5&notice=") == true)
        #expect(try client.get("/users/2").status == 404)
        #expect(try page("/users/2/-/delete").status == 404)
    }

    @Test("forms are where rows can be written, and for people")
    func addresses() throws {
        let readOnly = try Client(samples: .inMemory)
        for target in ["/users/-/new", "/users/1/-/edit", "/users/1/-/delete"] {
            #expect(try readOnly.get(target, accept: "text/html").status == 404)
            #expect(try client.get(target, accept: "application/json").status == 406)
        }
        #expect(try !readOnly.get("/users", accept: "text/html").body.contains("/-/new"))
        let allowed = try client.ask(.options, "/users/1/-/edit").field("Allow")
        #expect(allowed == "GET, HEAD, POST, OPTIONS")
        let foreign = try client.send(
            .post,
            "/users/1/-/delete",
            "form__tag=x",
            fields: [
                (.contentType, "application/x-www-form-urlencoded"),
                (.origin, "https://other.example"), (.accept, "text/html"),
            ]
        )
        #expect(foreign.status == 403)
    }
}
