package io.millrace.ops.faults.outside;

import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.gridengine.SgeKind;
import io.millrace.connectors.slurm.SlurmKind;
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

  private static final Path REAL = Path.of("/usr/bin");

  /** Processors of the node: what the systems start at once. */
  private static final int CPUS = 32;

  /** A time limit of commands that makes waits for lost answers short. */
  private static final int LIMIT_S = 4;

  /** Jobs last so many times as long as their plans say. */
  private static final int LONGER = 3;

  /** One job outlives an outage, and the time after which a run that is missed counts as over. */
  private static final int LONG_MS = 105_000;

  private final PeerCluster cluster;
  private final Path root;
  private final CampaignOwner owner;
  private final long seed;
  private final int longest;

  /**
   * @param root an empty folder that everybody may enter
   */
  OutsideScenario(PeerCluster cluster, Path root, RunSize size) throws IOException {
    this.cluster = cluster;
    this.root = root;
    this.owner = CampaignOwner.of(Optional.of(PeerCluster.ACCOUNT));
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
    owner.give(spool().resolve(PeerCluster.ACCOUNT));
    for (Path each : List.of(load.lines(), load.ends())) {
      Files.createFile(each);
      Files.setOwner(
          each,
          FileSystems.getDefault()
              .getUserPrincipalLookupService()
              .lookupPrincipalByName(PeerCluster.ACCOUNT));
    }
    Files.createDirectories(home());
    for (Path each : List.of(root, home(), load.root(), load.script("x").getParent(), spool())) {
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

  Path spool() {
    return root.resolve("spool");
  }

  /** Folder of the programs that stand in the place of the system's commands. */
  Path commands() {
    return root.resolve("commands");
  }

  /** The system's own commands, and what they say in an outage. */
  FaultyCommands.FaultyCommandTerms realCommands() {
    OutsideKind kind = cluster == PeerCluster.SLURM ? new SlurmKind() : new SgeKind();
    String submitting = cluster == PeerCluster.SLURM ? "sbatch" : "qsub";
    return new FaultyCommands.FaultyCommandTerms(
        REAL, kind.programs(), submitting, OutageWords.of(cluster));
  }

  /** Writes the cluster file. */
  Path clusterFile() throws IOException {
    List<String> more =
        List.of(
            "commands = " + commands(),
            "command_limit_s = " + LIMIT_S,
            "user." + PeerCluster.ACCOUNT + " = " + PeerCluster.ACCOUNT);
    return Files.write(
        root.resolve(cluster.cluster() + ".properties"),
        cluster.file(cluster.cluster(), spool(), more));
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
    String node = cluster.node();
    administrator.must("qmgr", "-c", "set node " + node + " resources_available.ncpus = " + CPUS);
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
