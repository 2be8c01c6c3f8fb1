import Bytes
import HTTP
import Listings
import Rendering

extension PreparedRequest {
    /// The tag is weak, because compression changes the bytes (RFC 9110 §8.8.1).
    ///
    /// Stale rows are another representation, because they say that they are stale.
    func entityTag(
        _ version: ListVersion,
        _ others: [ListVersion] = [],
        isStale: Bool
    ) -> EntityTag {
        let versions = [version] + others
        if let known = knownTag, known.versions == versions, known.isStale == isStale {
            return known.tag
        }
        let names = versions.map(\.description).joined(separator: "-")
        let tag = EntityTag("\(names)-\(addressHash)\(isStale ? "-stale" : "")", isWeak: true)
        knownTag = (versions, isStale, tag)
        return tag
    }

    func makeAddressHash() -> String {
        var address = ByteBuffer()
        links.write(.current, to: &address)
        var mark = FNV1a()
        mark.add(address)
        mark.add(representation.format.rawValue)
        if representation.format == .html { mark.add(language.rawValue) }
        mark.add(mark: target.endpoint.mark)
        addCaller(to: &mark)
        if let rowsBefore = request.rowsBefore { mark.add("\(rowsBefore) before") }
        // Another program version may render the same rows differently.
        mark.add(fingerprint)
        return String(mark.value, radix: 16)
    }

    private func addCaller(to mark: inout FNV1a) {
        for filter in query.scope.conditions { mark.add("\(filter)") }
        for lookup in query.lookups { mark.add("\(lookup)") }
        if let embedding = query.embedding { mark.add("\(embedding)") }
        if target.endpoint.takesChanges, !target.mayWrite { mark.add("read-only") }
    }
}
