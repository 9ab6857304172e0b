package io.millrace.ops.faults.outside;

import io.millrace.ops.campaigns.CampaignOwner;
import io.millrace.ops.faults.evidence.JobPlan;
import io.millrace.ops.faults.load.CommandClient;
import io.millrace.ops.faults.load.Load;
import io.millrace.ops.faults.load.LoadFolder;
import io.millrace.ops.faults.load.RunSize;
import io.millrace.ops.outside.peer.PeerCluster;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The cluster file, the folders and the jobs of a run; the jobs are of an ordinary account. */
final class OutsideScenario implements Load.QueueChoice {

  /** Jobs last so many times as long as their plans say. */
  private static final int LONGER = 3;

  /** One job outlives an outage, and the time after which a run that is missed counts as over. */
  private static final int LONG_MS = 105_000;

  private final PeerCluster cluster;
  private final Path root;
  private final CampaignOwner owner;
  private final PeerPlace place;
  private final long seed;
  private final int longest;

  /**
   * @param root an empty folder that everybody may enter
   */
  OutsideScenario(PeerCluster cluster, Path root, RunSize size) throws IOException {
    this.cluster = cluster;
    this.root = root;
    this.owner = CampaignOwner.of(Optional.of(PeerCluster.ACCOUNT));
    this.place = new PeerPlace(cluster, root, owner);
    this.seed = size.seed();
    this.longest = longest(size.seed(), size.jobs());
  }

  /**
   * Number of the job that outlives an outage: one that nobody holds, deletes or moves. A third of
   * the jobs come before it, so that not all that is killed is killed in the outage.
   */
  static int longest(long seed, int jobs) {
    int number = jobs / 3;
    while (JobPlan.of(seed, number).operation().isPresent()) {
      number++;
    }
    return number;
  }

  /** The fewest jobs, of at least so many, of which one outlives an outage. */
  static int fewest(long seed, int jobs) {
    int enough = jobs;
    while (longest(seed, enough) >= enough) {
      enough++;
    }
    return enough;
  }

  /** Makes the folders. */
  LoadFolder make() throws IOException {
    LoadFolder load = LoadFolder.in(root);
    owner.give(work());
    place.make();
    for (Path each : List.of(load.lines(), load.ends())) {
      Files.createFile(each);
      Files.setOwner(
          each,
          FileSystems.getDefault()
              .getUserPrincipalLookupService()
              .lookupPrincipalByName(PeerCluster.ACCOUNT));
    }
    Files.createDirectories(home());
    for (Path each : List.of(root, home(), load.root(), load.script("x").getParent())) {
      Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    return load;
  }

  /** The home, at whose socket the jobs' owner asks. */
  Path home() {
    return root.resolve("home");
  }

  private Path work() {
    return root.resolve("work");
  }

  /** Its cluster file, and the folders that go with it. */
  PeerPlace place() {
    return place;
  }

  /** Arguments of {@code up}. */
  static List<String> upArguments(Path file) {
    return List.of(
        "--apart-engine", "--executors", "0", "--heap", "server=512m", "--forward", "" + file);
  }

  /**
   * Has the node take as many jobs as the outside system starts, and their owner run them again.
   */
  void prepare(CommandClient administrator) throws IOException, InterruptedException {
    place.prepare(administrator);
    administrator.must("qmgr", "-c", "set server operators += " + PeerCluster.ACCOUNT + "@*");
  }

  /** The client of the jobs' owner. */
  CommandClient client(CommandClient administrator) {
    return administrator.as(owner.become(), work());
  }

  /** Name of the job that outlives an outage. */
  String longJob() {
    return JobPlan.of(seed, longest).token();
  }

  @Override
  public List<String> submit(JobPlan plan) {
    return new ArrayList<>(List.of("-q", cluster.cluster()));
  }

  @Override
  public String move(JobPlan plan) {
    return "";
  }

  @Override
  public Path write(LoadFolder folder, JobPlan plan) throws IOException {
    int lasts = plan.number() == longest ? LONG_MS : plan.runMs() * LONGER;
    Path script = folder.writeWithEnd(plan, lasts);
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    return script;
  }
}
