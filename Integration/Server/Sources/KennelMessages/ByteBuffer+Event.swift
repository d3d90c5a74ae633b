import Foundation
public import Hummingbird

// snippet: live-event
extension ByteBuffer {
    /// A value as JSON, in the form of a server-sent event.
    public init(event: some Encodable) throws {
        self.init(string: "data: \(String(decoding: try JSONEncoder().encode(event), as: UTF8.self))\n\n")
    }
}
// end
