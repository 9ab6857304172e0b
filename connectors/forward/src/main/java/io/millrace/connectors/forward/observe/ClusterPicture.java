package io.millrace.connectors.forward.observe;

import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideHost;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsidePlaces;
import io.millrace.schemas.Topics;
import io.millrace.schemas.output.ObservedCluster;
import io.millrace.schemas.output.ObservedJob;
import io.millrace.schemas.output.ObservedNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;

/** One cluster as it is shown: its jobs, its hosts, and whether it answers. */
public final class ClusterPicture {

  private static final String FREE = "free";

  private final String cluster;
  private final String system;
  private final ObservedJobs jobs;
  private final Map<String, ObservedNode> nodes = new TreeMap<>();
  private ObservedCluster status;
  private List<OutsideHost> hosts = List.of();
  private List<String> queues = List.of();

  /** Why the hosts are not told; empty when they are. */
  private String silence = "";

  /** Why the queue is not told, though the hosts are; empty when it is. */
  private String untold = "";

  private Instant heard = Instant.EPOCH;

  /**
   * @param system its kind
   * @param accounted whether ends of its jobs leave records
   */
  public ClusterPicture(String cluster, String system, boolean accounted) {
    this.cluster = cluster;
    this.system = system;
    this.jobs = new ObservedJobs(cluster, accounted);
  }

  /** Key of the record that says whether a cluster answers. */
  public static String key(String cluster) {
    return "@" + cluster;
  }

  /** A record that was shown before, by this process or by one before it. */
  public void remember(SpecificRecord record) {
    if (record instanceof ObservedJob job && job.getCluster().equals(cluster)) {
      jobs.remember(job);
    } else if (record instanceof ObservedNode node && node.getCluster().equals(cluster)) {
      nodes.put(node.getName(), node);
    } else if (record instanceof ObservedCluster before && before.getCluster().equals(cluster)) {
      status = before;
    }
  }

  /** The whole queue, asked for at a moment. */
  public void queue(List<OutsideJob> queue, Instant asked) {
    jobs.queue(queue, asked);
    heard(asked);
  }

  /** The hosts, asked for at a moment. */
  public void hosts(OutsideInventory inventory, Instant asked) {
    hosts = inventory.hosts();
    queues = inventory.queues();
    heard(asked);
  }

  private void heard(Instant asked) {
    heard = asked.isAfter(heard) ? asked : heard;
  }

  /** All that it has to say is shown, as of one that is asked in long pauses. */
  void heardAll(Instant now) {
    if (heard.isAfter(Instant.EPOCH)) {
      heard(now);
    }
  }

  /** What is wrong with it, in one line; empty for nothing. */
  private String trouble() {
    String few = jobs.tooMany() ? "it has more than " + ObservedJobs.MOST + " jobs" : "";
    return silence.isEmpty() ? (untold.isEmpty() ? few : untold) : silence;
  }

  /** What logs and accounting have said. */
  public void changes(OutsideChanges changes, Instant now) {
    jobs.changes(changes.records(), changes.moves(), now);
  }

  /** Jobs of which a record says that they are over, and the queue not yet. */
  Set<OutsideId> doubts() {
    return jobs.doubts();
  }

  /**
   * What somebody knows of it who asks it. While the queue alone is not told its hosts are known,
   * and its jobs stay as they were.
   *
   * @param nothing why it does not tell its hosts, which are unknown then; empty when it does
   * @param noQueue why its queue is not told; empty when it is
   */
  void troubles(Optional<String> nothing, Optional<String> noQueue) {
    silence = nothing.map(ClusterPicture::said).orElse("");
    untold = noQueue.map(ClusterPicture::said).orElse("");
  }

  private static String said(String why) {
    return why.isEmpty() ? "no answer" : why;
  }

  public boolean isSilent() {
    return !silence.isEmpty();
  }

  public int nodes() {
    return nodes.size();
  }

  /**
   * Time has passed.
   *
   * @param readAt all that accounting had at this moment was read
   */
  public void pass(Instant now, Instant readAt) {
    jobs.pass(now, readAt);
  }

  /** Nothing of it is shown any more, from the next news on. */
  public List<Shown> farewell() {
    jobs.clear();
    List<Shown> all = new ArrayList<>(ofJobs());
    nodes.keySet().forEach(it -> all.add(new Shown(Topics.OUTSIDE_NODES, it, Optional.empty())));
    all.add(new Shown(Topics.OUTSIDE_NODES, key(cluster), Optional.empty()));
    nodes.clear();
    return all;
  }

  /** What has changed since this was asked last. */
  public List<Shown> news() {
    List<Shown> news = new ArrayList<>(ofJobs());
    ofNodes(news);
    String trouble = trouble();
    ObservedCluster now =
        new ObservedCluster(cluster, system, trouble, heard.toEpochMilli(), queues);
    boolean told =
        status != null
            && status.getTrouble().equals(trouble)
            && status.getQueues().equals(queues)
            && now.getHeardMs() - status.getHeardMs() < Topics.OBSERVED_S * 1000L;
    boolean known = heard.isAfter(Instant.EPOCH) || !trouble.isEmpty();
    if (known && !told) {
      if (heard.equals(Instant.EPOCH) && status != null) {
        now.setHeardMs(status.getHeardMs());
      }
      status = now;
      news.add(new Shown(Topics.OUTSIDE_NODES, key(cluster), Optional.of(now)));
    }
    return news;
  }

  private List<Shown> ofJobs() {
    List<Shown> news = new ArrayList<>();
    jobs.news()
        .forEach(
            (id, job) ->
                news.add(
                    new Shown(
                        Topics.OUTSIDE_JOBS,
                        cluster + "/" + id,
                        job.map(it -> (SpecificRecord) it))));
    return news;
  }

  private record HeldSlots(long slots, int jobs) {
    HeldSlots plus(long more) {
      return new HeldSlots(slots + more, jobs + 1);
    }
  }

  private void ofNodes(List<Shown> news) {
    Map<String, ObservedNode> now = new LinkedHashMap<>();
    if (hosts.isEmpty()) {
      // Nobody has told them since the beginning: what was known stays, as unknown.
      nodes.values().forEach(it -> now.put(it.getName(), it));
    } else {
      Map<String, HeldSlots> held = held();
      hosts.forEach(it -> now.put(it.name() + key(cluster), node(it, held)));
    }
    if (isSilent()) {
      now.replaceAll(
          (name, node) -> ObservedNode.newBuilder(node).setState("state-unknown").build());
    }
    for (String gone : List.copyOf(nodes.keySet())) {
      if (!now.containsKey(gone)) {
        nodes.remove(gone);
        news.add(new Shown(Topics.OUTSIDE_NODES, gone, Optional.empty()));
      }
    }
    now.forEach(
        (name, node) -> {
          if (!node.equals(nodes.put(name, node))) {
            news.add(new Shown(Topics.OUTSIDE_NODES, name, Optional.of(node)));
          }
        });
  }

  private ObservedNode node(OutsideHost host, Map<String, HeldSlots> held) {
    HeldSlots here = held.getOrDefault(OutsidePlaces.name(host.name()), new HeldSlots(0, 0));
    boolean full = host.cpus() >= 0 && here.slots() >= host.cpus();
    return ObservedNode.newBuilder()
        .setCluster(cluster)
        .setName(host.name() + key(cluster))
        .setState(host.usable() ? (full ? "job-busy" : FREE) : "offline")
        .setWord(host.word())
        .setNcpus(host.cpus())
        .setMemBytes(host.memoryBytes())
        .setHeld(here.slots())
        .setJobs(here.jobs())
        .build();
  }

  /** What jobs hold, by the host where the queue says that they run. */
  private Map<String, HeldSlots> held() {
    Map<String, HeldSlots> held = new TreeMap<>();
    jobs.held(
        (host, slots) -> held.put(host, held.getOrDefault(host, new HeldSlots(0, 0)).plus(slots)));
    return held;
  }
}
