import HTTP
import ListAPI
import ListAPITestSupport
import Listings
import RosterProgram
import TestSupport
import Testing

@Suite("The edit form keeps what a person did not change")
struct FormMergeTests {
    private let folder: ScratchFolder
    private let client: Client

    init() throws {
        folder = try ScratchFolder()
        try folder.write(Array("id,name,note,size\na,x,y,7\n".utf8), to: "things.csv")
        var configuration = Configuration()
        configuration.sources = [try SourceArgument("\(folder.path)/things.csv")]
        configuration.allowsAnonymousWrites = true
        configuration.database = ":memory:"
        var options = ServiceOptions()
        options.writing = .everybody(requiresCondition: false)
        client = try Client(try ListRegistry(configuration).lists, .throughServer, options: options)
    }

    private func patch(_ json: String) throws {
        #expect(try client.send(.patch, "/things/a", json).status == 200)
    }

    private func open(language: String = "en") throws -> BrowserForm {
        let fields: [(FieldName, String)] = [(.accept, "text/html"), (.acceptLanguage, language)]
        return BrowserForm(try client.ask(.get, "/things/a/-/edit", fields: fields))
    }

    private func send(_ form: BrowserForm) throws -> Answer {
        try client.send(
            .post,
            "/things/a/-/edit",
            form.encoded,
            fields: [
                (.contentType, "application/x-www-form-urlencoded"), (.accept, "text/html"),
            ]
        )
    }

    private func cells() throws -> JSON { try #require(try client.cells("/things/a")) }

    @Test(
        "saving without typing changes nothing, whatever the text is",
        arguments: [
            "null", #""""#, #"" ""#, #""a\nb""#, #""a\r\nb""#, #""a\rb\n\nc\r\n""#, #""\n\na""#,
            #""a\u0001\u007fb""#, #""<b>&amp;\"'""#, #""é""#, #""null""#, #""\ttab ""#,
        ]
    )
    func untouched(json: String) throws {
        try patch(#"{"note":\#(json)}"#)
        let tag = try client.tag("/things/a")
        #expect(try send(open()).status == 303)
        #expect(try client.tag("/things/a") == tag)
        // The value also stays when another field is changed.
        var form = try open()
        form["name"] = "z"
        #expect(try send(form).status == 303)
        #expect(try cells()["note"] == JSON(json))
        #expect(try cells()["name"]?.text == "z")
    }

    @Test(
        "an edited text keeps the line breaks that it had",
        arguments: [
            (#""a\nb""#, "a\nb\nc", #""a\nb\nc""#), (#""a\r\nb""#, "a\nb\nc", #""a\r\nb\r\nc""#),
            (#""a\r\nb\nc\rd""#, "a\nx\nc\rd", #""a\r\nx\r\nc\rd""#),
            (#""a\u0001\nb""#, "a\u{2401}\nc", #""a\u0001\nc""#), ("null", "a\nb", #""a\nb""#),
            (#""a\r\n""#, "", "null"), (#""a\nb\nc""#, "c", #""c""#),
        ]
    )
    func lineBreaks(stored: String, typed: String, expected: String) throws {
        try patch(#"{"note":\#(stored)}"#)
        var form = try open()
        form["note"] = typed
        #expect(try send(form).status == 303)
        #expect(try cells()["note"] == JSON(expected))
    }

    @Test("a person sets a value, an empty text and no value")
    func emptyText() throws {
        var form = try open()
        #expect(form.checked["form__empty"] == [])
        form["note"] = ""
        form.checked["form__empty"] = ["note"]
        #expect(try send(form).status == 303)
        #expect(try cells()["note"] == JSON(#""""#))
        form = try open()
        #expect(form.checked["form__empty"] == ["note"])
        form.checked["form__empty"] = []
        #expect(try send(form).status == 303)
        #expect(try cells()["note"] == .null)
        // The box means nothing beside a text.
        form = try open()
        form["note"] = "text"
        form.checked["form__empty"] = ["note"]
        #expect(try send(form).status == 303)
        #expect(try cells()["note"]?.text == "text")
    }

    @Test("new rows have LF for line breaks, and empty texts where the box says so")
    func create() throws {
        let type: [(FieldName, String)] = [
            (.contentType, "application/x-www-form-urlencoded"), (.accept, "text/html"),
        ]
        let form = "id=b&name=&note=1%0D%0A2&size=&form__empty=name"
        let sent = try client.send(.post, "/things", form, fields: type)
        #expect(sent.status == 303)
        let list = try client.get(try #require(sent.field("Location")), accept: "text/html")
        #expect(list.body.contains(#"role="status">Added · <a href="/things/b">Show</a></p>"#))
        #expect(try client.cells("/things/b")?["name"] == JSON(#""""#))
        #expect(try client.cells("/things/b")?["note"] == JSON(#""1\n2""#))
        #expect(try client.cells("/things/b")?["size"] == .null)
        for column in ["naem", "size"] {
            let wrong = "id=c&\(column)=&form__empty=\(column)"
            let fields = [(FieldName.contentType, "application/x-www-form-urlencoded")]
            #expect(try client.send(.post, "/things", wrong, fields: fields).status == 422)
        }
    }

    @Test("fields that only another writer changed show the new value and are not written back")
    func theirs() throws {
        var form = try open()
        try patch(#"{"note":"theirs\r\nall","size":8}"#)
        form["name"] = "mine"
        let answer = try send(form)
        #expect(answer.status == 412)
        #expect(answer.body.contains("The row has changed since you opened this form"))
        #expect(answer.body.matches(of: /this is the new value/).count == 2)
        #expect(try cells()["name"]?.text == "x")
        var again = BrowserForm(answer)
        #expect(again["name"] == "mine" && again["note"] == "theirs\nall" && again["size"] == "8")
        #expect(again.choices.isEmpty)
        // Another change meanwhile is met as well.
        try patch(#"{"size":9}"#)
        again = BrowserForm(try send(again))
        #expect(again["size"] == "9")
        #expect(try send(again).status == 303)
        #expect(try cells() == JSON(#"{"id":"a","name":"mine","note":"theirs\r\nall","size":9}"#))
    }

    @Test(
        "a field that both changed shows both values, and the person chooses",
        arguments: [
            "mine", "theirs",
        ]
    )
    func both(choice: String) throws {
        var form = try open()
        try patch(#"{"note":"theirs","name":"their name"}"#)
        form["note"] = "mine"
        form = BrowserForm(try send(form))
        #expect(form.choices == ["note"] && form["note"] == "mine")
        #expect(form.page.contains("<bdi>theirs</bdi>"))
        let undecided = try send(form)
        #expect(undecided.status == 422)
        form = BrowserForm(undecided)
        #expect(form.choices == ["note"] && form["note"] == "mine")
        #expect(try cells()["note"]?.text == "theirs")
        form.checked["form__choice__note"] = [choice]
        #expect(try send(form).status == 303)
        #expect(try cells()["note"]?.text == choice)
        #expect(try cells()["name"]?.text == "their name")
    }

    @Test("a choice is asked again when the field has changed once more")
    func changedAgain() throws {
        var form = try open()
        try patch(#"{"note":"first"}"#)
        form["note"] = "mine"
        form = BrowserForm(try send(form))
        form.checked["form__choice__note"] = ["mine"]
        try patch(#"{"note":"second"}"#)
        let answer = try send(form)
        #expect(answer.status == 412 && answer.body.contains("<bdi>second</bdi>"))
        #expect(BrowserForm(answer).checked["form__choice__note"] == [])
        #expect(try cells()["note"]?.text == "second")
    }

    @Test("both having typed the same, and a change back, are no conflict")
    func same() throws {
        var form = try open()
        try patch(#"{"note":"same"}"#)
        form["note"] = "same"
        form["name"] = "mine"
        let answer = try send(form)
        #expect(answer.status == 412 && BrowserForm(answer).choices.isEmpty)
        form = try open()
        try patch(#"{"note":"other"}"#)
        try patch(#"{"note":"same"}"#)
        form["name"] = "mine"
        #expect(try send(form).status == 303)
        #expect(try cells()["name"]?.text == "mine")
    }

    @Test("a value that cannot be stored keeps the choice and what was typed")
    func faulty() throws {
        var form = try open()
        try patch(#"{"note":null}"#)
        form["note"] = "mine"
        form["size"] = "many"
        form = BrowserForm(try send(form))
        #expect(form.page.contains("<span class=\"null\">none</span>"))
        form.checked["form__choice__note"] = ["mine"]
        let answer = try send(form)
        #expect(answer.status == 422)
        form = BrowserForm(answer)
        #expect(form["note"] == "mine" && form["size"] == "many")
        #expect(form.checked["form__choice__note"] == ["mine"])
        form["size"] = "3"
        #expect(try send(form).status == 303)
        #expect(try cells() == JSON(#"{"id":"a","name":"x","note":"mine","size":3}"#))
    }

    @Test("the form speaks the language of the page")
    func german() throws {
        #expect(try open(language: "de").page.contains("Leeren Text speichern statt keinen Wert"))
    }
}
