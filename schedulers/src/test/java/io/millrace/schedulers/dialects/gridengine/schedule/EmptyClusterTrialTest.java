package io.millrace.schedulers.dialects.gridengine.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.gridengine.language.Configuration;
import io.millrace.schedulers.gridengine.language.StartTrial;
import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.ExecHost;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
import io.millrace.schedulers.gridengine.language.request.Submission;
import io.millrace.schedulers.gridengine.language.request.TaskRange;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A job alone on hosts of clusters of other systems. */
class EmptyClusterTrialTest {

  private static final Configuration CELL =
      Configuration.stored(
          Configuration.join(
              Map.of(
                  "complex",
                  "slots s INT <= YES YES 1 1000\n",
                  "sched",
                  "schedule_interval 0:0:1\n",
                  "queue.all.q",
                  "qname all.q\nhostlist n1 n2 n3\nslots 2\npe_list mpi smp\n",
                  "pe.mpi",
                  "pe_name mpi\nslots 99\nallocation_rule $fill_up\n",
                  "pe.smp",
                  "pe_name smp\nslots 99\nallocation_rule $pe_slots\n")));

  /** Where three hosts of two slots are of these clusters. */
  private static Optional<String> refusal(String environment, int slots, String... clusters) {
    Cluster plain = CELL.cluster();
    Map<String, ExecHost> hosts = new HashMap<>(plain.hosts());
    for (int i = 0; i < clusters.length; i++) {
      String name = "n" + (i + 1);
      hosts.put(name, plain.host(name).of(clusters[i]));
    }
    Cluster cluster =
        new Cluster(
            plain.complexes(),
            plain.queues(),
            hosts,
            plain.environments(),
            plain.groups(),
            plain.accessLists());
    Submission asked =
        Submission.of(List.of("-b", "y", "-pe", environment, String.valueOf(slots), "sleep"));
    StartTrial trial = new EmptyClusterTrial();
    return trial.refusal(
        cluster,
        CELL.scheduler(),
        new GridEngineJob(
            new GridEngineJob.Identity(1, "a", "alice", ""),
            asked.needs(cluster.complexes()),
            false,
            new GridEngineJob.Urge(0, 0, 0),
            TaskRange.SINGLE,
            GridEngineJob.Behaviour.PLAIN),
        Instant.EPOCH);
  }

  @Test
  void noJobHasHostsOfSeveral() {
    assertEquals(Optional.empty(), refusal("mpi", 6, "", "", ""));
    assertEquals(Optional.empty(), refusal("mpi", 6, "c1", "c1", "c1"));
    assertEquals(Optional.empty(), refusal("mpi", 4, "c1", "c2", "c2"));
    assertEquals(Optional.empty(), refusal("mpi", 4, "c1", "", ""));
    assertEquals(Optional.empty(), refusal("smp", 2, "c1", "c2", ""));
    String never = refusal("mpi", 6, "c1", "c2", "c2").orElseThrow();
    assertTrue(never.contains("cannot run in PE \"mpi\" because it only offers"), never);
    assertTrue(refusal("mpi", 4, "c1", "c2", "").isPresent());
  }
}
