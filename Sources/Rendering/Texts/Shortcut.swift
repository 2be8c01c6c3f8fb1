/// A keyboard shortcut: one or more keys and their meaning.
struct Shortcut {
    let keys: [String]
    let meaning: String

    init(_ keys: String..., meaning: String) {
        self.keys = keys
        self.meaning = meaning
    }
}
