import Foundation
public import Hummingbird

extension RequestContext {
    /// A parameter of the path, without percent-encoding.
    ///
    /// - Throws: `HTTPError` with the status 400 if the encoding is not correct.
    public func decoded(_ name: String) throws -> String {
        guard let value = try parameters.require(name).removingPercentEncoding else {
            throw HTTPError(.badRequest, message: "The \(name) has an incorrect percent-encoding.")
        }
        return value
    }
}
