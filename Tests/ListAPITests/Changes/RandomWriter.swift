import HTTP
import ListAPITestSupport
import TestSupport

struct RandomWriter {
    private static let occupations = ["Writer", "Engineer", "Nurse", "Farmer", "Pilot"]
    private static let cities = ["Oslo", "Lund", "Accra", "Rome"]
    private static let names = ["Aa", "Bo", "Élodie", "Øre", "Zu", "von Ñ"]

    private var generator: SeededGenerator
    private var ids = (1...40).map(String.init)
    private var nextID: Int

    /// Creates a writer; writers of other seeds make rows with other ids.
    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        nextID = 10_000 * Int(seed)
    }

    mutating func write(_ client: Client) throws {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0...2:
            nextID += 1
            try send(client, .put, "\(nextID)", body(isWhole: true))
            ids.append("\(nextID)")
        case 3...4 where ids.count > 10:
            let id = ids.remove(at: Int.random(in: ids.indices, using: &generator))
            try send(client, .delete, id, nil)
        default:
            let id = ids[Int.random(in: ids.indices, using: &generator)]
            try send(client, .patch, id, body(isWhole: false))
        }
    }

    private func send(
        _ client: Client,
        _ method: HTTPMethod,
        _ id: String,
        _ body: String?
    ) throws {
        let fields: [(FieldName, String)] = body == nil ? [] : [(.contentType, "application/json")]
        let answer = try client.ask(method, "/users/\(id)", fields: fields, body: body)
        // Another writer may have deleted the row.
        guard (200...204).contains(answer.status) || answer.status == 404 else {
            throw Unwritten(answer: answer.body)
        }
    }

    private mutating func body(isWhole: Bool) -> String {
        var members: [String] = []
        func add(_ name: String, _ values: [String], _ generator: inout SeededGenerator) {
            guard isWhole || Int.random(in: 0..<3, using: &generator) == 0 else { return }
            let value = values[Int.random(in: values.indices, using: &generator)]
            members.append("\"\(name)\":\"\(value)\"")
        }
        add("firstName", Self.names, &generator)
        add("lastName", Self.names, &generator)
        add("occupation", Self.occupations, &generator)
        add("city", Self.cities, &generator)
        return "{\(members.joined(separator: ","))}"
    }

    /// A write that was not done.
    struct Unwritten: Error { let answer: String }
}
