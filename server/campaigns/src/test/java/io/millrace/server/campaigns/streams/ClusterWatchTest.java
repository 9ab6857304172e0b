package io.millrace.server.campaigns.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.NodeLoads;
import io.millrace.schemas.SampleRecords;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.ClusterLoad;
import io.millrace.schemas.campaign.NoteCluster;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.output.ShardOwner;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Node;
import io.millrace.server.campaigns.core.CampaignState;
import io.millrace.server.campaigns.core.table.CampaignTable;
import io.millrace.server.gateway.link.ClusterView;
import io.millrace.server.gateway.query.Queries;
import io.millrace.server.gateway.query.QueryException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/** Queues of a partition and its nodes, as they are seen. */
final class ClusterWatchTest implements LiveCampaigns, ClusterView, CampaignTable {

  private final SampleRecords samples = new SampleRecords(new SplittableRandom(7));
  private final Map<String, ClusterObject> objects = new HashMap<>();
  private final List<Campaign> campaigns = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();
  private final List<ClusterLoad> noted = new ArrayList<>();
  private final List<String> troubles = new ArrayList<>();
  private int asked;
  private boolean away;
  private boolean serving = true;
  private final Queries queries =
      (Queries)
          Proxy.newProxyInstance(
              Queries.class.getClassLoader(),
              new Class<?>[] {Queries.class},
              (proxy, method, arguments) -> {
                assertEquals("nodes", method.getName());
                asked++;
                if (away) {
                  throw new QueryException("shard 0 does not answer");
                }
                return nodes;
              });
  private Instant now = Instant.parse("2026-11-28T12:00:00Z");
  private final ClusterWatch watch =
      new ClusterWatch(
          this,
          this,
          queries,
          new Clock() {
            @Override
            public ZoneId getZone() {
              return ZoneId.of("Europe/Paris");
            }

            @Override
            public Clock withZone(ZoneId zone) {
              throw new AssertionError(zone);
            }

            @Override
            public Instant instant() {
              return now;
            }
          });

  private void put(ObjectKind kind, String name, String... pairs) {
    List<Attribute> attributes = new ArrayList<>();
    for (int i = 0; i < pairs.length; i += 2) {
      attributes.add(new Attribute(pairs[i], pairs[i + 1]));
    }
    objects.put(kind + "/" + name, new ClusterObject(kind, name, 1L, attributes, 1L));
  }

  private void queue(String name, String... pairs) {
    List<String> all = new ArrayList<>(List.of("enabled", "True", "started", "True"));
    all.addAll(List.of(pairs));
    put(ObjectKind.QUEUE, name, all.toArray(String[]::new));
  }

  private Node node(String name, long measured, long held, String... attributes) {
    put(ObjectKind.NODE, name, attributes);
    Node node = (Node) samples.record(Node.getClassSchema());
    node.setName(name);
    node.setUp(true);
    node.setMeasured(Map.of("ncpus", measured));
    Holding holding = (Holding) samples.record(Holding.getClassSchema());
    holding.setAmounts(Map.of("ncpus", held));
    node.setHoldings(List.of(holding));
    nodes.add(node);
    return node;
  }

  private void campaign(String queue, boolean ended) {
    Campaign campaign = (Campaign) samples.record(Campaign.getClassSchema());
    campaign.setClusters(new ArrayList<>());
    CampaignCluster cluster = (CampaignCluster) samples.record(CampaignCluster.getClassSchema());
    cluster.setName(queue);
    campaign.getClusters().add(cluster);
    campaign.setEndedMs(ended ? 5 : -1);
    campaigns.add(campaign);
  }

  @Override
  public CampaignState.Wanted wanted() {
    Set<String> wanted = new TreeSet<>();
    List<Campaign> going = campaigns.stream().filter(it -> it.getEndedMs() < 0).toList();
    going.forEach(it -> it.getClusters().forEach(cluster -> wanted.add(cluster.getName())));
    return serving
        ? new CampaignState.Wanted(wanted, going.size(), campaigns.size())
        : CampaignState.Wanted.NOTHING;
  }

  private List<ClusterLoad> look() {
    noted.clear();
    watch.look();
    return noted;
  }

  @Test
  void nobodyIsAskedWhileNoCampaignGoesOn() {
    queue("bag");
    node("n1", 4, 0);
    campaign("bag", true);
    assertEquals(List.of(), look());
    serving = false;
    campaign("bag", false);
    assertEquals(List.of(), look());
    assertEquals(0, asked);
  }

  @Test
  void theNodesOfTheQueuesPartitionCount() {
    queue("bag", "partition", "p1");
    queue("own", "partition", "p1");
    node("n1", 4, 1, "partition", "p1");
    node("n2", 8, 0, "partition", "p2");
    node("n3", 2, 0, "partition", "p1", "resources_available.ncpus", "6");
    node("n4", 16, 0, "partition", "p1", "queue", "own");
    node("n5", 32, 0, "partition", "p1", "state", "offline");
    node("n6", 64, 0, "partition", "p1").setUp(false);
    node("n7", 1, 3, "partition", "p1");
    campaign("bag", false);
    campaign("own", false);
    campaign("nowhere", false);
    assertEquals(
        List.of(
            new ClusterLoad("bag", 4 + 6 + 1, 3 + 6, false, "", 0L, "", 0.0, 0L),
            new ClusterLoad("nowhere", 0, 0, false, "", 0L, "", 0.0, 0L),
            new ClusterLoad("own", 16, 16, false, "", 0L, "", 0.0, 0L)),
        look());
    assertEquals(1, asked);
  }

  @Test
  void theNightOfAQueueIsSeen() {
    queue("bag", "best_effort", "True", "night_window", "20:00-06:00");
    node("n1", 4, 0);
    campaign("bag", false);
    assertEquals(
        List.of(new ClusterLoad("bag", 4, 4, true, "20:00-06:00", 0L, "", 0.0, 0L)), look());
    now = Instant.parse("2026-11-28T19:30:00Z"); // half past eight in Paris
    long until = Instant.parse("2026-11-29T05:00:00Z").toEpochMilli();
    assertEquals(
        List.of(new ClusterLoad("bag", 4, 4, true, "20:00-06:00", until, "", 0.0, 0L)), look());
    now = Instant.parse("2026-11-29T05:00:00Z");
    assertEquals(
        List.of(new ClusterLoad("bag", 4, 4, true, "20:00-06:00", 0L, "", 0.0, 0L)), look());
  }

  @Test
  void aQueueOfTheNightIsSeenWhileItWillDo() {
    queue("bag", "best_effort", "True", "night_queue", "work");
    node("n1", 4, 0);
    campaign("bag", false);
    for (String[] pairs : new String[][] {{"best_effort", "True"}, {"partition", "p2"}, {}}) {
      queue("work", pairs);
      String seen = pairs.length == 0 ? "work" : "";
      List<ClusterLoad> looked = look();
      assertTrue(looked.stream().allMatch(it -> it.getNightQueue().equals(seen)), "" + looked);
    }
  }

  @Test
  void whatHasNotChangedIsNotedNowAndThen() {
    queue("bag");
    Node node = node("n1", 4, 0);
    campaign("bag", false);
    assertEquals(1, look().size());
    int again = 0;
    for (int i = 0; i < 20; i++) {
      again += look().size();
    }
    assertEquals(4, again);
    node.setHoldings(List.of());
    node.setMeasured(Map.of("ncpus", 5L));
    assertEquals(List.of(new ClusterLoad("bag", 5, 5, false, "", 0L, "", 0.0, 0L)), look());
  }

  @Test
  void whatKeepsJobsFromRunningIsNamed() {
    campaign("bag", false);
    look();
    assertEquals(List.of("QUEUE_UNKNOWN: there is no queue bag"), troubles);
    put(ObjectKind.QUEUE, "bag", "enabled", "False", "started", "True");
    look();
    put(ObjectKind.QUEUE, "bag", "enabled", "True");
    look();
    queue("bag");
    look();
    Node node = node("n1", 4, 0);
    look();
    node.setUp(false);
    look();
    assertEquals(
        List.of(
            "QUEUE_UNKNOWN: there is no queue bag",
            "QUEUE_DISABLED: queue bag takes no jobs",
            "QUEUE_STOPPED: queue bag is stopped",
            "NO_NODE: no node of queue bag can be used",
            ": ",
            "NO_NODE: no node of queue bag can be used"),
        troubles);
  }

  @Test
  void aLookThatFailsIsTheLastOneOfNone() {
    queue("bag");
    node("n1", 4, 0);
    campaign("bag", false);
    away = true;
    assertEquals(List.of(), look());
    away = false;
    nodes.add(null);
    assertEquals(List.of(), look(), "whatever it stumbles on");
    nodes.remove(null);
    assertEquals(1, look().size());
  }

  @Override
  public Optional<CampaignTable> table() {
    return serving ? Optional.of(this) : Optional.empty();
  }

  @Override
  public CompletableFuture<Reply> send(CommandId id, SpecificRecord command) {
    throw new AssertionError("it only looks");
  }

  @Override
  public void note(SpecificRecord note) {
    NoteCluster seen = (NoteCluster) note;
    noted.add(seen.getLoad());
    troubles.add(seen.getCode() + ": " + seen.getWhy());
  }

  @Override
  public SpecificRecord get(String key) {
    throw new AssertionError(key);
  }

  @Override
  public void put(String key, SpecificRecord record) {
    throw new AssertionError(key);
  }

  @Override
  public void scan(String prefix, String from, Predicate<SpecificRecord> each) {
    campaigns.forEach(each::test);
  }

  @Override
  public Optional<ClusterObject> find(ObjectKind kind, String name) {
    return Optional.ofNullable(objects.get(kind + "/" + name));
  }

  @Override
  public List<ClusterObject> all(ObjectKind kind) {
    return List.of();
  }

  @Override
  public List<Integer> shards() {
    return List.of(0);
  }

  @Override
  public Optional<ShardOwner> owner(int shard) {
    return Optional.empty();
  }

  @Override
  public void barrier() {}

  /** One that threw would keep campaigns from all clusters. */
  @Test
  void anyNumberOfProcessorsThatAManagerWritesIsTaken() {
    queue("bag");
    node("n1", 4, 0, "resources_available.ncpus", "3000000000");
    node("n2", 4, 0, "resources_available.ncpus", "9223372036854775807");
    campaign("bag", false);
    assertEquals(1_000_000_000, look().get(0).getProcessors());
  }

  @Test
  void theStressOfAClusterIsThatOfItsWorstNode() {
    queue("bag");
    node("n1", 4, 0).setMeasured(Map.of("ncpus", 4L, NodeLoads.STRESS, 250L));
    node("n2", 4, 0).setMeasured(Map.of("ncpus", 4L, NodeLoads.STRESS, 900L));
    node("n3", 4, 0);
    campaign("bag", false);
    assertEquals(0.9, look().get(0).getStress());
  }
}
