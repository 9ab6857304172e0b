package io.millrace.server.web;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.program.ConnectionBounds;
import io.millrace.server.gateway.Gateway;
import io.millrace.server.gateway.command.CommandTable;
import io.millrace.server.gateway.command.Version;
import io.millrace.server.gateway.session.RecordedSessions;
import io.millrace.server.gateway.session.SessionLimits;
import io.millrace.server.gateway.session.SharedBytes;
import io.millrace.server.gateway.status.Views;
import io.millrace.server.http.HttpLimits;
import io.millrace.server.http.HttpListener;
import io.millrace.server.web.credential.Accounts;
import io.millrace.server.web.credential.AuditLog;
import io.millrace.server.web.credential.Credentials;
import io.millrace.server.web.credential.TokenFolder;
import io.millrace.server.web.event.Feed;
import io.millrace.server.web.route.AboutRoutes;
import io.millrace.server.web.route.Callers;
import io.millrace.server.web.route.CommandRoutes;
import io.millrace.server.web.route.EventRoutes;
import io.millrace.server.web.route.OpenApiDocument;
import io.millrace.server.web.route.PeerNames;
import io.millrace.server.web.route.Route;
import io.millrace.server.web.route.RouteSet;
import io.millrace.server.web.route.Routes;
import io.millrace.server.web.route.SessionRoutes;
import io.millrace.server.web.route.ViewRoutes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/** The door put together: what the gateway offers, behind credentials, at an address. */
final class WebGateway implements AutoCloseable {

  /** Each may hold a quarter of a megabyte that it has not taken. */
  private static final Feed.FeedLimits LISTENERS =
      new Feed.FeedLimits(64, 8, Duration.ofMinutes(15));

  /** Memory for output of commands that is not sent yet, all copies counted: the largest, twice. */
  private static final long OUTPUT_BYTES = 64L << 20;

  /**
   * What fits a heap of 256 MiB, commands' output beside it. A user has half of what the others
   * leave: one has room for the largest body with all its copies, and for the largest answer.
   */
  static HttpLimits limits(ConnectionBounds.ConnectionBound connections) {
    Duration patience = Duration.ofSeconds(30);
    return new HttpLimits(
        new HttpLimits.Connections(connections.all(), connections.ofOne()),
        4 << 20,
        new HttpLimits.HttpMemoryLimits(40L << 20, 20L << 20, 40L << 20),
        new HttpLimits.Workers(32, 64),
        new HttpLimits.HttpTimeLimits(
            patience, patience, patience, Duration.ofSeconds(90), Duration.ofSeconds(60)));
  }

  /** Of one user at once. */
  private static final int REQUESTS_OF_USER = 12;

  private final HttpListener door;
  private final Credentials credentials;
  private final AuditLog audit;
  private final Feed feed;

  private WebGateway(HttpListener door, Feed feed, Credentials credentials, AuditLog audit) {
    this.door = door;
    this.feed = feed;
    this.credentials = credentials;
    this.audit = audit;
  }

  /** What proves who a caller is: tokens of this cluster, or MUNGE; and the log of refusals. */
  record Trust(
      String cluster, TokenFolder tokens, Credentials.MungeSettings munge, AuditLog audit) {}

  /**
   * What it offers.
   *
   * @param monitor settings of Kafka clients that may read the shards' tables
   */
  record Offer(Gateway gateway, RecordCodec codec, Map<String, Object> monitor) {}

  /** Opens it. */
  static WebGateway open(Offer offer, Trust trust, WebMain.WebListening where) throws IOException {
    Clock clock = Clock.systemUTC();
    Accounts accounts = new Accounts(clock);
    Credentials credentials =
        new Credentials(trust.cluster(), trust.tokens(), trust.munge(), accounts, trust.audit());
    Gateway gateway = offer.gateway();
    Views views = new Views(gateway.site());
    Feed feed = Feed.of(offer.monitor(), new TableChanges(offer.codec(), views), LISTENERS);
    Routes routes =
        new Routes(routes(gateway, new ViewsAndFeed(views, feed), accounts, trust.cluster()));
    WebService service =
        new WebService(
            routes,
            credentials,
            (user, peer) -> views.refusal(user, () -> host(gateway, peer)),
            REQUESTS_OF_USER,
            clock);
    HttpListener door =
        HttpListener.open(
            new HttpListener.ListenerAddress("web", where.address(), where.tls()),
            limits(where.connections()),
            service);
    return new WebGateway(door, feed, credentials, trust.audit());
  }

  /** What is shown beside commands. */
  private record ViewsAndFeed(Views views, Feed feed) {}

  private static String host(Gateway gateway, String peer) {
    String name = PeerNames.host(peer);
    return name.isEmpty() ? gateway.site().host() : name;
  }

  private static List<Route> routes(
      Gateway gateway, ViewsAndFeed shown, Accounts accounts, String cluster) {
    CommandTable commands = gateway.commands();
    List<Route> all = new ArrayList<>();
    SharedBytes output = new SharedBytes(OUTPUT_BYTES);
    Callers callers = new Callers(gateway.site(), accounts, output);
    List<RouteSet> sets = new ArrayList<>();
    ServiceLoader.load(RouteSet.class).forEach(sets::add);
    all.addAll(new CommandRoutes(commands, commands.all(), accounts, output).routes());
    all.addAll(new SessionRoutes(sessions(commands, output)).routes());
    all.addAll(new ViewRoutes(shown.views()).routes());
    all.addAll(new EventRoutes(shown.feed(), shown.views()).routes());
    sets.forEach(set -> all.addAll(set.routes(callers)));
    String version = Version.text();
    all.addAll(
        new AboutRoutes(
                cluster,
                version,
                () ->
                    OpenApiDocument.of(
                        all,
                        version,
                        commands.all(),
                        sets.stream().map(RouteSet::schemas).toList()))
            .routes());
    return all;
  }

  /** Of one user as many at once as of the other requests, which counts them all. */
  private static RecordedSessions sessions(CommandTable commands, SharedBytes output) {
    return new RecordedSessions(SessionLimits.defaults(), commands, output);
  }

  InetSocketAddress address() {
    return door.address();
  }

  /** Connections that are open now. */
  int connections() {
    return door.connections();
  }

  void awaitClose() throws InterruptedException {
    door.awaitClose();
  }

  @Override
  public void close() throws IOException {
    feed.close();
    door.close();
    credentials.close();
    audit.close();
  }
}
