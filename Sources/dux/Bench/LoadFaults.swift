/// What went wrong in a load run, by the check that found it.
struct LoadFaults: Equatable {
  /// Deliveries that subscribers did not get.
  var lost = 0
  /// The first subscriber that did not get one.
  var firstLoser: Int?
  /// Deliveries that a subscriber had got before.
  var repeated = 0
  /// Deliveries that came behind later ones.
  var reordered = 0
  /// Changes on the run's path that the run did not make.
  var strangers = 0
  /// Changes of which two were told different seqs, or which were refused and happened.
  var mismatched = 0
  /// Acks of nothing that the connection had on its way.
  var strayAcks = 0
  /// Acks that came behind those of later actions, or with a smaller seq.
  var disorderedAcks = 0
  /// Actions that were refused.
  var refused = 0
  /// What the first refusal said.
  var firstRefusal: String?
  /// Actions that were never answered.
  var unanswered = 0
  /// Snapshots that subscribers got in place of changes.
  var snapshots = 0
  /// The deliveries that they stood for.
  var replaced = 0
  /// Lines that could not be read.
  var unreadable = 0

  /// Leaves what only an end in which everything arrived can tell.
  var withoutMissing: LoadFaults {
    var faults = self
    faults.lost = 0
    faults.firstLoser = nil
    faults.unanswered = 0
    return faults
  }

  /// A sentence for each check that failed; empty where all held.
  var sentences: [String] {
    var sentences: [String] = []
    func add(_ count: Int, _ one: String, _ many: String) {
      if count > 0 { sentences.append("\(count.grouped) \(count == 1 ? one : many)") }
    }
    let loser = firstLoser.map { ", the first at subscriber \($0)" } ?? ""
    add(lost, "delivery was lost" + loser, "deliveries were lost" + loser)
    add(repeated, "delivery came twice", "deliveries came twice")
    add(reordered, "delivery came out of order", "deliveries came out of order")
    add(
      snapshots,
      "snapshot stood for \(replaced.counted("change")): a subscriber was too far behind",
      "snapshots stood for \(replaced.counted("change")): subscribers were too far behind")
    add(
      strangers, "change on the run's path was not of this run",
      "changes on the run's path were not of this run")
    add(mismatched, "change was told under two seqs", "changes were told under two seqs")
    add(strayAcks, "ack was of nothing on its way", "acks were of nothing on their way")
    add(disorderedAcks, "ack came out of order", "acks came out of order")
    let reason = firstRefusal.map { " (\($0))" } ?? ""
    add(refused, "action was refused" + reason, "actions were refused, the first:" + reason)
    add(unanswered, "action was never answered", "actions were never answered")
    add(unreadable, "line could not be read", "lines could not be read")
    return sentences
  }
}
