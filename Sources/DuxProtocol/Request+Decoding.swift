import DuxJSON
import DuxLog

extension Request {
  /// A line read, as far as it could be: the error's answer carries the id too.
  package struct Decoded: Sendable {
    package var id: RequestID?
    package var result: Result<Request, RequestError>
  }

  /// Reads one line: the bytes without the line feed.
  ///
  /// - Complexity: O(*n*), *n* = `line.count`.
  package static func decode(_ line: UnsafeRawBufferPointer, limits: Limits) -> Decoded {
    if let plain = plainDispatch(line, limits: limits) {
      return Decoded(id: plain.id, result: .success(.dispatch(plain.dispatch)))
    }
    return decodeAny(line, limits: limits)
  }

  /// Reads a line of any form the general way, by the value of the whole line.
  package static func decodeAny(_ line: UnsafeRawBufferPointer, limits: Limits) -> Decoded {
    let json: JSON
    do throws(JSONParseError) {
      json = try JSON(parsing: line, maximumDepth: limits.maximumDepth + Limits.requestDepth)
    } catch {
      let code: ErrorCode = error.reason == .tooDeep ? .tooDeep : .badJSON
      return Decoded(id: nil, result: .failure(RequestError(code, error.description)))
    }
    guard let object = json.objectValue else {
      let error = RequestError(.badRequest, "a request is a JSON object with an \"op\"")
      return Decoded(id: nil, result: .failure(error))
    }
    var id: RequestID?
    do throws(RequestError) {
      let fields = Fields(object)
      id = try fields.id()
      return Decoded(id: id, result: .success(try Request(fields, limits)))
    } catch {
      return Decoded(id: id, result: .failure(error))
    }
  }

  private init(_ fields: Fields, _ limits: Limits) throws(RequestError) {
    let op = try fields.string("op")
    switch op {
    case "hello": self = .hello(try Hello(fields))
    case "subscribe" where try fields.isPresencePath():
      self = .subscribeToPresence(since: try Self.presencePosition(fields))
    case "subscribe": self = .subscribe(try Subscribe(fields))
    case "unsubscribe" where try fields.isPresencePath(): self = .unsubscribeFromPresence
    case "unsubscribe":
      _ = try fields.string("path")
      self = .unsubscribe(path: try fields.path())
    case "presence": self = .presence(state: try Self.presenceState(fields, limits))
    case "dispatch": self = .dispatch(try Dispatch(fields))
    case "get": self = .get(path: try fields.path(), at: try fields.optionalSeq("at"))
    case "log": self = .log(try LogRange(fields))
    case "effects":
      let limit = try fields.limit(upTo: Limits.maximumListedEffects, default: 1_000)
      self = .effects(limit: limit)
    case "cancel": self = .cancel(key: try fields.string("key"))
    case "ping": self = .ping
    case "status": self = .status
    default:
      throw RequestError(
        .unknownOp,
        "unknown op \(JSON.string(op)); known are hello, subscribe, unsubscribe, dispatch, get, log,"
          + " effects, cancel, presence, ping and status")
    }
  }
}

extension Request.Hello {
  fileprivate init(_ fields: Fields) throws(RequestError) {
    version = try fields.integer("protocol")
    // Another version may mean something else by the rest.
    guard version == ProtocolVersion.current else { return }
    client = try fields.optionalString("client")
    guard let client else { return }
    let isLegal =
      (1...Limits.maximumClientNameBytes).contains(client.utf8.count)
      && client.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    guard isLegal else {
      throw RequestError(
        .badRequest,
        "\"client\" has 1 to \(Limits.maximumClientNameBytes) bytes and no control characters")
    }
    guard !client.utf8.starts(with: ReservedWords.clientPrefix.utf8) else {
      throw RequestError(
        .badRequest,
        "\"client\" is \(JSON.string(client)): names that begin with"
          + " \"\(ReservedWords.clientPrefix)\" are the daemon's own")
    }
  }
}

extension Request.Subscribe {
  fileprivate init(_ fields: Fields) throws(RequestError) {
    path = try fields.path()
    withActions = try fields.optionalBool("actions") ?? false
    position = try fields.position()
  }
}

extension Request {
  fileprivate static func presencePosition(_ fields: Fields) throws(RequestError) -> Position? {
    if try fields.optionalBool("actions") == true {
      throw RequestError(.badRequest, "\"actions\": presence is not made by actions")
    }
    return try fields.position()
  }

  fileprivate static func presenceState(
    _ fields: Fields, _ limits: Limits
  ) throws(RequestError) -> JSON? {
    guard let state = fields.json("state"), state != .null else { return nil }
    guard state.depth <= limits.maximumDepth else {
      throw RequestError(
        .tooDeep, "\"state\" has \(state.depth) levels, at most \(limits.maximumDepth) are taken")
    }
    let bytes = state.encodedByteCount
    guard bytes <= Limits.maximumPresenceBytes else {
      throw RequestError(
        .tooLarge,
        "\"state\" has \(bytes) bytes, at most \(Limits.maximumPresenceBytes) are taken")
    }
    return state
  }
}

extension Request.Dispatch {
  /// A dispatch of a plain action without conditions.
  init(_ action: PlainAction, n: Int64?) {
    self.n = n
    content = .plain(
      type: String(decoding: action.type, as: UTF8.self), payload: action.payload)
    preconditions = []
    body = Body(actions: action.textOfList)
  }

  /// A dispatch without conditions.
  init(_ actions: [JSON], n: Int64?) {
    self.n = n
    content = .any(actions)
    preconditions = []
    body = Body(actions: Self.text(of: actions))
  }

  fileprivate init(_ fields: Fields) throws(RequestError) {
    n = try fields.optionalInteger("n")
    if let n, n < 1 {
      throw RequestError(.badRequest, "\"n\" counts from 1, this is \(n)")
    }
    let conditions = try fields.optionalArray("if")
    let actions = try Self.actions(fields)
    content = .any(actions)
    preconditions = try Self.preconditions(conditions)
    body = Body(actions: Self.text(of: actions), conditions: conditions)
  }

  private static func actions(_ fields: Fields) throws(RequestError) -> [JSON] {
    switch (fields.json("action"), try fields.optionalArray("actions")) {
    case (let action?, nil):
      return [action]
    case (nil, let actions?):
      guard (1...Limits.maximumActions).contains(actions.count) else {
        throw RequestError(
          .badRequest, "\"actions\" holds 1 to \(Limits.maximumActions), not \(actions.count)")
      }
      return Array(actions)
    default:
      throw RequestError(.badRequest, "a dispatch has either \"action\" or \"actions\"")
    }
  }

  private static func preconditions(
    _ list: JSONArray?
  ) throws(RequestError) -> [Request.Precondition] {
    guard let list else { return [] }
    guard list.count <= Limits.maximumPreconditions else {
      throw RequestError(.badRequest, "\"if\" holds at most \(Limits.maximumPreconditions)")
    }
    var preconditions: [Request.Precondition] = []
    for item in list {
      guard let object = item.objectValue, object["path"] != nil else {
        throw RequestError(.badRequest, "each part of \"if\" is an object with a \"path\"")
      }
      let fields = Fields(object)
      let path = try fields.path()
      switch (fields.json("value"), try fields.optionalBool("missing")) {
      case (let value?, nil): preconditions.append(.init(path: path, value: value))
      case (nil, true?): preconditions.append(.init(path: path, value: nil))
      default:
        throw RequestError(
          .badRequest, "each part of \"if\" has either a \"value\" or \"missing\":true")
      }
    }
    return preconditions
  }

  private static func text(of actions: [JSON]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(actions.reduce(2) { $0 + min($1.encodedByteCount, 1 << 20) + 1 })
    text.append(UInt8(ascii: "["))
    for (index, action) in actions.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      action.write(into: &text)
    }
    text.append(UInt8(ascii: "]"))
    return text
  }
}

extension Request.LogRange {
  fileprivate init(_ fields: Fields) throws(RequestError) {
    let after = try fields.optionalSeq("after")
    let from = try fields.optionalInteger("from")
    switch (after, from) {
    case (let after?, nil): start = .after(after)
    case (nil, let from?): start = .time(from)
    case (nil, nil): start = .after(.zero)
    default: throw RequestError(.badRequest, "a log has either \"after\" or \"from\"")
    }
    limit = try fields.limit(upTo: Limits.maximumLogEntries, default: 100)
  }
}

extension Fields {
  fileprivate func isPresencePath() throws(RequestError) -> Bool {
    try optionalString("path")?.utf8.elementsEqual(ReservedWords.presencePath.utf8) ?? false
  }

  fileprivate func position() throws(RequestError) -> Request.Position? {
    let since = try optionalSeq("since")
    let epoch = try optionalString("epoch")
    switch (since, epoch) {
    case (nil, nil): return nil
    case (let since?, let epoch?): return Request.Position(epoch: epoch, seq: since)
    default: throw RequestError(.badRequest, "\"since\" and \"epoch\" come together or not at all")
    }
  }

  fileprivate func limit(
    upTo greatest: Int, default usual: Int
  ) throws(RequestError) -> Int {
    let limit = try optionalInteger("limit") ?? Int64(usual)
    guard (1...Int64(greatest)).contains(limit) else {
      throw RequestError(.badRequest, "\"limit\" is 1 to \(greatest), this is \(limit)")
    }
    return Int(limit)
  }
}
