/// A field of a row of a CSV file.
struct CSVField {
    let text: String
    /// Whether the field stands in quotation marks.
    ///
    /// An empty field without quotation marks is null.
    let isQuoted: Bool

    var isNull: Bool { text.isEmpty && !isQuoted }
}
