package import Listings

/// What may be asked of a list: its columns and its query parameters.
package struct SchemaDocument: Sendable {
    /// A query parameter.
    package struct Parameter: Sendable {
        /// Its name in addresses.
        package var name: String
        /// What it does, for people.
        package var summary: String
        /// A value that shows how it is written.
        package var example: String
        /// What is taken when it is missing; nil when that is nothing.
        package var defaultValue: String?
        /// The largest number it takes; nil when it takes no number.
        package var maximum: Int?

        /// Creates the description of a parameter.
        package init(
            _ name: String,
            summary: String,
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

    /// How rows are written.
    package struct Writing: Sendable {
        /// The columns that every row must have a value under.
        package var required: [String]
        /// Whether a change has to name the state that it means.
        package var requiresCondition: Bool
        /// The address that takes many rows at once.
        package var rowsAddress: String
        /// The address for files of rows; nil where none are taken.
        package var importAddress: String?

        /// Describes how rows are written.
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

    /// The name of the list in addresses.
    package var list: String
    /// The title of the list.
    package var title: String
    /// The type of the ids.
    package var idType: ColumnType
    /// The columns in their order.
    package var columns: [Column]
    /// The parameters, the most useful first.
    package var parameters: [Parameter]
    /// The address of the list.
    package var listAddress: String
    /// The address of this document.
    package var address: String
    /// The document in other formats.
    package var alternates: [Alternate]
    /// How rows are written; nil where they are only read.
    package var writing: Writing?

    /// Creates the document.
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
        self.parameters = parameters
        self.listAddress = listAddress
        self.address = address
        self.alternates = alternates
    }
}
