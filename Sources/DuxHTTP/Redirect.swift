import Foundation

extension HTTPRequest {
  /// The request that a redirect asks for; nothing where the answer is no redirect.
  ///
  /// As RFC 9110 §15.4 and browsers have it: 303, and 301 and 302 of a `POST`, go on as a `GET`
  /// without a body; 307 and 308 repeat the request. Headers that prove who is asking stay with the
  /// scheme, host and port they were meant for.
  /// - Throws: `refusedRedirect` for a place that is no `http` or `https` URL, or that would go from
  ///   a secure connection to an insecure one.
  func redirected(by response: HTTPResponse) throws(HTTPError) -> HTTPRequest? {
    guard [301, 302, 303, 307, 308].contains(response.status),
      let location = response.headers["location"]
    else { return nil }
    guard let target = URL(string: location, relativeTo: url)?.absoluteURL,
      let scheme = target.scheme?.lowercased(), ["http", "https"].contains(scheme),
      !(target.host() ?? "").isEmpty
    else {
      throw HTTPError(self, .refusedRedirect("it leads to no http or https URL"))
    }
    guard scheme == "https" || url.scheme?.lowercased() == "http" else {
      throw HTTPError(self, .refusedRedirect("it leads from https to http"))
    }
    var next = self
    next.url = target
    if response.status == 303 && method != .head
      || [301, 302].contains(response.status) && method == .post
    {
      next.method = .get
      next.body = nil
      next.headers["content-type"] = nil
    }
    if target.origin != url.origin {
      for name in headers.secretNames { next.headers[name] = nil }
    }
    return next
  }
}

extension URL {
  /// Scheme, host and port.
  fileprivate var origin: [String] {
    let scheme = scheme?.lowercased() ?? ""
    return [scheme, host()?.lowercased() ?? "", String(port ?? (scheme == "https" ? 443 : 80))]
  }
}
