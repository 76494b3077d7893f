/// Why a state can't be taken over; nothing was changed then.
public enum RestoreFailure: Error, Hashable, Sendable {
  /// The state is of a later version than the app.
  case newerVersion(app: String, found: Int, known: Int)
  /// A migration failed or is missing; the text says why.
  case migration(app: String, from: Int, String)
  /// It is no state of the app; the text names the place.
  case shape(app: String, String)
}

extension RestoreFailure: CustomStringConvertible {
  /// What does not fit, and the way out.
  public var description: String {
    switch self {
    case .newerVersion(let app, let found, let known):
      "the state is of version \(found) of the app \(app), this program knows version \(known):"
        + " start the later program"
    case .migration(let app, let version, let reason):
      "the state is of version \(version) of the app \(app) and can't be brought to"
        + " \(version + 1), nothing was changed: \(reason)"
    case .shape(let app, let reason):
      "the state is none of the app \(app), nothing was changed: \(reason); a state of another shape"
        + " needs another version of the app, and a migration"
    }
  }
}
