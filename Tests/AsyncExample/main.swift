// Serves a list after other threads were started, as a program with a main function of its own does.

import Glibc
import Roster

struct Entry: Identifiable {
    let id: Int
    let name: String
}

struct Entries: ListApp {
    let entries = Models<Entry>()

    /// A closure that blocks its thread, if a variable of the environment says so.
    var authentication: Authentication? {
        guard getenv("BLOCKS") != nil else { return nil }
        return Authentication { _ in
            sleep(60)
            return nil
        }
    }

    var lists: some Lists {
        List("entries", live: entries) { Column(\.name) }
    }
}

let app = Entries()
let made = await Task.detached { [Entry(id: 1, name: "one"), Entry(id: 2, name: "two")] }.value
app.entries.update { $0 = made }
do { try await app.run() } catch let error as AppError { exit(error.exitCode) }
