import Roster

struct Contact: Identifiable {
    let id: Int
    let name: String, phone: String?
}
struct Team: Identifiable {
    let id: Int
    let name: String, size: Int
}
let contacts = [
    Contact(id: 1, name: "Ada", phone: "+44 20 7946 0000"),
    Contact(id: 2, name: "Grace", phone: nil),
]

@main struct Phone: ListApp {
    var lists: some Lists {
        List("phone") {
            Section("Teams", [Team(id: 1, name: "Home", size: 4)]) {
                Column(\.name)
                Column(\.size)
            }
            Section("People", contacts) {
                Column(\.name)
                Column(\.phone)
            }
            .action("call") { person, _ in .done(message: "Calling \(person.name).") }
        }
    }
}
