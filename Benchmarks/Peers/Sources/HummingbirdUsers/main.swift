import Hummingbird
import ListPage
import Mustache
import People

// The page of users by Hummingbird: `/users` as JSON by its encoder, `/users.html` by Mustache.

extension ListPage: ResponseEncodable {}

struct HTML: ResponseGenerator {
    let html: String

    func response(from request: Request, context: some RequestContext) throws -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/html"],
            body: .init(byteBuffer: ByteBuffer(string: html))
        )
    }
}

let template = """
    <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{{list.title}}</title></head>\
    <body><h1>{{list.title}}</h1><table><thead><tr>{{#columns}}<th>{{label}}</th>{{/columns}}</tr>\
    </thead>{{#sections}}<tbody><tr><th colspan="3">{{title}} {{count}}</th></tr>{{#rows}}\
    <tr id="r-{{id}}">{{#cells}}<td>{{firstName}}</td><td>{{lastName}}</td><td>{{occupation}}</td>\
    {{/cells}}</tr>{{/rows}}</tbody>{{/sections}}</table></body></html>
    """
var library = MustacheLibrary()
try library.register(template, named: "users")
let people = Person.make(50)
let router = Router()
router.get("users") { _, _ in ListPage(of: people) }
router.get("users.html") { [library] _, _ -> HTML in
    guard let html = library.render(ListPage(of: people), withTemplate: "users") else {
        throw HTTPError(.internalServerError)
    }
    return HTML(html: html)
}
let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8080
let app = Application(
    router: router,
    configuration: .init(address: .hostname("127.0.0.1", port: port))
)
try await app.runService()
