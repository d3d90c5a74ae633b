import CofferStorage
import Foundation

/// Encodes objects as keyed archives with a checksum; verifies the archives, and limits the classes that are decoded.
///
/// Foundation's own reader may stop the program at a damaged archive where it is not Apple's, so each is kept behind a
/// mark and its SHA-256, and what does not agree with that is never shown to it. That is for damage, as by a disk or a
/// wrong tool, and against nobody: whoever writes an archive can write its sum too. So the depth and the size of one are
/// looked at as well, and its references, before Foundation reads it.
enum KeyedArchive {
    private static let mark = Data("CofA".utf8)
    private static let sumSize = 32

    static func sealed(_ archive: Data) -> Data { mark + SHA256.hash(archive) + archive }

    private static func unsealed(_ data: Data) throws -> Data {
        let archive = data.dropFirst(mark.count + sumSize)
        guard data.starts(with: mark), !archive.isEmpty,
            data.dropFirst(mark.count).prefix(sumSize) == SHA256.hash(Data(archive))
        else { throw FieldCodingError("They are no archive, or damaged.") }
        return Data(archive)
    }

    static var foundationClasses: [AnyClass] {
        [
            NSArray.self, NSData.self, NSDate.self, NSDictionary.self, NSNull.self, NSNumber.self, NSSet.self,
            NSString.self, NSURL.self, NSUUID.self,
        ]
    }

    static func encoded(_ value: Any?, requiringSecureCoding: Bool = false) throws -> Data? {
        guard let value else { return nil }
        let archiver = NSKeyedArchiver(requiringSecureCoding: requiringSecureCoding)
        let inspector = ArchiveInspector(requiresSecureCoding: requiringSecureCoding)
        archiver.delegate = inspector
        archiver.encode(value, forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        if let error = inspector.error ?? archiver.error { throw error }
        // What could not be read again is not written.
        try checkBounds(of: archiver.encodedData, allowsCycles: true)
        return sealed(archiver.encodedData)
    }

    /// - Parameter classes: the only classes that are accepted; nil for all.
    static func decoded<V>(_ data: Data?, as type: V.Type, onlyOf classes: [AnyClass]? = nil) throws -> V? {
        guard let data = try data.map(unsealed) else { return nil }
        try checkBounds(of: data, allowsCycles: classes == nil)
        try checkClasses(of: data, areIn: classes)
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
        defer { unarchiver.finishDecoding() }
        unarchiver.requiresSecureCoding = classes != nil
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        let key = NSKeyedArchiveRootObjectKey
        let object =
            classes.map { unarchiver.decodeObject(of: $0, forKey: key) } ?? unarchiver.decodeObject(forKey: key)
        if let error = unarchiver.error { throw error }
        guard let value = object as? V else { throw FieldCodingError("The archive holds no '\(V.self)'.") }
        return value
    }

    private static func checkBounds(of data: Data, allowsCycles: Bool) throws {
        guard PropertyListBounds.isBinary(data) else { throw PropertyListBounds.notAList }
        let list = try BinaryPropertyList(data)
        try list.checkBounds()
        try list.checkArchive(allowsCycles: allowsCycles)
    }

    // Where Foundation is not Apple's, an object of a class that is not allowed, or of one that there is no more inside
    // of a collection, stops the program. So the classes are looked at first.
    private static func checkClasses(of data: Data, areIn allowed: [AnyClass]?) throws {
        let archive = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        for case let object as [String: Any] in archive?["$objects"] as? [Any] ?? [] {
            guard let name = object["$classname"] else { continue }
            guard let name = name as? String,
                let named = NSKeyedUnarchiver.class(forClassName: name) ?? NSClassFromString(name),
                named is any NSCoding.Type
            else {
                throw FieldCodingError("The archive holds an object of the class '\(name)', which there is not.")
            }
            let classes = sequence(first: named, next: _getSuperclass)
            if let allowed, !classes.contains(where: { type in allowed.contains { $0 == type } }) {
                throw FieldCodingError("The archive holds an object of the class '\(name)', which is not accepted.")
            }
        }
    }
}

/// Keeps objects from an archiver that would stop the program.
private final class ArchiveInspector: NSObject, NSKeyedArchiverDelegate {
    private let requiresSecureCoding: Bool
    /// The first object that was kept from it.
    private(set) var error: FieldCodingError?

    init(requiresSecureCoding: Bool) { self.requiresSecureCoding = requiresSecureCoding }

    func archiver(_ archiver: NSKeyedArchiver, willEncode object: Any) -> Any? {
        guard let reason = refusal(of: object as AnyObject) else { return object }
        error = error ?? FieldCodingError(reason)
        return NSString()
    }

    private func refusal(of object: AnyObject) -> String? {
        let type: AnyClass = Swift.type(of: object)
        guard object is any Foundation.NSCoding else {
            return "An object of the class '\(type)' cannot be archived, as it does not conform to 'NSCoding'."
        }
        if requiresSecureCoding, (type as? any NSSecureCoding.Type)?.supportsSecureCoding != true {
            return "An object of the class '\(type)' cannot be archived, as it does not support 'NSSecureCoding'."
        }
        return Self.nameRefusal(of: (object as? NSObject)?.classForKeyedArchiver ?? type)
    }

    #if canImport(ObjectiveC)
        private static func nameRefusal(of type: AnyClass) -> String? { nil }
    #else
        /// There, a class has a name in archives only when others can say it: `Module.Class`.
        private static func nameRefusal(of type: AnyClass) -> String? {
            for type in sequence(first: type, next: _getSuperclass) {
                let name = String(reflecting: type)
                guard name.split(separator: ".").count == 2, !name.contains("<") else {
                    return "An object of the class '\(name)' cannot be archived on this platform. Its class must be at "
                        + "the top level of a module, and neither private nor generic."
                }
            }
            return nil
        }

        // Optional elsewhere.
        func archiver(_ archiver: NSKeyedArchiver, didEncode object: Any?) {}
        func archiver(_ archiver: NSKeyedArchiver, willReplace object: Any?, withObject newObject: Any?) {}
        func archiverWillFinish(_ archiver: NSKeyedArchiver) {}
        func archiverDidFinish(_ archiver: NSKeyedArchiver) {}
    #endif
}
