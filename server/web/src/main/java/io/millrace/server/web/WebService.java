package io.millrace.server.web;

import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.gateway.link.CommandIds;
import io.millrace.server.http.HttpAnswer;
import io.millrace.server.http.HttpRefusal;
import io.millrace.server.http.HttpService;
import io.millrace.server.http.ReceivedRequest;
import io.millrace.server.web.credential.AuthenticationRequest;
import io.millrace.server.web.credential.CredentialRefused;
import io.millrace.server.web.credential.Credentials;
import io.millrace.server.web.credential.Principal;
import io.millrace.server.web.route.Problem;
import io.millrace.server.web.route.RouteRequest;
import io.millrace.server.web.route.Routes;
import java.io.IOException;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** From a request to its answer: the route, who asks, whether he may, and then the route's work. */
final class WebService implements HttpService {

  private static final Logger LOG = LoggerFactory.getLogger(WebService.class);
  private static final String KEY = "Idempotency-Key";
  private static final String CHALLENGE = "Bearer realm=\"millrace\", MUNGE realm=\"millrace\"";

  private final Routes routes;
  private final Credentials credentials;
  private final Admission admission;
  private final int ofUser;
  private final Clock clock;
  private final Map<String, Integer> running = new HashMap<>();

  /** Whether a verified user may use the server at all. */
  interface Admission {
    Optional<PbsError> refusal(String user, String peer);
  }

  /**
   * @param ofUser most requests of one user at once
   */
  WebService(Routes routes, Credentials credentials, Admission admission, int ofUser, Clock clock) {
    this.routes = routes;
    this.credentials = credentials;
    this.admission = admission;
    this.ofUser = ofUser;
    this.clock = clock;
  }

  /** Of somebody who shows nothing, or a token that is not good, no body is read. */
  @Override
  public Early early(ReceivedRequest head) throws InterruptedException {
    try {
      Routes.MatchedRoute match = routes.match(head.method(), head.target());
      Map<String, String> marks =
          match.route().facts().repeatable() ? Map.of(KEY, key(head)) : Map.of();
      Optional<Principal> known =
          match.route().facts().open() ? Optional.empty() : credentials.checkHead(presented(head));
      return known.isEmpty() ? Early.goOn(false, marks) : Early.of(known.get().user(), marks);
    } catch (Problem e) {
      return Early.refused(e.answer());
    } catch (CredentialRefused e) {
      return Early.refused(challenge(e));
    }
  }

  @Override
  public HttpAnswer answer(ReceivedRequest request) throws InterruptedException {
    try {
      Routes.MatchedRoute match = routes.match(request.method(), request.target());
      String key = request.marks().get(KEY);
      UUID commandId = key == null ? fresh() : UUID.fromString(key);
      return match.route().facts().open()
          ? carryOut(match, null, request, commandId)
          : verified(match, request, commandId);
    } catch (Problem e) {
      return e.answer();
    } catch (CredentialRefused e) {
      return challenge(e);
    } catch (IOException e) {
      LOG.warn("{} {}: {}", request.method(), request.target(), e.getMessage());
      return new Problem(500, PbsError.INTERNAL, e.getMessage()).answer();
    }
  }

  /** PBS's codes for what the listener refuses. */
  @Override
  public HttpAnswer refusal(HttpRefusal why, String text) {
    PbsError error =
        switch (why) {
          case NOT_HTTP -> PbsError.PROTOCOL;
          case TOO_LARGE -> PbsError.INVALID_REQUEST;
          case NO_MEMORY, BUSY, LATE -> PbsError.NO_SERVER;
          case INTERNAL -> PbsError.INTERNAL;
        };
    String again =
        why == HttpRefusal.LATE
            ? "; it may still be carried out: ask again under the same Idempotency-Key"
            : "";
    return new Problem(why.status(), error, text + again).answer();
  }

  @Override
  public Map<String, String> headers() {
    return Map.of("Cache-Control", "no-store", "X-Content-Type-Options", "nosniff");
  }

  private HttpAnswer verified(Routes.MatchedRoute match, ReceivedRequest request, UUID commandId)
      throws Problem, CredentialRefused, IOException, InterruptedException {
    Principal principal = credentials.check(presented(request));
    Optional<PbsError> refusal = admission.refusal(principal.user(), request.peer());
    if (refusal.isPresent()) {
      throw new Problem(403, refusal.get(), refusal.get().text().strip());
    }
    if (!enter(principal.user())) {
      throw new Problem(
          429,
          PbsError.NO_SERVER,
          "user " + principal.user() + " has " + ofUser + " requests running, which is the most");
    }
    try {
      return carryOut(match, principal, request, commandId).of(principal.user());
    } finally {
      leave(principal.user());
    }
  }

  private static HttpAnswer carryOut(
      Routes.MatchedRoute match, Principal principal, ReceivedRequest request, UUID commandId)
      throws Problem, IOException, InterruptedException {
    Map<String, String> headers = new HashMap<>();
    for (String name : RouteRequest.HEADERS) {
      request.header(name).ifPresent(value -> headers.put(name, value));
    }
    RouteRequest asked =
        new RouteRequest(
            principal,
            request.peer(),
            match.variables(),
            match.query(),
            request.body(),
            headers,
            commandId);
    return match.route().handler().answer(asked);
  }

  private static AuthenticationRequest presented(ReceivedRequest request) {
    return new AuthenticationRequest(
        request.headers().all("Authorization"),
        request.peer(),
        request.method(),
        request.target(),
        request.header(KEY).orElse(""),
        request.body());
  }

  /** What the caller gave, or one of our own. */
  private String key(ReceivedRequest head) throws Problem {
    String given = head.header(KEY).orElse("");
    if (given.isEmpty()) {
      return fresh().toString();
    }
    String wrong = KEY + " is a UUID of version 7";
    return CommandIds.read(given)
        .orElseThrow(() -> new Problem(400, PbsError.INVALID_REQUEST, wrong))
        .toString();
  }

  private UUID fresh() {
    UUID base = CommandIds.base(clock.millis());
    return new UUID(
        base.getMostSignificantBits() & ~0xf000L | 0x7000L,
        base.getLeastSignificantBits() & ~(3L << 62) | 1L << 63);
  }

  private static HttpAnswer challenge(CredentialRefused why) {
    if (!why.told().isEmpty()) {
      return new Problem(429, PbsError.NO_SERVER, why.told()).answer();
    }
    if (why.later()) {
      return new Problem(
              503, PbsError.BAD_CREDENTIAL, "the credential cannot be verified now; try again")
          .answer();
    }
    return new Problem(401, PbsError.BAD_CREDENTIAL, "no valid credential")
        .answer()
        .with("WWW-Authenticate", CHALLENGE);
  }

  private synchronized boolean enter(String user) {
    int now = running.getOrDefault(user, 0);
    if (now >= ofUser) {
      return false;
    }
    running.put(user, now + 1);
    return true;
  }

  private synchronized void leave(String user) {
    running.computeIfPresent(user, (name, count) -> count == 1 ? null : count - 1);
  }
}
