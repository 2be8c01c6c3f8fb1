package import Listings

/// The schema of a list for clients: its columns and query parameters.
package struct SchemaDocument: Sendable {
    /// A query parameter.
    package struct Parameter: Sendable {
        /// The name in addresses.
        package var name: String
        /// The summary for people.
        package var summary: Text
        /// An example value.
        package var example: String
        /// The default value, or nil if there is none.
        package var defaultValue: String?
        /// The maximum of a number, or nil if the parameter is not a number.
        package var maximum: Int?

        package init(
            _ name: String,
            summary: Text,
            example: String,
            defaultValue: String? = nil,
            maximum: Int? = nil
        ) {
            self.name = name
            self.summary = summary
            self.example = example
            self.defaultValue = defaultValue
            self.maximum = maximum
        }
    }

    /// The rules for writing rows.
    package struct Writing: Sendable {
        /// The columns that must have a value in every row.
        package var required: [String]
        /// Whether a change must name the expected version of the row.
        package var requiresCondition: Bool
        /// The address for writing many rows at once.
        package var rowsAddress: String
        /// The address for imports, or nil if they are not supported.
        package var importAddress: String?

        package init(
            required: [String],
            requiresCondition: Bool,
            rowsAddress: String,
            importAddress: String? = nil
        ) {
            self.required = required
            self.requiresCondition = requiresCondition
            self.rowsAddress = rowsAddress
            self.importAddress = importAddress
        }
    }

    /// A column whose values name rows of another list.
    package struct Reference: Sendable {
        /// The name in conditions on the rows of that list, as in `customer.name`.
        package var name: String
        /// The id of the column.
        package var column: String
        /// The name of the other list.
        package var list: String
        /// The id of the column of that list with the same values.
        package var key: String
        /// The ids of the columns of that list that label its rows; empty if it has none.
        package var labels: [String]
        /// The address of that list.
        package var address: String

        package init(
            _ name: String,
            column: String,
            list: String,
            key: String,
            labels: [String],
            address: String
        ) {
            self.name = name
            self.column = column
            self.list = list
            self.key = key
            self.labels = labels
            self.address = address
        }
    }

    /// The name of the list in addresses.
    package var list: String
    /// The title of the list.
    package var title: String
    /// The explanation of the list.
    package var about = ListAbout()
    /// The type of the ids.
    package var idType: ColumnType
    /// The columns in order.
    package var columns: [Column]
    /// The comparisons of conditions on each column.
    package var operators: [[Filter.Operator]]
    /// The columns that pages show at first; nil for all.
    package var defaultColumns: [String]?
    /// The columns whose values name rows of other lists.
    package var references: [Reference] = []
    /// The parameters, the most useful ones first.
    package var parameters: [Parameter]
    package var listAddress: String
    package var address: String
    /// The document in other formats.
    package var alternates: [Alternate]
    /// The rules for writing rows, or nil if the list is read-only.
    package var writing: Writing?

    package init(
        list: String,
        title: String,
        schema: ListSchema,
        parameters: [Parameter],
        listAddress: String,
        address: String,
        alternates: [Alternate] = []
    ) {
        self.list = list
        self.title = title
        idType = schema.idType
        columns = schema.columns
        operators = schema.columns.map(schema.operators)
        defaultColumns = schema.defaultColumns?.map { schema.columns[$0].id }
        self.parameters = parameters
        self.listAddress = listAddress
        self.address = address
        self.alternates = alternates
    }
}
