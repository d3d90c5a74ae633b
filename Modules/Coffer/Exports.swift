/// Exports the modules and types that a program gets with `import Coffer`.
//
// `import Coffer` exports the API for programs: objects, clauses, transactions, observation, migration, and the
// storage types that programs name. The API for reading and writing records by fields stays in CofferRecords. Rows,
// columns, requests and readers stay in CofferStorage, for backend authors. Their names are common, and
// `import Coffer` must not make them ambiguous with names of other packages.
@_exported public import CofferClauses
@_exported public import CofferImport
@_exported public import CofferMigration
@_exported public import CofferObservation
@_exported public import CofferSchema
@_exported public import CofferTransactions

@_exported public import struct CofferRecords.FileRecord
@_exported public import struct CofferRecords.RecordFile
@_exported public import struct CofferRecords.RecordFileError
@_exported public import enum CofferRecords.RecordFormat
@_exported public import struct CofferRecords.RecordReader
@_exported public import struct CofferRecords.RefusedRecord
@_exported public import struct CofferStorage.AttributeDescription
@_exported public import enum CofferStorage.AttributeType
@_exported public import protocol CofferStorage.CheckableStorage
@_exported public import protocol CofferStorage.ConfigurableStorage
@_exported public import enum CofferStorage.DeleteRule
@_exported public import struct CofferStorage.EntityDescription
@_exported public import typealias CofferStorage.EntityName
@_exported public import typealias CofferStorage.KeyPathString
@_exported public import protocol CofferStorage.LoadableStorage
@_exported public import protocol CofferStorage.LocalStorage
@_exported public import struct CofferStorage.LocalStorageOptions
@_exported public import protocol CofferStorage.MigratableStorage
@_exported public import struct CofferStorage.MigrationReport
@_exported public import typealias CofferStorage.ModelConfiguration
@_exported public import typealias CofferStorage.ModelVersion
@_exported public import struct CofferStorage.ObjectID
@_exported public import struct CofferStorage.RelationshipDescription
@_exported public import protocol CofferStorage.ReplicatedStorage
@_exported public import protocol CofferStorage.SchemaMappingProvider
@_exported public import struct CofferStorage.StorageError
@_exported public import protocol CofferStorage.StorageInterface
@_exported public import struct CofferStorage.StorageOption
@_exported public import struct CofferStorage.StorageURL
@_exported public import struct CofferStorage.StoreMetadata
@_exported public import struct CofferStorage.StoreModel
@_exported public import struct CofferStorage.TextOptions
@_exported public import enum CofferStorage.TextRelation
@_exported public import enum CofferStorage.UniqueConstraintPolicy
@_exported public import enum CofferStorage.Value
@_exported public import enum CofferStorage.ValueFunction
@_exported public import struct CofferStorage.ViolatedConstraint
@_exported public import struct CofferStorage.WriteConflict
@_exported public import struct CofferStorageTools.CopyReport
@_exported public import protocol CofferStorageTools.CoreStoreDebugStringConvertible
@_exported public import struct CofferStorageTools.QueryComparison
@_exported public import enum CofferStorageTools.QueryExpression
@_exported public import enum CofferStorageTools.QueryPredicate
@_exported public import struct CofferStorageTools.QuerySortDescriptor
@_exported public import struct CofferStorageTools.StoreProblem
@_exported public import struct CofferStorageTools.StoreSummary
