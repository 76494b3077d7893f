import Synchronization

/// Takes enum values apart without knowing their cases.
enum Reflection {
  /// Whether values of a case may hold a payload of some type: a question asked once.
  private struct Question: Hashable {
    let root: ObjectIdentifier
    let tag: UInt32
    let payload: ObjectIdentifier
  }

  private enum Answer {
    /// The payload of one value could be taken for that type; others must be tried.
    case perhaps
    /// Once, it could not: were it the type of the case's payload, it always could.
    case never
  }

  private static let answers = Mutex<[Question: Answer]>([:])
  private static let verified = Mutex<Set<Question>>([])

  /// The payload of `root` if it is of the case that `constructor` makes.
  ///
  /// Several cases may have payloads of one type, and a payload may be convertible to the type of
  /// another case's: so what was found is put into the constructor, whose case must be that of `root`.
  static func payload<Root, Value>(
    of root: Root, as type: Value.Type, constructor: (Value) -> Root
  ) -> Value? {
    guard let tag = EnumTag.of(root) else {
      reportIssue("\(Root.self) is no enum: a case path into it must be spelled out")
      return nil
    }
    if Value.self == Void.self, let void = () as? Value {
      return EnumTag.of(constructor(void)) == tag ? void : nil
    }
    let question = Question(
      root: ObjectIdentifier(Root.self), tag: tag, payload: ObjectIdentifier(Value.self))
    let known = answers.withLock { $0[question] }
    if known == .never { return nil }
    let value = known == .perhaps || canReflect(Value.self) ? payload(of: root, as: type) : nil
    if known == nil { answers.withLock { $0[question] = value == nil ? .never : .perhaps } }
    guard let value, EnumTag.of(constructor(value)) == tag else { return nil }
    return value
  }

  /// Reports, once for its kind, a value whose payload is not found again in it: what made it is no
  /// case's constructor.
  static func verify<Root, Value>(
    _ root: Root, isOf constructor: (Value) -> Root, with type: Value.Type
  ) {
    let question = Question(
      root: ObjectIdentifier(Root.self), tag: EnumTag.of(root) ?? .max,
      payload: ObjectIdentifier(Value.self))
    guard verified.withLock({ $0.insert(question).inserted }) else { return }
    if payload(of: root, as: type, constructor: constructor) == nil {
      reportIssue("what makes \(Root.self) of \(Value.self) is no case's constructor")
    }
  }

  /// The name of the case of a value.
  static func caseName(of root: some Any) -> String {
    Mirror(reflecting: root).children.first?.label ?? String(describing: root)
  }

  private static func payload<Value>(of root: some Any, as type: Value.Type) -> Value? {
    guard let child = Mirror(reflecting: root).children.first?.value else { return nil }
    return child as? Value ?? onlyElement(of: child) as? Value
  }

  /// A function comes out of a mirror with another calling convention than it went in with, and
  /// must not be called.
  private static func canReflect(_ type: Any.Type) -> Bool {
    guard String(reflecting: type).contains("->") else { return true }
    reportIssue("a case path to a payload of \(type), which holds a function, must be spelled out")
    return false
  }

  /// A case with one labelled value reflects as a tuple of that value alone.
  private static func onlyElement(of value: Any) -> Any? {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .tuple, mirror.children.count == 1 else { return nil }
    return mirror.children.first?.value
  }
}
