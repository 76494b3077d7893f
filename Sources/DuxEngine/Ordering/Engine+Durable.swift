package import DuxJSON
package import DuxStore

/// The state as it is on disk.
///
/// It is not kept beside the head, whose nodes it would share: each step would copy what it changes.
/// Most of the time nobody looks, and who does gets it by undoing the steps that are not on disk yet.
extension Engine {
  /// The newest store that is on disk.
  ///
  /// - Complexity: O(*k* log *n*) for the first who looks after a group was settled, *k* = steps on
  ///   their way to the disk: however many look, each step is undone a few times at most.
  var durable: any HostedStore {
    if durableSeq == headSeq { return head }
    if let undone { return undone }
    var store = head
    open.undo(in: &store)
    inFlight?.undo(in: &store)
    undone = store
    return store
  }

  /// The newest durable store.
  package var durableStore: any HostedStore { durable }

  /// The newest durable state.
  package var durableState: JSON { durable.view }

  /// The states before and after a group that has just become durable.
  func ends(of group: Group) -> (first: JSON, last: JSON) {
    var store = durable
    let last = store.view
    group.undo(in: &store)
    return (store.view, last)
  }
}
