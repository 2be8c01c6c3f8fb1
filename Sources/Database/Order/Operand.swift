import Listings

/// The SQL expression by which values of a column are compared.
package struct Operand: Hashable, Sendable {
    package let expression: String
    /// The suffix of a bound value that is compared with the expression.
    private let cast: String
    /// SQL for a value that sorts before all others, or nil if none is known.
    ///
    /// It replaces `IS NOT NULL`, for which SQLite uses no index and reads every row without a
    /// value.
    package let least: String?
    package let form: Form
    /// Whether all values are texts, in the order of their bytes.
    package let comparesBytes: Bool

    package enum Form: Hashable, Sendable {
        case value
        /// The keys of values; see ``Dialect/key(of:comparingBytes:)``.
        case key
        /// The keys of values whose texts are compared byte by byte.
        case byteKey
        /// The keys of first letters; see ``Dialect/key(ofInitial:)``.
        case initialKey
    }

    package init(
        _ expression: String,
        cast: String = "",
        least: String? = nil,
        form: Form = .value,
        comparesBytes: Bool = false
    ) {
        self.expression = expression
        self.cast = cast
        self.least = least
        self.form = form
        self.comparesBytes = comparesBytes
    }

    func replacing(_ expression: String) -> Operand {
        Operand(expression, cast: cast, form: form)
    }

    func bound(_ value: CellValue, by dialect: any Dialect) -> CellValue {
        switch form {
        case .value: value
        case .key: dialect.key(of: value, comparingBytes: false)
        case .byteKey: dialect.key(of: value, comparingBytes: true)
        case .initialKey: dialect.key(ofInitial: value)
        }
    }

    /// Nil for the form of the column.
    var valueForm: ValueForm? {
        switch form {
        case .value: nil
        case .key, .byteKey: .key
        case .initialKey: .initialKey
        }
    }

    /// The placeholder of a bound value, as spelled by ``Dialect/place(_:)``, with its cast.
    package func parameter(_ place: String) -> String { place + cast }
}
