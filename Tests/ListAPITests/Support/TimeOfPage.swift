/// A page without the time that its rows took to read, which differs from answer to answer.
func withoutTime(_ page: [UInt8]) -> String {
    let parts = String(decoding: page, as: UTF8.self).split(separator: "<p id=\"time\">")
    guard parts.count == 2, let end = parts[1].firstRange(of: "</p>") else {
        return parts.joined()
    }
    return String(parts[0] + parts[1][end.upperBound...])
}
