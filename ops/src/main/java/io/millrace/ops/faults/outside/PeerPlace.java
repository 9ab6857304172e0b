package io.millrace.ops.faults.outside;

import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.gridengine.SgeKind;
import io.millrace.connectors.slurm.SlurmKind;
import io.millrace.ops.campaigns.CampaignOwner;
import io.millrace.ops.faults.evidence.OutsideEvidence;
import io.millrace.ops.faults.evidence.OutsideEvidence.OutsideMoments;
import io.millrace.ops.faults.load.CommandClient;
import io.millrace.ops.outside.peer.LivePeer;
import io.millrace.ops.outside.peer.PeerCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The cluster file of a batch system of this machine, and the folders that go with it.
 *
 * @param root a folder that everybody may enter
 * @param owner whose jobs go there
 */
record PeerPlace(PeerCluster cluster, Path root, CampaignOwner owner) {

  private static final Path REAL = Path.of("/usr/bin");

  /** Processors of the node: what the systems start at once. */
  private static final int CPUS = 32;

  private static final long EMPTY_PATIENCE_MS = 120_000;
  private static final long LOOK_MS = 500;

  /** Makes the folder of the runs. */
  void make() throws IOException {
    owner.give(runs());
    Files.setPosixFilePermissions(spool(), PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Path spool() {
    return root.resolve("spool");
  }

  /** Folder of the owner's runs. */
  private Path runs() {
    return spool().resolve(owner.name());
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

  /**
   * A time limit of commands that makes waits for lost answers short. A Grid Engine's commands take
   * up to five seconds where the parts that are being started take both processors.
   */
  private int limitS() {
    return cluster == PeerCluster.GRID_ENGINE ? 10 : 4;
  }

  /** Writes the cluster file. */
  Path clusterFile() throws IOException {
    List<String> more =
        List.of(
            "commands = " + commands(),
            "command_limit_s = " + limitS(),
            "user." + owner.name() + " = " + owner.name());
    return Files.write(
        root.resolve(cluster.cluster() + ".properties"),
        cluster.file(cluster.cluster(), spool(), more));
  }

  /** Has the node take as many jobs as the outside system starts. */
  void prepare(CommandClient administrator) throws IOException, InterruptedException {
    String node = cluster.node();
    administrator.must("qmgr", "-c", "set node " + node + " resources_available.ncpus = " + CPUS);
  }

  /** Waits until no job of the owner is there; what is left then is there after all is over. */
  Set<Long> awaitEmpty(LivePeer peer) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(EMPTY_PATIENCE_MS);
    Set<Long> present = peer.present(owner.name());
    while (!present.isEmpty() && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
      present = peer.present(owner.name());
    }
    return present;
  }

  /**
   * What is known of the runs there.
   *
   * @param ends by job and run, when scripts wrote that they end
   */
  OutsideEvidence evidence(Map<String, Long> ends, FaultyCommands commands, OutsideMoments moments)
      throws IOException {
    return new OutsideEvidence(
        cluster.cluster(),
        OutsideLedger.accounts(cluster),
        OutsideLedger.claims(runs()),
        ends,
        commands.notes(),
        moments);
  }
}
