import Listings
import Rendering

/// The text of joined conditions: `(age__lt=18,not(city=Bonn,name__startswith=A))`.
///
/// ```text
/// group     = "(" member *("," member) ")"
/// member    = ("and" / "or" / "not") group / name "=" value
/// name      = column ["__" operator]
/// value     = text without "," and ")" / quoted / "(" value *("," value) ")" of in and nin
/// quoted    = quotation mark, text with doubled quotation marks, quotation mark
/// ```
///
/// A name with `=`, or one that begins like a group, is quoted too.
struct FilterGroupText {
    indirect enum Member {
        case comparison(name: String, value: String, location: Int)
        case group(FilterGroup.Joint, [Member])
    }

    static let maximumDepth = 8

    private let parameter: String
    private let scalars: [Unicode.Scalar]
    private var next = 0

    private static func members(
        of text: String,
        in parameter: String
    ) throws(Problem.Fault) -> [Member] {
        var reader = FilterGroupText(parameter: parameter, scalars: Array(text.unicodeScalars))
        let members = try reader.group(depth: 1)
        guard reader.next == reader.scalars.count else { throw reader.failure("the end") }
        return members
    }

    private init(parameter: String, scalars: [Unicode.Scalar]) {
        self.parameter = parameter
        self.scalars = scalars
    }

    private var current: Unicode.Scalar? { next < scalars.count ? scalars[next] : nil }

    private func failure(_ expected: String, at location: Int? = nil) -> Problem.Fault {
        .malformedGroup(parameter, at: (location ?? next) + 1, expected: expected)
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard current == scalar else { return false }
        next += 1
        return true
    }

    private mutating func group(depth: Int) throws(Problem.Fault) -> [Member] {
        guard depth <= Self.maximumDepth else {
            throw failure("at most \(Self.maximumDepth) groups inside one another")
        }
        guard take("(") else { throw failure("(") }
        var members: [Member] = []
        repeat { members.append(try member(depth: depth)) } while take(",")
        guard take(")") else { throw failure("a comma or )") }
        return members
    }

    private mutating func member(depth: Int) throws(Problem.Fault) -> Member {
        if let joint = FilterGroup.Joint.allCases.first(where: { begins(with: $0) }) {
            next += joint.rawValue.utf8.count
            return .group(joint, try group(depth: depth + 1))
        }
        let location = next
        guard current != ")" else { throw failure("a condition") }
        let name = try quoted() ?? text { $0 == "=" || $0 == "," }
        guard !name.isEmpty else { throw failure("a condition", at: location) }
        guard take("=") else { throw failure("= and a value") }
        let operation = FilterName(name).operation.flatMap(Filter.Operator.init)
        guard operation?.takesList ?? false else {
            let value = try value()
            return .comparison(name: name, value: value, location: location + 1)
        }
        guard take("(") else { throw failure("( before the values") }
        var values: [String] = []
        repeat { values.append(try value()) } while take(",")
        guard take(")") else { throw failure("a comma or )") }
        return .comparison(name: name, value: ValueList.text(of: values), location: location + 1)
    }

    private func begins(with joint: FilterGroup.Joint) -> Bool {
        scalars[next...].starts(with: "\(joint.rawValue)(".unicodeScalars)
    }

    private mutating func value() throws(Problem.Fault) -> String {
        try quoted() ?? text { $0 == "," || $0 == ")" }
    }

    private mutating func text(until isEnd: (Unicode.Scalar) -> Bool) -> String {
        let text = scalars[next...].prefix { !isEnd($0) }
        next = text.endIndex
        return Self.string(text)
    }

    private mutating func quoted() throws(Problem.Fault) -> String? {
        let location = next
        guard take("\"") else { return nil }
        var text: [Unicode.Scalar] = []
        while let scalar = current {
            next += 1
            if scalar == "\"", !take("\"") { return Self.string(text[...]) }
            text.append(scalar)
        }
        throw failure("a second quotation mark after this one", at: location)
    }

    private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }

    static func value(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let isPlain =
            scalars.first != "\"" && !scalars.contains(",") && !scalars.contains(")")
        return isPlain ? text : quoted(text)
    }

    static func name(_ text: String) -> String {
        let isMistakable =
            text.utf8.first == UInt8(ascii: "\"") || text.utf8.contains(UInt8(ascii: "="))
            || FilterGroup.Joint.allCases.contains { text.hasPrefix("\($0.rawValue)(") }
        return isMistakable ? quoted(text) : text
    }

    private static func quoted(_ text: String) -> String {
        let pieces = text.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
        return "\"" + pieces.map(String.init).joined(separator: "\"\"") + "\""
    }

    static func filter(
        _ joint: FilterGroup.Joint,
        _ text: String,
        of parameter: ListParameter,
        _ parameters: inout ListParameters
    ) -> Filter? {
        let members: [Member]
        do throws(Problem.Fault) {
            members = try Self.members(of: text, in: parameter.name)
        } catch {
            parameters.refuse(error)
            return nil
        }
        return read(.group(joint, members), of: parameter, &parameters)
    }

    private static func read(
        _ member: Member,
        of parameter: ListParameter,
        _ parameters: inout ListParameters
    ) -> Filter? {
        switch member {
        case .group(let joint, let members):
            // All errors are reported, not only the first one.
            var filters: [Filter?] = []
            for member in members { filters.append(read(member, of: parameter, &parameters)) }
            guard !filters.contains(nil) else { return nil }
            return Filter(FilterGroup(joint, filters.compactMap(\.self)))
        case .comparison(let name, let value, let location):
            let count = parameters.errors.count
            let filter = parameters.readComparison(name, value)
            // The error names the place, because a parameter can have many conditions.
            for index in count..<max(count, parameters.errors.count) {
                parameters.replaceError(at: index) { .inGroup(parameter.name, at: location, $0) }
            }
            return filter
        }
    }
}
