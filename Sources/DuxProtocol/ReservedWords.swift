/// Names that the daemon keeps to itself (Protocol/protocol.md, 4.5).
package enum ReservedWords {
  /// What the names of the daemon's own clients begin with.
  package static let clientPrefix = "@"
  /// The client in whose name the daemon takes steps of its own.
  package static let daemonClient = "@duxd"
  /// The type of the step that brings the state to a newer version of the app.
  package static let migrateAction = "@@dux/migrate"
  /// The type of the step that gives new slices of the app their place in the state.
  package static let adoptAction = "@@dux/adopt"
  /// The path at which presence is followed; no JSON Pointer begins so.
  package static let presencePath = "@presence"
  /// The member of an action that says what is around it.
  package static let metaMember = "meta"
  /// The member of `meta` that the daemon alone writes.
  package static let ownMember = "dux"
}
