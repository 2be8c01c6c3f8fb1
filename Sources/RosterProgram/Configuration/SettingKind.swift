import ListAPI

struct SettingKind<Value: Sendable>: Sendable {
    typealias Read =
        @Sendable (_ text: String, _ origin: String) throws(Failure) -> Value

    /// The value in `--help`, as `NUMBER`; empty for a switch.
    let placeholder: String
    /// The allowed numbers, as `1...600`; empty for other values.
    var range: String
    let isRead: Bool
    let text: @Sendable (Value) -> String
    let read: Read

    init(
        _ placeholder: String,
        range: String = "",
        isRead: Bool = false,
        text: @escaping @Sendable (Value) -> String = { _ in "none" },
        read: @escaping Read
    ) {
        (self.placeholder, self.range, self.isRead) = (placeholder, range, isRead)
        (self.text, self.read) = (text, read)
    }

    /// A value that a function reads, or refuses by nil.
    init(
        _ placeholder: String,
        allowed: String,
        range: String = "",
        text: @escaping @Sendable (Value) -> String = { _ in "none" },
        parse: @escaping @Sendable (String) -> Value?
    ) {
        let read: Read = { (text, origin) throws(Failure) in
            guard let value = parse(text) else {
                throw .invalidValue(origin, value: text, allowed: allowed)
            }
            return value
        }
        self.init(placeholder, range: range, text: text, read: read)
    }

    var optional: SettingKind<Value?> { map({ $0 }, text: { [text] in $0.map(text) ?? "none" }) }

    func map<Other>(
        _ transform: @escaping @Sendable (Value) -> Other,
        text: @escaping @Sendable (Other) -> String
    ) -> SettingKind<Other> {
        SettingKind<Other>(placeholder, range: range, isRead: isRead, text: text) {
            [read] (text, origin) throws(Failure) in
            transform(try read(text, origin))
        }
    }
}

extension SettingKind where Value: FixedWidthInteger {
    /// A number; its unit is the placeholder in small letters.
    static func number(_ range: ClosedRange<Value>, in unit: String = "NUMBER") -> Self {
        let noun = unit == "NUMBER" ? "number" : "number of \(unit.lowercased())"
        return Self(
            unit,
            allowed: "a \(noun) from \(range.lowerBound) to \(range.upperBound)",
            range: "\(range)",
            text: { "\($0)" },
            parse: { text in
                // The conversion accepts a sign.
                let isDigits = text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
                return isDigits ? Value(text).flatMap { range.contains($0) ? $0 : nil } : nil
            }
        )
    }
}

extension SettingKind<Duration> {
    static func seconds(_ range: ClosedRange<Int>) -> Self {
        SettingKind<Int>.number(range, in: "SECONDS")
            .map({ .seconds($0) }, text: { "\($0.components.seconds)" })
    }

    static func milliseconds(_ range: ClosedRange<Int>) -> Self {
        SettingKind<Int>.number(range, in: "MILLISECONDS")
            .map({ .milliseconds($0) }, text: { "\(Int($0 / .milliseconds(1)))" })
    }
}

extension SettingKind<Duration?> {
    /// A time of at least a second; 0 is nil.
    static func secondsOrNever(through maximum: Int) -> Self {
        let seconds = SettingKind<Duration>.seconds(0...maximum)
        var kind = seconds.map({ $0 == .zero ? nil : $0 }, text: { seconds.text($0 ?? .zero) })
        kind.range = "1...\(maximum)"
        return kind
    }
}

extension SettingKind where Value: Equatable {
    static func choice(_ choices: KeyValuePairs<String, Value>) -> Self {
        choice(choices.map { ($0.key, $0.value) })
    }

    fileprivate static func choice(_ choices: [(word: String, value: Value)]) -> Self {
        let words = choices.map(\.word)
        return Self(
            words.joined(separator: "|"),
            allowed: words.dropLast().joined(separator: ", ") + " or \(words.last ?? "")",
            text: { value in choices.first { $0.value == value }?.word ?? "none" },
            parse: { text in choices.first { $0.word == text }?.value }
        )
    }
}

extension SettingKind
where Value: CaseIterable & Equatable & RawRepresentable, Value.RawValue == String {
    static func choice() -> Self { choice(Value.allCases.map { ($0.rawValue, $0) }) }
}

extension SettingKind<Bool> {
    static var onOff: Self {
        let choice = choice(["on": true, "off": false])
        return Self("", text: choice.text, read: choice.read)
    }
}

extension SettingKind<String> {
    static var file: Self { named("FILE", isRead: true) }
    static var newFile: Self { named("FILE") }
    static var folder: Self { named("FOLDER", isRead: true) }
    static var host: Self {
        named("ADDRESS") { $0.hasPrefix("[") && $0.hasSuffix("]") ? $0.dropFirst().dropLast() : $0 }
    }

    static func text(_ placeholder: String) -> Self { Self(placeholder) { text, _ in text } }

    private static func named(
        _ placeholder: String,
        isRead: Bool = false,
        _ content: @escaping @Sendable (Substring) -> Substring = { $0 }
    ) -> Self {
        let read: Read = { (text, origin) throws(Failure) in
            let content = content(text[...])
            guard !content.isEmpty else { throw .missingValue(origin) }
            return String(content)
        }
        return Self(placeholder, isRead: isRead, text: { $0 }, read: read)
    }
}
