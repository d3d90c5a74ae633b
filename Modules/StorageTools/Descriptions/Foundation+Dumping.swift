import CofferStorage
public import Foundation

extension URL: CoreStoreDebugStringConvertible {
    /// The URL without its secrets: user names, passwords and options are left out.
    public var coreStoreDumpString: String {
        if isFileURL { return "\"file://\(path)\"" }
        return "\"\((try? StorageURL(absoluteString))?.description ?? path)\""
    }
}

extension NSURL: CoreStoreDebugStringConvertible {
    /// The URL without its secrets: user names, passwords and options are left out.
    public var coreStoreDumpString: String { (self as URL).coreStoreDumpString }
}

extension NSString: CoreStoreDebugStringConvertible {
    /// The text in quotes.
    public var coreStoreDumpString: String { (self as String).coreStoreDumpString }
}

extension Bundle: CoreStoreDebugStringConvertible {
    /// The identifier and the place of the bundle.
    public var coreStoreDumpString: String {
        DumpTree.text([("bundleIdentifier", bundleIdentifier as Any), ("bundleURL", bundleURL)])
    }
}

extension NSError: CoreStoreDebugStringConvertible {
    /// The domain, the code and the message; of the user info only the keys, since its values may be secrets.
    public var coreStoreDumpString: String {
        DumpTree.text([
            ("domain", domain), ("code", code), ("localizedDescription", localizedDescription),
            ("userInfo.keys", userInfo.keys.sorted()),
        ])
    }
}
