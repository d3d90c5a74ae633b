// A substitute for Apple's AppKit, with which scripts/check-faces type-checks sources on Linux. It has the few
// declarations that Coffer's data sources and their examples use, with the signatures that Apple documents. Views
// show nothing. Optional methods of AppKit's protocols have defaults in extensions here, because Linux has no
// Objective-C.

@_exported import Foundation

@MainActor
open class NSResponder: NSObject {}

@MainActor
open class NSWindow: NSResponder {}

public protocol NSAnimatablePropertyContainer {
    func animator() -> Self
}

@MainActor
open class NSView: NSResponder, @preconcurrency NSAnimatablePropertyContainer {
    public override init() {}
    open var window: NSWindow? { nil }
    public func animator() -> Self { self }
}

@MainActor
open class NSTextField: NSView {
    open var stringValue = ""
}

@MainActor
open class NSViewController: NSResponder {
    public override init() {}
    open var view: NSView = NSView()
    open func viewDidLoad() {}
}

@MainActor
open class NSAnimationContext: NSObject {
    open var duration: TimeInterval = 0
    open class func runAnimationGroup(_ changes: (NSAnimationContext) -> Void) { changes(NSAnimationContext()) }
}

public struct NSUserInterfaceItemIdentifier: Hashable, RawRepresentable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }
}

@MainActor
open class NSCollectionViewItem: NSViewController {
    open var textField: NSTextField? { nil }
}

@MainActor
open class NSCollectionView: NSView {
    public typealias SupplementaryElementKind = String

    open weak var dataSource: (any NSCollectionViewDataSource)?
    open func reloadData() {}
    open func performBatchUpdates(_ updates: (() -> Void)?, completionHandler: ((Bool) -> Void)? = nil) {}
    open func insertSections(_ sections: IndexSet) {}
    open func deleteSections(_ sections: IndexSet) {}
    open func reloadSections(_ sections: IndexSet) {}
    open func moveSection(_ section: Int, toSection newSection: Int) {}
    open func insertItems(at indexPaths: Set<IndexPath>) {}
    open func deleteItems(at indexPaths: Set<IndexPath>) {}
    open func reloadItems(at indexPaths: Set<IndexPath>) {}
    open func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {}
    open func makeItem(
        withIdentifier identifier: NSUserInterfaceItemIdentifier, for indexPath: IndexPath
    ) -> NSCollectionViewItem { NSCollectionViewItem() }
}

@MainActor
public protocol NSCollectionViewDataSource: NSObjectProtocol {
    func collectionView(_ collectionView: NSCollectionView, numberOfItemsInSection section: Int) -> Int
    func collectionView(
        _ collectionView: NSCollectionView, itemForRepresentedObjectAt indexPath: IndexPath
    ) -> NSCollectionViewItem
    func numberOfSections(in collectionView: NSCollectionView) -> Int
    func collectionView(
        _ collectionView: NSCollectionView,
        viewForSupplementaryElementOfKind kind: NSCollectionView.SupplementaryElementKind, at indexPath: IndexPath
    ) -> NSView
}

extension NSCollectionViewDataSource {
    public func numberOfSections(in collectionView: NSCollectionView) -> Int { 1 }
    public func collectionView(
        _ collectionView: NSCollectionView,
        viewForSupplementaryElementOfKind kind: NSCollectionView.SupplementaryElementKind, at indexPath: IndexPath
    ) -> NSView { NSView() }
}
