import Bytes

@testable import HTTP
@testable import Listings

// Queries, cursors and field values: no input may trap, and what is read is written back as it was.

/// Tries one input.
func fuzz(question input: [UInt8]) {
    guard let first = input.first else { return }
    let bytes = Array(input.dropFirst())
    let text = String(decoding: bytes, as: UTF8.self)
    switch first % 4 {
    case 0: readQuery(text)
    case 1: readFields(text)
    case 2: readCursor(text, valueCount: nil)
    default: readCursor(withPayload: bytes, valueCount: Int(first >> 2) % 5)
    }
}

private func readQuery(_ text: String) {
    guard let items = try? QueryItems(rawQuery: text) else { return }
    for item in items {
        let name = PercentEncoding.encode(item.name, for: .queryComponent)
        let value = PercentEncoding.encode(item.value ?? "", for: .queryComponent)
        let again = try? QueryItems(rawQuery: "\(name)=\(value)")
        precondition(again?.first?.name == item.name, "\(item.name) is not read back")
        precondition(
            again?.first?.value == item.value ?? "",
            "\(item.value ?? "") is not read back"
        )
    }
}

private func readFields(_ text: String) {
    _ = Negotiation.best(accept: text, among: [.json, .html, .csv])
    _ = Negotiation.best(acceptEncoding: text, among: [.gzip, .identity])
    if case .tags(let tags) = EntityTagCondition(parsing: text) {
        let again = EntityTagCondition(parsing: tags.map(\.value).joined(separator: ", "))
        precondition(again == .tags(tags), "\(tags) are not read back")
    }
    for size in [0, 1, 1000] {
        if case .part(let range) = ByteRange(text, size: size) {
            precondition(!range.isEmpty && range.upperBound <= size, "\(range) of \(size)")
        }
    }
    guard let now = HTTPDate(secondsSince1970: 1_700_000_000),
        let date = HTTPDate(parsing: text, now: now)
    else { return }
    var buffer = ByteBuffer()
    date.write(into: &buffer)
    precondition(HTTPDate(parsing: buffer.text(), now: now) == date, "\(text) is not read back")
}

private func readCursor(_ text: String, valueCount: Int?) {
    guard let cursor = try? Cursor(text, signature: 7, valueCount: valueCount) else { return }
    precondition(cursor.text == text, "\(text) is written \(cursor.text)")
}

/// Completes a cursor whose first bytes and checksum are right, which no fuzzer guesses.
private func readCursor(withPayload payload: [UInt8], valueCount: Int) {
    let head: [UInt8] = [1, 0, valueCount == 0 ? 1 : 0, 0, 0, 0, 7]
    let bytes = head + payload
    var fingerprint = Fingerprint()
    for byte in bytes { fingerprint.add(byte) }
    let checksum = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: fingerprint.value >> UInt32($0)) }
    var whole = ByteBuffer()
    whole.append(bytes + checksum)
    var buffer = ByteBuffer()
    Base64URL.encode(whole, to: &buffer)
    readCursor(buffer.text(), valueCount: valueCount == 0 ? nil : valueCount)
}
