/// Names a dependency and its values: what reducers and effects need of the world beside the state.
///
/// ```swift
/// private enum WeatherKey: DependencyKey {
///   static let liveValue = WeatherClient.live
///   static let previewValue = WeatherClient.sunny
///   static let testValue = WeatherClient.failing
/// }
///
/// extension DependencyValues {
///   var weather: WeatherClient {
///     get { self[WeatherKey.self] }
///     set { self[WeatherKey.self] = newValue }
///   }
/// }
/// ```
public protocol DependencyKey {
  /// What is depended on.
  associatedtype Value: Sendable
  /// What is used where nothing else is said.
  static var liveValue: Value { get }
  /// What is used to show a program without the world; by default the live value.
  static var previewValue: Value { get }
  /// What is used in tests: it must fail when it is called (``unforeseen(_:)``), so that a test
  /// says what it relies on.
  static var testValue: Value { get }
}

extension DependencyKey {
  /// The live value.
  public static var previewValue: Value { liveValue }
}

/// The dependencies that are in force, each one replaceable by itself.
public struct DependencyValues: Sendable {
  /// Which of a key's values counts where no other was set.
  public enum Mode: Sendable {
    /// The world as it is.
    case live
    /// A world that is shown only.
    case preview
    /// A world where every use must be foreseen.
    case test
  }

  /// Which of a key's values counts where no other was set.
  public var mode: Mode
  /// Who asked for the action that is being reduced: the client's name.
  ///
  /// A follow-up and an effect's answer have the author of the action that they come from.
  public var author = ""
  /// What sources give is written here, or read from here, while a step is reduced.
  package var record: InputRecord?
  /// Who is told of the program's mistakes (``reportIssue(_:)``).
  package var issueListener: (@Sendable (String) -> Void)?
  private var values: [ObjectIdentifier: any Sendable] = [:]

  /// Makes the dependencies of a mode.
  public init(_ mode: Mode = .live) {
    self.mode = mode
  }

  /// What reducers and effects see; a store sets it while it runs them.
  @TaskLocal public static var current = DependencyValues(.live)

  /// The value of a key.
  public subscript<Key: DependencyKey>(key: Key.Type) -> Key.Value {
    get {
      if let value = values[ObjectIdentifier(key)] as? Key.Value { return value }
      return switch mode {
      case .live: Key.liveValue
      case .preview: Key.previewValue
      case .test: Key.testValue
      }
    }
    set { values[ObjectIdentifier(key)] = newValue }
  }

  /// The same dependencies but for some.
  public func setting(_ change: (inout DependencyValues) -> Void) -> DependencyValues {
    var values = self
    change(&values)
    return values
  }
}

/// A dependency of a reducer, looked up whenever it is used.
///
/// ```swift
/// struct Todos: Reducer {
///   @Dependency(\.uuid) var uuid
/// ```
@propertyWrapper
public struct Dependency<Value: Sendable>: Sendable {
  private let path: any KeyPath<DependencyValues, Value> & Sendable

  /// Makes a dependency of its place.
  public init(_ path: any KeyPath<DependencyValues, Value> & Sendable) {
    self.path = path
  }

  /// The value in force.
  public var wrappedValue: Value { DependencyValues.current[keyPath: path] }
}
