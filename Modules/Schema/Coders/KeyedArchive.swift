import CofferStorage
import Foundation

/// Encodes objects as keyed archives with a checksum; verifies the archives, and limits the classes that are decoded.
///
/// On platforms other than Apple's, Foundation's reader may stop the program at a damaged archive. Each archive is
/// therefore stored after a mark and its SHA-256. Foundation never reads an archive that does not match its SHA-256.
///
/// The SHA-256 protects against damage, for example by a disk or a wrong tool. It does not protect against attackers,
/// because an attacker can compute the SHA-256 of a forged archive. The depth, the size and the references of an
/// archive are therefore also checked before Foundation reads it.
enum KeyedArchive {
    private static let mark = Data("CofA".utf8)
    private static let sumSize = 32

    static func sealed(_ archive: Data) -> Data { mark + SHA256.hash(archive) + archive }

    private static func unsealed(_ data: Data) throws -> Data {
        let archive = data.dropFirst(mark.count + sumSize)
        guard data.starts(with: mark), !archive.isEmpty,
            data.dropFirst(mark.count).prefix(sumSize) == SHA256.hash(Data(archive))
        else { throw FieldCodingError("The bytes are not an archive, or the archive is damaged.") }
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
        // An archive that could not be decoded is not written.
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
        guard let value = object as? V else { throw FieldCodingError("The archive contains no '\(V.self)'.") }
        return value
    }

    private static func checkBounds(of data: Data, allowsCycles: Bool) throws {
        guard PropertyListBounds.isBinary(data) else { throw PropertyListBounds.notAList }
        let list = try BinaryPropertyList(data)
        try list.checkBounds()
        try list.checkArchive(allowsCycles: allowsCycles)
    }

    // On platforms other than Apple's, Foundation stops the program at an object of a class that is not allowed. It
    // also stops at an object in a collection if the class of the object no longer exists. The classes are therefore
    // checked first.
    private static func checkClasses(of data: Data, areIn allowed: [AnyClass]?) throws {
        let archive = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        for case let object as [String: Any] in archive?["$objects"] as? [Any] ?? [] {
            guard let name = object["$classname"] else { continue }
            guard let name = name as? String,
                let named = NSKeyedUnarchiver.class(forClassName: name) ?? NSClassFromString(name),
                named is any NSCoding.Type
            else {
                throw FieldCodingError("The archive contains an object of the missing class '\(name)'.")
            }
            let classes = sequence(first: named, next: _getSuperclass)
            if let allowed, !classes.contains(where: { type in allowed.contains { $0 == type } }) {
                throw FieldCodingError("The archive contains an object of the class '\(name)', which is not accepted.")
            }
        }
    }
}

/// Replaces objects at which an archiver would stop the program.
private final class ArchiveInspector: NSObject, NSKeyedArchiverDelegate {
    private let requiresSecureCoding: Bool
    /// The error of the first object that was replaced.
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
            return "An object of the class '\(type)' cannot be archived, because it does not conform to 'NSCoding'."
        }
        if requiresSecureCoding, (type as? any NSSecureCoding.Type)?.supportsSecureCoding != true {
            return "An object of the class '\(type)' cannot be archived, because it does not support 'NSSecureCoding'."
        }
        return Self.nameRefusal(of: (object as? NSObject)?.classForKeyedArchiver ?? type)
    }

    #if canImport(ObjectiveC)
        private static func nameRefusal(of type: AnyClass) -> String? { nil }
    #else
        /// Returns the reason for a refusal; nil for a name that archives can contain, such as `Module.Class`.
        ///
        /// The names of all superclasses are also checked.
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

        // On Apple's platforms, these methods are optional.
        func archiver(_ archiver: NSKeyedArchiver, didEncode object: Any?) {}
        func archiver(_ archiver: NSKeyedArchiver, willReplace object: Any?, withObject newObject: Any?) {}
        func archiverWillFinish(_ archiver: NSKeyedArchiver) {}
        func archiverDidFinish(_ archiver: NSKeyedArchiver) {}
    #endif
}
