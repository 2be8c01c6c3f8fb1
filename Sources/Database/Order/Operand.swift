import Listings

package struct Operand: Hashable, Sendable {
    package let expression: String
    /// The suffix of a bound value that is compared with the expression.
    private let cast: String
    /// It replaces `IS NOT NULL`, for which SQLite uses no index and reads every row without a
    /// value.
    package let least: String?
    package let form: Form
    package let comparesBytes: Bool

    package enum Form: Hashable, Sendable {
        case value
        case key
        case byteKey
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

    var valueForm: ValueForm? {
        switch form {
        case .value: nil
        case .key, .byteKey: .key
        case .initialKey: .initialKey
        }
    }

    package func parameter(_ placeholder: String) -> String { placeholder + cast }
}
