import ListAPI
import RemoteLists

/// The header fields of requests to http(s) sources, each sent only to its own source.
struct SourceFields {
    private let fields: [SourceField]

    init(_ configuration: Configuration) throws(Failure) {
        var fields = configuration.sourceFields
        if let path = configuration.sourceFieldsFile { fields += try Self.read(path) }
        self.fields = fields
        let sources = configuration.sources.filter { $0.address != nil }
        for (index, field) in fields.enumerated() {
            try Self.check(field, sources)
            let isRepeated = fields[..<index].contains { other in
                other.list == field.list
                    && other.field.name.lowercased() == field.field.name.lowercased()
            }
            guard !isRepeated else {
                let text = "\(field.origin): '\(field.field.name)' is given twice"
                throw Failure(.configuration, text)
            }
        }
    }

    func fields(of list: String) -> [RemoteField] {
        let own = fields.filter { $0.list == list }.map(\.field)
        let names = Set(own.map { $0.name.lowercased() })
        let general = fields.filter { $0.list == nil }.map(\.field)
        return own + general.filter { !names.contains($0.name.lowercased()) }
    }

    /// Refuses a field without a single destination, because it must not reach another server.
    private static func check(
        _ field: SourceField,
        _ sources: [SourceArgument]
    ) throws(Failure) {
        let origin = field.origin
        let names = sources.map(\.listName)
        if let list = field.list {
            guard !names.contains(list) else { return }
            let known =
                names.isEmpty ? "there is none" : "there are " + names.joined(separator: ", ")
            throw Failure(
                .configuration,
                "\(origin): no http(s) source gives the list '\(list)'; \(known)"
            )
        }
        let servers = Set(sources.compactMap(\.address).map(\.origin))
        guard servers.count != 1 else { return }
        let name = field.field.name
        throw Failure(
            .configuration,
            servers.isEmpty
                ? "\(origin): there is no http(s) source to send '\(name)' to"
                : "\(origin): '\(name)' would be sent to \(servers.count) servers; "
                    + "write LIST=\(name): for one of \(names.joined(separator: ", "))"
        )
    }

    private static func read(_ path: String) throws(Failure) -> [SourceField] {
        try SourceField.read(try SettingsFile.text(of: path), origin: path)
    }
}
