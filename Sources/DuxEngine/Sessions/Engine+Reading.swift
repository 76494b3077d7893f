import DuxJSON
import DuxLog
import DuxProtocol
import DuxStore

/// Reading the state, now or as it was, and the log.
extension Engine {
  func get(_ path: JSONPointer, at seq: SequenceNumber?, id: RequestID?, _ session: Session) {
    guard let seq, seq != durableSeq else {
      session.toldSeq = durableSeq
      return writeValue(durable.view.value(at: path), path, at: durableSeq, id: id, session)
    }
    guard seq < durableSeq else {
      return refuse(
        RequestError(.badRequest, "\"at\" is \(seq), the log ends at \(durableSeq)"), id: id,
        of: session)
    }
    guard seq >= storage.floor else { return refuseCompacted(id: id, session) }
    session.wait = .answer
    ask(.state(at: seq)) { [self] answer in
      guard !session.isGone else { return }
      session.wait = nil
      switch answer {
      case .state(let state):
        writeValue(state.value(at: path), path, at: seq, id: id, session)
      case .compacted:
        refuseCompacted(id: id, session)
      default:
        refuse(.unreadableLog, id: id, of: session)
      }
      goOn(session)
    }
  }

  private func refuseCompacted(id: RequestID?, _ session: Session) {
    refuse(
      RequestError(
        .compacted, "the log begins after \(storage.floor), what was before is gone",
        details: ["floor": .integer(storage.floor.value)]),
      id: id, of: session)
  }

  private func writeValue(
    _ value: JSON?, _ path: JSONPointer, at seq: SequenceNumber, id: RequestID?, _ session: Session
  ) {
    let pathText = path.description
    guard let value, value.encodedByteCount > Self.inlineBytes else {
      return write(to: session) { writer in
        writer.beginValue(path: pathText, seq: seq, id: id)
        if let value {
          writer.member("value", value)
        } else {
          writer.member("missing", true)
        }
        writer.end()
      }
    }
    let finish = { [self] (bytes: SharedBytes?) in
      guard !session.isGone else { return }
      session.wait = nil
      if let bytes {
        writer.bytes.removeAll(keepingCapacity: true)
        writer.beginValue(path: pathText, seq: seq, id: id)
        writer.begin(member: "value")
        queueAnswer(.own(writer.bytes), to: session)
        queueAnswer(.shared(bytes), to: session)
        queueAnswer(.own(Array("}\n".utf8)), to: session)
      } else {
        refuse(RequestError(.internal, "the value could not be encoded"), id: id, of: session)
      }
      goOn(session)
    }
    session.wait = .answer
    if seq == durableSeq {
      encode(value, at: seq, path: pathText, form: .text, for: nil) { finish($0?.bytes) }
    } else {
      ask(.text(of: value)) { answer in
        if case .text(let bytes) = answer { finish(bytes) } else { finish(nil) }
      }
    }
  }

  func startLog(_ range: Request.LogRange, id: RequestID?, _ session: Session) {
    switch range.start {
    case .after(let seq):
      startLog(after: seq, limit: range.limit, id: id, session)
    case .time(let time):
      session.wait = .answer
      ask(.seq(before: time)) { [self] answer in
        guard !session.isGone else { return }
        session.wait = nil
        if case .seq(let seq) = answer {
          startLog(after: max(seq, storage.floor), limit: range.limit, id: id, session)
        } else {
          refuse(.unreadableLog, id: id, of: session)
        }
        goOn(session)
      }
    }
  }

  private func startLog(after seq: SequenceNumber, limit: Int, id: RequestID?, _ session: Session) {
    guard seq >= storage.floor else { return refuseCompacted(id: id, session) }
    session.logStream = LogStream(id: id, after: seq, limit: limit, end: durableSeq)
    continueLog(of: session)
  }

  private static let sliceEntries = 1_000
  private static let sliceBytes = 262_144

  /// Asks for the next entries of the log, no more of them than a connection has room for.
  func askSlice(
    after position: SequenceNumber, through end: SequenceNumber, limit: Int,
    _ body: @escaping (Answer) -> Void
  ) {
    ask(
      .entries(
        after: position, through: end, maximumCount: min(limit, Self.sliceEntries),
        maximumBytes: Self.sliceBytes), body)
  }

  /// Goes on with a session's `log` answer, as far as its queue has room.
  func continueLog(of session: Session) {
    guard let stream = session.logStream, !stream.isReading else { return }
    guard session.waitingBytes <= Self.outputLimitBytes / 4 else { return }
    guard stream.remaining > 0, stream.position < stream.end else {
      session.logStream = nil
      write(to: session) {
        $0.logEnd(seq: stream.position, hasMore: stream.position < stream.end, id: stream.id)
      }
      return goOn(session)
    }
    stream.isReading = true
    askSlice(after: stream.position, through: stream.end, limit: stream.remaining) {
      [self] answer in
      guard !session.isGone, session.logStream === stream else { return }
      stream.isReading = false
      guard case .entries(let entries) = answer, let last = entries.last else {
        session.logStream = nil
        if case .compacted = answer {
          refuseCompacted(id: stream.id, session)
        } else {
          refuse(.unreadableLog, id: stream.id, of: session)
        }
        return goOn(session)
      }
      write(to: session) { writer in
        for entry in entries { writer.entry(entry, id: stream.id) }
      }
      stream.position = last.seq
      stream.remaining -= entries.count
      continueLog(of: session)
    }
  }
}
