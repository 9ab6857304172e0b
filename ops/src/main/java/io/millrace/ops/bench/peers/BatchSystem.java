package io.millrace.ops.bench.peers;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A batch system that takes scripts.
 *
 * @param name as figures begin with it
 * @param title for people
 * @param submit line of shell that submits the script $f and leaves its output nowhere
 * @param asks line of shell that succeeds where the system serves
 * @param daemons its processes
 */
record BatchSystem(
    String name,
    String title,
    String submit,
    String asks,
    Map<String, String> environment,
    Daemons daemons) {

  /** Finds the processes of a system that live now. */
  interface Daemons {
    List<Long> pids() throws IOException;
  }

  /** Names the folder of an OpenPBS. */
  static final String OPENPBS = "MILLRACE_OPENPBS";

  boolean serves() throws IOException, InterruptedException {
    ProcessBuilder question = new ProcessBuilder("bash", "-c", asks);
    return PeerStarters.exit(question, environment, ProcessBuilder.Redirect.DISCARD) == 0;
  }

  static BatchSystem millrace(String qsub, Map<String, String> environment, Daemons parts) {
    String submit = "\"" + qsub + "\" -j oe -o /dev/null \"$f\"";
    return new BatchSystem("millrace", "Millrace", submit, "true", environment, parts);
  }

  /** The others, whether they are here or not. */
  static List<BatchSystem> others() {
    String pbs = System.getenv().getOrDefault(OPENPBS, "/nonexistent");
    return List.of(
        new BatchSystem(
            "openpbs",
            "OpenPBS",
            "\"" + pbs + "/bin/qsub\" -j oe -o /dev/null \"$f\"",
            "\"" + pbs + "/bin/qstat\" -B",
            Map.of(),
            () ->
                SystemTime.named(
                    Set.of(
                        "pbs_server.bin", "pbs_sched", "pbs_sched_bare", "pbs_mom", "pbs_comm"))),
        new BatchSystem(
            "slurm",
            "Slurm",
            "/usr/bin/sbatch -o /dev/null \"$f\"",
            "/usr/bin/scontrol ping | grep -q UP",
            Map.of(),
            () -> SystemTime.named(Set.of("slurmctld", "slurmd", "slurmstepd", "munged"))),
        new BatchSystem(
            "gridengine",
            "Grid Engine",
            "/usr/bin/qsub -j y -o /dev/null \"$f\"",
            "/usr/bin/qconf -sh",
            Map.of("SGE_ROOT", "/var/lib/gridengine", "SGE_CELL", "default"),
            () -> SystemTime.named(Set.of("sge_qmaster", "sge_execd", "sge_shepherd"))));
  }
}
