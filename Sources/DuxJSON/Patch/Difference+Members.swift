extension Difference {
  /// Appends what leads from one object's members to another's.
  mutating func compareMembers(_ old: Tree<ObjectKind>, _ new: Tree<ObjectKind>) {
    var walk = KeyedWalk(from: old, to: new)
    while !isTooLong, let step = walk.next() {
      switch step {
      case .old(let member):
        at(member.pointee.key) { $0.appendRemove() }
      case .new(let member):
        at(member.pointee.key) { $0.appendAdd(member.pointee.value) }
      case .both(let old, let new):
        if old.pointee.value.isTriviallyIdentical(to: new.pointee.value) { continue }
        at(new.pointee.key) { $0.compare(old.pointee.value, new.pointee.value) }
      }
    }
    work += walk.work
  }
}
