import CofferStorage
public import Foundation

/// Describes URLs, strings, bundles and errors of Foundation for the debugger and logs, without secrets.
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
    /// The string in quotes.
    public var coreStoreDumpString: String { (self as String).coreStoreDumpString }
}

extension Bundle: CoreStoreDebugStringConvertible {
    /// The identifier and the path of the bundle.
    public var coreStoreDumpString: String {
        DumpTree.text([("bundleIdentifier", bundleIdentifier as Any), ("bundleURL", bundleURL)])
    }
}

extension NSError: CoreStoreDebugStringConvertible {
    /// The domain, the code, the message, and only the keys of the user info, because its values may be secrets.
    public var coreStoreDumpString: String {
        DumpTree.text([
            ("domain", domain), ("code", code), ("localizedDescription", localizedDescription),
            ("userInfo.keys", userInfo.keys.sorted()),
        ])
    }
}
