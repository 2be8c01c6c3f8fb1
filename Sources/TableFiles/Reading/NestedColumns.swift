internal import JSON

/// They are determined from the beginning of the file.
///
/// An object becomes columns where it has the same few members in most records. A map with other
/// keys in each record stays a JSON value.
package struct NestedColumns: Hashable, Sendable {
    /// `a.b.c.d` is the deepest column.
    package static let maximumDepth = 3
    private static let maximumMembers = 50

    /// With the names of outer objects and dots before them.
    private var names: Set<String> = []

    package init() {}

    package init(_ names: Set<String>) { self.names = names }

    package var isEmpty: Bool { names.isEmpty }

    package func contains(_ name: String) -> Bool { names.contains(name) }

    private struct Profile {
        var objects = 0
        var others = 0
        var members: [String: Int] = [:]

        /// A geometry of GeoJSON (RFC 7946) is one value.
        var isGeometry: Bool { members["type"] != nil && members["coordinates"] != nil }

        var isUniform: Bool {
            objects > 0 && others == 0 && !members.isEmpty && !isGeometry
                && members.count <= NestedColumns.maximumMembers
                && members.values.reduce(0, +) * 2 >= members.count * objects
        }
    }

    package init(in sample: borrowing Span<UInt8>, _ layout: JSONReader.Layout) {
        var profiles: [String: Profile] = [:]
        var columns: Set<String> = []
        var reader = JSONReader(layout)
        var record = FileRecord()
        var index = 0
        while (try? reader.read(sample, from: &index, into: &record)) == .complete {
            for (column, name) in reader.columns.written.enumerated() where !record.isNull(column) {
                columns.insert(name)
                guard record.form(of: column) == .container, let json = record.text(column) else {
                    profiles[name, default: Profile()].others += 1
                    continue
                }
                Self.add(Array(json.utf8), under: name, depth: 1, to: &profiles)
            }
        }
        for (name, profile) in profiles where profile.isUniform {
            // A column that exists already keeps its name.
            let isTaken = columns.contains { $0.hasPrefix(name + ".") }
            if !isTaken { names.insert(name) }
        }
        // An object inside a JSON value stays there.
        names = names.filter { name in
            var outer = name[...]
            while let dot = outer.lastIndex(of: ".") {
                outer = outer[..<dot]
                if profiles[String(outer)] != nil, !names.contains(String(outer)) { return false }
            }
            return true
        }
    }

    private static func add(
        _ json: [UInt8],
        under name: String,
        depth: Int,
        to profiles: inout [String: Profile]
    ) {
        guard json.first == UInt8(ascii: "{") else {
            if json != Array("null".utf8) { profiles[name, default: Profile()].others += 1 }
            return
        }
        var tokenizer = JSONTokenizer(
            json,
            maximumDepth: FileLimits.maximumDepth,
            replacesInvalid: true
        )
        var members: [(String, [UInt8])] = []
        try? tokenizer.members { (member, tokenizer) throws(JSONSyntaxError) in
            members.append((member, Array(json[try tokenizer.value()])))
        }
        profiles[name, default: Profile()].objects += 1
        for (member, value) in members {
            profiles[name, default: Profile()].members[member, default: 0] += 1
            guard depth < maximumDepth, members.count <= maximumMembers else { continue }
            add(value, under: "\(name).\(member)", depth: depth + 1, to: &profiles)
        }
    }
}
