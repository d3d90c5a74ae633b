/// The error for a value of a coded field that cannot be encoded or decoded, with the message of a decoder's error.
struct FieldCodingError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// Returns the message of a coder's error, without the value that the error concerns.
    static func text(of error: any Error) -> String {
        switch error {
        case EncodingError.invalidValue(_, let context): context.summary
        case DecodingError.dataCorrupted(let context), DecodingError.keyNotFound(_, let context),
            DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            context.summary
        default: "\(error)"
        }
    }

    fileprivate static func summary(_ text: String, _ keys: [any CodingKey]) -> String {
        // The first key is the index in the array that contains each value.
        let path = keys.dropFirst().map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        return path.isEmpty ? text : "\(path): \(text)"
    }
}

extension EncodingError.Context {
    fileprivate var summary: String { FieldCodingError.summary(debugDescription, codingPath) }
}

extension DecodingError.Context {
    fileprivate var summary: String { FieldCodingError.summary(debugDescription, codingPath) }
}
