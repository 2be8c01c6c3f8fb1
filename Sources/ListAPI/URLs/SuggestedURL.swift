import Bytes
import HTTP
import Rendering

enum SuggestedURL {
    /// The segments of the path are encoded anew, because a path that begins with `//` leads to
    /// another host.
    static func make(
        _ correction: Problem.Fault.Change,
        path: RequestPath,
        items: [QueryItems.Item],
        in addresses: Address
    ) -> String {
        make(
            path: addresses.path(path.segments, without: nil),
            items: items.compactMap { change($0, by: correction) }
        )
    }

    static func make(path: String, items: [QueryItems.Item]) -> String {
        let query = items.map { item in
            let name = PercentEncoding.encode(item.name, for: .queryComponent)
            guard let value = item.value else { return name }
            return "\(name)=\(encode(value[...], keeping: [",", ":"]))"
        }
        return query.isEmpty ? path : path + "?" + query.joined(separator: "&")
    }

    private static func change(
        _ item: QueryItems.Item,
        by correction: Problem.Fault.Change
    ) -> QueryItems.Item? {
        switch correction {
        case .rename(let name, let other):
            item.name == name ? QueryItems.Item(name: other, value: item.value) : item
        case .set(let name, let value):
            item.name == name ? QueryItems.Item(name: name, value: value) : item
        case .replace(let word, let other, let name):
            item.name == name
                ? QueryItems.Item(name: name, value: replace(word, with: other, in: item.value))
                : item
        case .remove(let name):
            item.name == name ? nil : item
        }
    }

    private static func encode(_ value: Substring, keeping separators: [Character]) -> String {
        guard let separator = separators.first else {
            return PercentEncoding.encode(String(value), for: .queryComponent)
        }
        return value.split(separator: separator, omittingEmptySubsequences: false)
            .map { encode($0, keeping: Array(separators.dropFirst())) }
            .joined(separator: String(separator))
    }

    private static func replace(_ word: String, with other: String, in value: String?) -> String? {
        value?.split(separator: ",", omittingEmptySubsequences: false).map { part in
            let isDescending = part.hasPrefix("-")
            let pieces = part.drop(while: { $0 == "-" })
                .split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard pieces.first.map(String.init) == word else { return String(part) }
            let option = pieces.count == 2 ? ":" + pieces[1] : ""
            return (isDescending ? "-" : "") + other + option
        }
        .joined(separator: ",")
    }
}
