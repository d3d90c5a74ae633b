/// Converts names of a model to identifiers of Swift.
enum SwiftName {
    /// The name of a class.
    static func type(_ name: String) -> String { escaped(identifier(name)) }

    /// The name of a property; if each object has a member of this name, an underscore is added.
    static func property(_ name: String) -> String {
        let identifier = identifier(name)
        return members.contains(identifier) ? "\(identifier)_" : escaped(identifier)
    }

    /// The name of a property after a dollar sign, where keywords are allowed.
    static func projected(_ name: String) -> String {
        let identifier = identifier(name)
        return members.contains(identifier) ? "$\(identifier)_" : "$\(identifier)"
    }

    private static func identifier(_ name: String) -> String {
        let letters = name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" }
        let text = String(letters)
        return text.first.map { $0.isLetter || $0 == "_" } == true ? text : "_\(text)"
    }

    private static func escaped(_ identifier: String) -> String {
        keywords.contains(identifier) ? "`\(identifier)`" : identifier
    }

    private static let members: Set<String> = [
        "attachment", "base", "batch", "changed", "context", "fetchSource", "hash", "hashValue", "held", "id",
        "isDeleted",
        "objectID", "partialObject", "querySource", "refreshAndMerge", "refreshAsFault", "row", "state", "init", "self",
        "Self", "Type", "Field", "Value", "Transformable", "Relationship",
    ]

    private static let keywords: Set<String> = [
        "Any", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit",
        "do",
        "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
        "in",
        "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
        "repeat",
        "rethrows", "return", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
        "typealias", "var", "where", "while",
    ]
}
