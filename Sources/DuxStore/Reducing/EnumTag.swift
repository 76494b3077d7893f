/// Which case an enum value is of, as a number: within a program run, one for each case of a type.
enum EnumTag {
  /// The tag of a value; nothing where its type is no enum.
  ///
  /// Asks the type's value witnesses, as the runtime's own printing of enums does, since the way by
  /// `Mirror` takes 1 µs and more, and a reducer with ten slices asks ten times for each action. The
  /// layout is that of docs/ABI/TypeMetadata.rst and of the compiler's `ValueWitness.def`.
  static func of<Root>(_ root: Root) -> UInt32? {
    // A metatype of a struct or an enum is the address of its metadata: the first word is the kind,
    // the word before it the address of the value witnesses.
    let metadata = unsafeBitCast(Root.self as Any.Type, to: UnsafeRawPointer.self)
    let kind = metadata.load(as: UInt.self)
    guard kind == enumKind || kind == optionalKind else { return nil }
    let witnesses = (metadata - MemoryLayout<UInt>.size).load(as: UnsafeRawPointer.self)
    let getTag = (witnesses + getTagOffset).load(as: GetTag.self)
    return withUnsafePointer(to: root) { getTag(UnsafeRawPointer($0), metadata) }
  }

  private typealias GetTag = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32

  private static let enumKind: UInt = 0x201
  private static let optionalKind: UInt = 0x202
  /// Behind eight functions, size, stride, and the flags and extra inhabitants in one word.
  private static let getTagOffset = 11 * MemoryLayout<UInt>.size
}
