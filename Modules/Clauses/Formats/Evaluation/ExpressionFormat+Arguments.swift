/// Converts the value of a `$variable` to an expression; throws if format strings do not support its type.
extension ExpressionFormat {
    /// Creates an expression from an argument; throws if format strings do not support the type of the argument.
    init(_ argument: Any, named name: String) throws(FormatEvaluationError) {
        guard let expression = ExpressionFormat.argument(argument) else {
            throw FormatEvaluationError(
                "\(name) has the type '\(type(of: argument))', which format strings do not support.")
        }
        self = expression
    }
}
