import Database
import ListAPI
import Listings

extension Configuration {
    func description(of list: String) -> DescribedList? {
        descriptions.first { $0.name.value == list }
    }

    func withDescriptions() throws(Failure) -> Configuration {
        guard let describing else { return self }
        guard !sources.isEmpty || database != nil else {
            throw Failure(.usage, "--describe: \(describing) describes lists of a source; name one")
        }
        let limit = DescriptionFile.maximumBytes
        let text = try SettingsFile.text(of: describing, maximumBytes: limit)
        var configuration = self
        configuration.descriptions = try DescriptionFile(text, path: describing).lists
        for list in configuration.descriptions { try configuration.take(list) }
        return configuration
    }

    private mutating func take(_ described: DescribedList) throws(Failure) {
        let list = described.name.value
        if described.isHidden { tables.hidden.insert(list) }
        if let group = described.group, !groupings.contains(where: { $0.list == list }) {
            groupings.append(try GroupArgument("\(list)=\(group.value)", origin: group.location))
        }
        if let label = described.label, relations.labels[list] == nil {
            relations.labels[list] = label.value
        }
        for column in described.columns {
            let id = column.id.value
            guard let target = column.target,
                !relations.keys.contains(where: { $0.list == list && $0.column == id })
            else { continue }
            let key = RelationArguments.Key(list: list, column: id, target: target.value)
            relations.keys.append(key)
        }
    }
}
