package io.millrace.ops.faults.outside;

import io.millrace.ops.campaigns.CampaignOwner;
import io.millrace.ops.faults.evidence.JobPlan;
import io.millrace.ops.faults.evidence.OutsideEvidence;
import io.millrace.ops.faults.evidence.OutsideEvidence.OutsideMoments;
import io.millrace.ops.faults.kill.Restarter;
import io.millrace.ops.faults.load.CommandClient;
import io.millrace.ops.faults.load.LoadFolder;
import io.millrace.ops.faults.scenario.BestEffortPartitions;
import io.millrace.ops.faults.scenario.Scenario;
import io.millrace.ops.faults.scenario.TestedSystem;
import io.millrace.ops.home.Home;
import io.millrace.ops.outside.peer.PeerCluster;
import io.millrace.ops.outside.peer.PeerDaemon;
import io.millrace.ops.outside.peer.StartedPeer;
import io.millrace.ops.word.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/**
 * The three partitions of a campaign, and a batch system of this machine as its fourth cluster,
 * whose connector and master are killed, too. Its commands do what they are to do, and what they
 * submitted is written down.
 */
public final class OutsidePartitions implements Scenario {

  /** Some hundreds of thousands of lines. */
  private static final int ENDS_BYTES_MAX = 16 << 20;

  private final long seed;
  private final PeerCluster cluster;
  private final CampaignOwner owner;
  private final Optional<OutsideSabotage> sabotage;

  /** What only this scenario kills; each is killed first once, in an order of the seed. */
  private final List<String> first;

  private Path root;
  private BestEffortPartitions partitions;
  private StartedPeer peer;
  private PeerPlace place;
  private FaultyCommands commands;
  private PeerKills kills;
  private long backMs;

  /**
   * @param sabotage a mistake of the connector, if any
   * @throws IOException in one line, when the caller cannot start such a system
   */
  public OutsidePartitions(
      long seed, PeerCluster cluster, CampaignOwner owner, Optional<OutsideSabotage> sabotage)
      throws IOException {
    StartedPeer.checkRoot(cluster);
    this.seed = seed;
    this.cluster = cluster;
    this.owner = owner;
    this.sabotage = sabotage;
    this.first = new ArrayList<>(List.of(cluster.part(), PeerKills.MASTER));
    if (seed % 2 == 0) {
      first.add(first.remove(0));
    }
  }

  @Override
  public TestedSystem up(Home home, Console console) throws IOException, InterruptedException {
    console.busy("starting a " + cluster.system());
    peer = StartedPeer.start(cluster);
    root = home.root();
    Path folder = Files.createDirectories(root.resolve("faults/outside"));
    for (Path each : List.of(folder.getParent(), folder)) {
      Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    place = new PeerPlace(cluster, folder, owner);
    place.make();
    commands =
        FaultyCommands.make(place.commands(), place.realCommands(), OptionalLong.empty(), sabotage);
    partitions = new BestEffortPartitions(seed, List.of("--forward", "" + place.clusterFile()));
    return partitions.up(home, console);
  }

  @Override
  public void prepare(CommandClient client) throws IOException, InterruptedException {
    partitions.prepare(client);
    place.prepare(client);
    commands.on();
    kills = new PeerKills(peer.live(), new SplittableRandom(seed));
  }

  @Override
  public List<String> bags() {
    List<String> all = new ArrayList<>(partitions.bags());
    all.add(cluster.cluster());
    return all;
  }

  @Override
  public List<String> groupedBags() {
    return partitions.groupedBags();
  }

  /** Connector and master are killed more often than what other runs kill, too. */
  @Override
  public List<String> victims() {
    List<String> victims = new ArrayList<>(partitions.victims());
    victims.addAll(List.of(cluster.part(), PeerKills.MASTER, PeerKills.MASTER));
    return victims;
  }

  @Override
  public boolean strike(Restarter restarter, String victim)
      throws IOException, InterruptedException {
    if (first.isEmpty()) {
      return kills.kill(victim, restarter);
    }
    boolean killed = kills.kill(first.get(0), restarter);
    if (killed) {
      first.remove(0);
    }
    return killed;
  }

  @Override
  public void awaitWhole(Restarter restarter, long patienceMs)
      throws IOException, InterruptedException {
    kills.awaitServes();
    restarter.awaitReady(patienceMs);
    backMs = System.currentTimeMillis();
  }

  @Override
  public List<String> submit(JobPlan plan) {
    return partitions.submit(plan);
  }

  @Override
  public String move(JobPlan plan) {
    return partitions.move(plan);
  }

  @Override
  public void finish(CommandClient client) {
    partitions.finish(client);
  }

  @Override
  public Optional<OutsideEvidence> outside() throws IOException, InterruptedException {
    OutsideMoments moments =
        new OutsideMoments(kills.ofConnector(), backMs, place.awaitEmpty(peer.live()));
    return Optional.of(place.evidence(OutsideLedger.ends(ends()), commands, moments));
  }

  /** What tasks wrote when they ended; nothing when none has yet. */
  private List<String> ends() throws IOException {
    try {
      return owner.lines(LoadFolder.in(root).taskEnds(), ENDS_BYTES_MAX);
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  @Override
  public List<String> notes() {
    return partitions.notes();
  }

  @Override
  public Map<String, Integer> otherStrikes() {
    String master = PeerKills.MASTER + " of the " + cluster.system() + " killed";
    return Map.of(master, kills.of(PeerDaemon.MASTER));
  }

  @Override
  public String words() {
    String planted = sabotage.map(it -> "; planted: " + it.text()).orElse("");
    return partitions.words() + ", and a " + cluster.system() + planted;
  }

  @Override
  public void close() {
    if (kills != null) {
      kills.close();
    }
    if (peer != null) {
      peer.close();
    }
  }
}
