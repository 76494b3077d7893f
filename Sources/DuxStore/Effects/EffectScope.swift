/// Who owns an effect: the way from the root of the state to the slice or element whose reducer
/// returned it.
///
/// The root's own scope is empty. Removing an owner cancels its effects and those of everything
/// inside it; the same effect id in two scopes is two effects.
public struct EffectScope: Hashable, Sendable {
  /// The names on the way, outermost first: a slice's name, or a row's as `name/id` in two parts.
  public private(set) var path: [String]

  /// The root's scope.
  public static let root = EffectScope(path: [])

  /// Makes a scope of its names, outermost first.
  public init(path: [String]) {
    self.path = path
  }

  /// The same scope seen from a parent that calls it by `names`.
  public func inside(_ names: [String]) -> EffectScope {
    EffectScope(path: names + path)
  }

  /// Whether `other` is this scope or lies inside it.
  public func contains(_ other: EffectScope) -> Bool {
    other.path.starts(with: path)
  }
}

extension EffectScope: CustomStringConvertible {
  /// The names with slashes between them, `/` for the root.
  public var description: String {
    path.isEmpty ? "/" : path.joined(separator: "/")
  }
}

/// The name of a cancellable effect, within the scope of whoever returned it.
public struct EffectID: Hashable, Sendable, ExpressibleByStringInterpolation,
  CustomStringConvertible
{
  /// The name as text: commands keep it on disk.
  public let text: String

  /// Makes a name.
  public init(_ text: String) {
    self.text = text
  }

  /// Makes a name of a literal.
  public init(stringLiteral value: String) {
    self.text = value
  }

  /// The text.
  public var description: String { text }
}

/// An effect id within its owner's scope: what cancelling compares.
public struct EffectKey: Hashable, Sendable {
  /// Whose effect it is.
  public var scope: EffectScope
  /// Its name there.
  public var id: EffectID

  /// Makes a key.
  public init(scope: EffectScope, id: EffectID) {
    self.scope = scope
    self.id = id
  }
}
