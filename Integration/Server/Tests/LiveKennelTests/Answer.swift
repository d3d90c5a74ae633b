import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The answer of a server to a request.
///
/// The keys of its JSON are sorted, so that equal answers have equal strings.
struct Answer: Equatable {
    let status: Int
    let contentType: String?
    let json: String

    /// Sends a request, and waits for the answer.
    init(_ method: String, _ path: String, port: Int) async throws {
        guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        let (data, response) = try await URLSession.shared.data(for: request)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        status = response.statusCode
        contentType = response.value(forHTTPHeaderField: "Content-Type")
        json = try Self.sorted(data)
    }

    /// Returns a JSON string with sorted keys; an empty string stays empty.
    static func sorted(_ data: Data) throws -> String {
        guard !data.isEmpty else { return "" }
        let value = try JSONSerialization.jsonObject(with: data)
        return String(decoding: try JSONSerialization.data(withJSONObject: value, options: .sortedKeys), as: UTF8.self)
    }
}
