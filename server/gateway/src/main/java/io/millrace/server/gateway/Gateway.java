package io.millrace.server.gateway;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.health.Measures;
import io.millrace.schemas.health.Metric;
import io.millrace.server.gateway.command.CommandTable;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.link.ClusterCache;
import io.millrace.server.gateway.link.CommandLink;
import io.millrace.server.gateway.link.LinkSettings;
import io.millrace.server.gateway.query.QueryClient;
import io.millrace.server.http.LocalSocket;
import java.nio.file.Path;
import java.time.Clock;
import java.util.function.Supplier;

/**
 * A gateway without its socket: the link, the cache and the queries joined. Benchmarks and tests
 * use it in process.
 */
public final class Gateway implements AutoCloseable {

  private final CommandLink link;
  private final ClusterCache cluster;
  private final QueryClient queries;
  private final Site site;

  /**
   * @param settings Kafka properties, reply partition and bounds
   * @param codec records to bytes and back
   * @param queryToken gives the token that queries must carry
   * @param host name of this host, as in Job_Owner
   * @param home folder with the logs of the cluster
   */
  public Gateway(
      LinkSettings settings,
      RecordCodec codec,
      Supplier<String> queryToken,
      String host,
      Path home) {
    this.link = new CommandLink(settings, codec);
    link.hearAt(home.resolve("run").resolve(LocalSocket.ANSWERS), queryToken);
    this.cluster = new ClusterCache(settings.kafka(), codec);
    this.queries = new QueryClient(cluster, codec, queryToken, home);
    this.site = new Site(link, cluster, queries, Clock.systemDefaultZone(), host, home + "");
  }

  /** Waits until replies can be received and the cluster's objects are known. */
  public void start() throws InterruptedException {
    link.start();
    cluster.start();
    Measures.ofProcess().answer(Metric.UNANSWERED, into -> into.is(link.unanswered()));
  }

  /** What is in the way of serving, in one line; empty for nothing. */
  public String obstacle() {
    return link.connected() ? "" : "no broker is connected";
  }

  public CommandLink link() {
    return link;
  }

  public ClusterCache cluster() {
    return cluster;
  }

  public QueryClient queries() {
    return queries;
  }

  public Site site() {
    return site;
  }

  /** All commands, ready for a session server. */
  public CommandTable commands() {
    return new CommandTable(site);
  }

  @Override
  public void close() {
    link.close();
    cluster.close();
  }
}
