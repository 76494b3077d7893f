public import DuxJSON

/// A state some of whose fields clients may set as they are, as a form on a screen does.
///
/// Only declared fields can be set, only to values of their type, and only to those that their check
/// lets through:
///
/// ```swift
/// struct State: Codable, Equatable, Sendable, Bindable {
///   var query = ""
///   var count = 0
///   var results: [Movie] = []      // not declared: no client can set it
///
///   static var fields: [BindableField<State>] {
///     [
///       .init("query", \.query),
///       .init("count", \.count) { count in
///         guard (0...100).contains(count) else {
///           throw Rejection(reason: "out_of_range", message: "count is 0 to 100, not \(count)")
///         }
///       },
///     ]
///   }
/// }
/// ```
public protocol Bindable: Sendable {
  /// The fields that may be set, each with a name of its own.
  static var fields: [BindableField<Self>] { get }
}

/// A field that clients may set.
public struct BindableField<State: Sendable>: Sendable {
  /// What clients call it.
  public let name: String
  let place: any PartialKeyPath<State> & Sendable
  let write: @Sendable (JSON, inout State) throws -> Void

  /// Declares a field.
  ///
  /// - Parameters:
  ///   - name: what clients call it.
  ///   - place: where it lies.
  ///   - check: throws, best a ``Rejection``, for a value of the right type that may not be set.
  public init<Value: Codable & Sendable>(
    _ name: String, _ place: any WritableKeyPath<State, Value> & Sendable,
    _ check: @escaping @Sendable (Value) throws -> Void = { _ in }
  ) {
    self.name = name
    self.place = place
    write = { json, state in
      let value: Value
      do throws(CodingFailure) {
        value = try StateCoder.decode(Value.self, from: json)
      } catch {
        throw Rejection(
          reason: "bad_value",
          message: "the field \(quoted(name)) takes \(Value.self), this is \(json.kindName): "
            + error.message)
      }
      try check(value)
      state[keyPath: place] = value
    }
  }
}

/// A client's wish to set one field of a ``Bindable`` state: `{"field":"query","value":"abc"}`.
///
/// It stands in the action as a case of its own, and is carried out by a ``BindingReducer``.
public struct BindingAction<State: Bindable>: Codable, Equatable, Sendable {
  /// The field's name.
  public let field: String
  /// What it is to be set to, not yet known to be of the field's type.
  public let value: JSON

  /// Makes an action of what a client says.
  public init(field: String, value: JSON) {
    self.field = field
    self.value = value
  }

  /// Makes an action of a field's place: `.binding(.set(\.query, "abc"))`.
  ///
  /// A place that is no declared field, and a value that has no JSON, are reported as mistakes of
  /// the program; the action is then rejected like any other that asks for what can't be.
  public static func set<Value: Codable & Sendable>(
    _ place: any WritableKeyPath<State, Value> & Sendable, _ value: Value
  ) -> BindingAction {
    let name = name(of: place)
    if name == nil { reportIssue("\(place) is no declared field of \(State.self)") }
    do {
      let json = try StateCoder.encode(value)
      return BindingAction(field: name ?? PlaceName.of(place), value: json)
    } catch {
      reportIssue("\(place) can't be set to \(value): \(error)")
      return BindingAction(field: name ?? PlaceName.of(place), value: .null)
    }
  }

  /// Whether this sets a field: how a parent reacts to one.
  ///
  /// ```swift
  /// case .binding(let binding) where binding.sets(\.query): return search(state.query)
  /// ```
  public func sets(_ place: PartialKeyPath<State>) -> Bool {
    State.fields.contains { $0.name == field && $0.place as PartialKeyPath<State> == place }
  }

  private static func name(of place: PartialKeyPath<State>) -> String? {
    State.fields.first { $0.place as PartialKeyPath<State> == place }?.name
  }
}
