import Database

/// Tables of databases on the command line.
extension TableSelection {
    /// Adds keys: `orders=customer,number`, and further lists after commas.
    mutating func addKeys(_ value: String, origin: String) throws(ConfigurationError) {
        var list: String?
        for part in value.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if words.count == 2 {
                list = String(words[0])
                guard keys[String(words[0])] == nil else {
                    throw .invalidValue(origin, value: value, allowed: "one key for each list")
                }
            }
            guard let list, let column = words.last, !list.isEmpty, !column.isEmpty else {
                let allowed = "LIST=COLUMN[,COLUMN], as in orders=customer,number"
                throw .invalidValue(origin, value: value, allowed: allowed)
            }
            keys[list, default: []].append(String(column))
        }
    }

    /// Reads names of tables or lists, with commas between.
    static func names(_ value: String, origin: String) throws(ConfigurationError) -> Set<String> {
        let names = value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard !names.contains("") else {
            throw .invalidValue(
                origin,
                value: value,
                allowed: "names of tables, as in orders,people"
            )
        }
        return Set(names)
    }
}
