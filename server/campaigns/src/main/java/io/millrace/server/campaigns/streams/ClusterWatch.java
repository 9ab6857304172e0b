package io.millrace.server.campaigns.streams;

import io.millrace.schemas.campaign.NoteCluster;
import io.millrace.schemas.health.Measures;
import io.millrace.schemas.health.Metric;
import io.millrace.schemas.state.Node;
import io.millrace.server.campaigns.cluster.SeenCluster;
import io.millrace.server.campaigns.core.CampaignState;
import io.millrace.server.gateway.link.ClusterView;
import io.millrace.server.gateway.query.Queries;
import io.millrace.server.gateway.query.QueryException;
import java.time.Clock;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks each second how many processors are idle on clusters that have campaigns which go on, and
 * notes what has changed, and what keeps jobs from running there. While there is no such campaign
 * it asks nobody.
 */
public final class ClusterWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ClusterWatch.class);
  private static final long LOOK_MS = 1_000;

  /** What has not changed is noted so often all the same: pauses end by it. */
  private static final int SAME_MAX = 5;

  private final LiveCampaigns campaigns;
  private final ClusterView cluster;
  private final Queries queries;
  private final Clock clock;
  private final Map<String, SeenCluster> noted = new HashMap<>();
  private final Map<String, Integer> same = new HashMap<>();
  private final ScheduledExecutorService looks =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "cluster-watch");
            thread.setDaemon(true);
            return thread;
          });

  public ClusterWatch(LiveCampaigns campaigns, ClusterView cluster, Queries queries) {
    this(campaigns, cluster, queries, Clock.systemDefaultZone());
  }

  /**
   * The same.
   *
   * @param clock says, in its zone, when it is night
   */
  ClusterWatch(LiveCampaigns campaigns, ClusterView cluster, Queries queries, Clock clock) {
    this.clock = clock;
    this.campaigns = campaigns;
    this.cluster = cluster;
    this.queries = queries;
  }

  /** Looks from now on. */
  public void start() {
    looks.scheduleWithFixedDelay(this::look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
  }

  /** Looks once. */
  void look() {
    try {
      CampaignState.Wanted all = campaigns.wanted();
      Set<String> wanted = all.clusters();
      Measures.ofProcess().set(Metric.CAMPAIGNS_OPEN, all.campaigns());
      noted.keySet().retainAll(wanted);
      same.keySet().retainAll(wanted);
      if (!wanted.isEmpty()) {
        Measures.ofProcess().count(Metric.CAMPAIGN_LOOKS);
        List<Node> nodes = queries.nodes();
        ZonedDateTime now = ZonedDateTime.now(clock);
        wanted.forEach(name -> note(SeenCluster.of(cluster, name, nodes).at(now)));
      }
    } catch (QueryException | InvalidStateStoreException e) {
      Measures.ofProcess().count(Metric.CAMPAIGN_LOOKS_FAILED);
      LOG.info("clusters cannot be looked at now: {}", e.getMessage());
    } catch (RuntimeException e) {
      // One that is thrown on would end all further looks without a word.
      Measures.ofProcess().count(Metric.CAMPAIGN_LOOKS_FAILED);
      LOG.error("clusters cannot be looked at", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void note(SeenCluster seen) {
    String name = seen.load().getName();
    boolean fresh = !seen.equals(noted.put(name, seen));
    int times = fresh ? 0 : same.getOrDefault(name, 0) + 1;
    same.put(name, times % SAME_MAX);
    if (times % SAME_MAX == 0) {
      campaigns.note(
          new NoteCluster(seen.load(), System.currentTimeMillis(), seen.code(), seen.why()));
    }
  }

  @Override
  public void close() {
    looks.shutdownNow();
  }
}
