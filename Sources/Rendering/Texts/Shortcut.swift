/// A key, or several, and what it does.
struct Shortcut {
    let keys: [String]
    let meaning: String

    init(_ keys: String..., meaning: String) {
        self.keys = keys
        self.meaning = meaning
    }
}
