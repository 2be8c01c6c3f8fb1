import ListAPI
import TableFiles

/// A setting: its name, the kind of its value and the property of the configuration that it sets.
///
/// The flag, the variable and the name in the settings file are derived from its name.
package struct Setting: Sendable {
    enum Trait: Sendable {
        /// It has no flag, because all users can read command lines.
        case secret
        /// The log omits its value, which may contain a password.
        case hidden
        case repeatable
        /// A program that declares its lists does not have it.
        case ofSources
        /// A program that identifies its callers does not have it.
        case ofCallers
    }

    typealias Condition = @Sendable (_ old: Configuration, _ new: Configuration) -> Bool

    package let name: String
    /// The value in `--help`, as `NUMBER`; empty for a switch and for a secret.
    package let placeholder: String
    package let standard: String
    package private(set) var summary = ""
    /// The name of the setting without which this one has no effect; nil if there is none.
    private(set) var neededName: String?
    let importing: ImportReading?
    let isRead: Bool
    private let range: String
    private let apply:
        @Sendable (inout Configuration, _ text: String, _ origin: String)
            throws(Failure) -> Void
    private let copy: @Sendable (inout Configuration, _ other: Configuration) -> Void
    private var traits: Set<Trait> = []
    private var reloadCondition: Condition?

    /// The flag, as `--port`; nil for a secret.
    package var flag: String? { isSecret ? nil : "--\(name)" }
    /// The environment variable, as `ROSTER_PORT`.
    package var variable: String { "ROSTER_" + name.uppercased().replacing("-", with: "_") }
    package var isSecret: Bool { has(.secret) }
    /// Whether the flag alone means `on`; a value must follow after `=`.
    package var isSwitch: Bool { !isSecret && placeholder.isEmpty }
    package var usage: String? { flag.map { isSwitch ? $0 : "\($0) \(placeholder)" } }

    func has(_ trait: Trait) -> Bool { traits.contains(trait) }

    func set(
        _ configuration: inout Configuration,
        to text: String,
        origin: String
    ) throws(Failure) {
        guard importing == nil else {
            return try configuration.imports.set(self, to: text, origin: origin)
        }
        try apply(&configuration, text, origin)
    }

    /// Joins the values of a flag that is given again.
    ///
    /// Texts for all lists stand first, because they would continue those of a list before them.
    func joined(_ value: String, to earlier: String) -> String {
        let isOfList = value.prefix { $0 != "," }.contains("=")
        let isFirst = importing?.division == .several && !isOfList
        return isFirst ? "\(value),\(earlier)" : "\(earlier),\(value)"
    }

    /// Adopts the value of another configuration while the program runs.
    ///
    /// - Returns: Whether that is possible without a restart.
    func reload(_ configuration: inout Configuration, from other: Configuration) -> Bool {
        guard reloadCondition?(configuration, other) == true else { return false }
        copy(&configuration, other)
        configuration.given[self] = other.given[self]
        return true
    }
}

/// Settings are the same if their names are.
extension Setting: Hashable {
    package static func == (one: Setting, other: Setting) -> Bool { one.name == other.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension Setting {
    private static let defaults = Configuration()

    /// The setting of a property, whose value is the default unless `standard` describes it.
    init<Value>(
        _ name: String,
        _ kind: SettingKind<Value>,
        _ path: any WritableKeyPath<Configuration, Value> & Sendable,
        standard: String? = nil
    ) {
        self.name = name
        self.standard = standard ?? kind.text(Self.defaults[keyPath: path])
        (placeholder, range, isRead) = (kind.placeholder, kind.range, kind.isRead)
        importing = nil
        apply = { (configuration, text, origin) throws(Failure) in
            configuration[keyPath: path] = try kind.read(text, origin)
        }
        copy = { $0[keyPath: path] = $1[keyPath: path] }
    }

    init<Value>(
        _ name: String,
        _ kind: SettingKind<Value>,
        _ path: any WritableKeyPath<Configuration, Value?> & Sendable,
        standard: String? = nil
    ) {
        self.init(name, kind.optional, path, standard: standard)
    }

    init<Value>(
        _ name: String,
        _ kind: SettingKind<Value>,
        importing path: any WritableKeyPath<ImportOptions, Value> & Sendable,
        standard: String
    ) {
        let reading = ImportReading { (options, text, _, origin) throws(Failure) in
            options[keyPath: path] = try kind.read(text, origin)
        }
        let placeholder = "[LIST=]\(kind.placeholder)[,…]"
        self.init(name, placeholder, standard, range: kind.range, importing: reading)
    }

    /// A setting for reading files that is nil if it is detected.
    init<Value>(
        _ name: String,
        _ kind: SettingKind<Value>,
        importing path: any WritableKeyPath<ImportOptions, Value?> & Sendable,
        standard: String = "detected"
    ) {
        self.init(name, kind.optional, importing: path, standard: standard)
    }

    init(
        _ name: String,
        _ placeholder: String,
        _ standard: String,
        range: String = "",
        importing: ImportReading? = nil
    ) {
        (self.name, self.placeholder, self.standard) = (name, placeholder, standard)
        (self.range, self.importing, isRead) = (range, importing, false)
        apply = { _, _, _ in }
        copy = { _, _ in }
        traits = importing == nil ? [] : [.ofSources, .repeatable]
    }

    func help(_ summary: String) -> Setting {
        var setting = self
        setting.summary = summary.replacing("RANGE", with: range)
        return setting
    }

    func needing(_ name: String) -> Setting {
        var setting = self
        setting.neededName = name
        return setting
    }

    func with(_ traits: Trait...) -> Setting {
        var setting = self
        setting.traits.formUnion(traits)
        return setting
    }

    func reloadable(if condition: @escaping Condition = { _, _ in true }) -> Setting {
        var setting = self
        setting.reloadCondition = condition
        return setting
    }
}
