package io.millrace.server.gridengine.cell;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.gridengine.language.Configuration;
import io.millrace.schedulers.gridengine.language.StartTrial;
import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.options.OptionValues;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
import io.millrace.schedulers.gridengine.language.request.Needs;
import io.millrace.schedulers.gridengine.language.request.Submission;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.ShardOwner;
import io.millrace.server.gateway.link.ClusterView;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What {@code -w} knows of the hosts of a cell. */
class CellAdmissionTest {

  private static final Cell CELL =
      new Cell(
          "c",
          Configuration.stored(
              Configuration.join(
                  Map.of(
                      "complex",
                      "slots s INT <= YES YES 1 1000\n",
                      "sched",
                      "schedule_interval 0:0:1\n",
                      "queue.all.q",
                      "qname all.q\nhostlist n1 n2.site n3 n4\nslots 2\npe_list mpi\n",
                      "host.n1",
                      "hostname n1\ncomplex_values slots=2\n",
                      "pe.mpi",
                      "pe_name mpi\nslots 99\nallocation_rule $fill_up\n"))),
          Optional.empty());

  private final Map<String, ClusterObject> nodes = new HashMap<>();

  private final ClusterView view =
      new ClusterView() {
        @Override
        public Optional<ClusterObject> find(ObjectKind kind, String name) {
          assertEquals(ObjectKind.NODE, kind);
          return Optional.ofNullable(nodes.get(name));
        }

        @Override
        public List<ClusterObject> all(ObjectKind kind) {
          return List.of();
        }

        @Override
        public List<Integer> shards() {
          return List.of();
        }

        @Override
        public Optional<ShardOwner> owner(int shard) {
          return Optional.empty();
        }

        @Override
        public void barrier() {}
      };

  /** In the place of the scheduler's: says of which clusters the hosts are. */
  public static final class OneClusterTrial implements StartTrial {
    @Override
    public Optional<String> refusal(
        Cluster cluster, OptionValues scheduler, GridEngineJob job, Instant now) {
      return Optional.of(
          cluster.queues().stream()
              .map(it -> it.host() + "=" + cluster.host(it.host()).outside())
              .sorted()
              .collect(Collectors.joining(" ")));
    }

    @Override
    public Optional<TrialPlace> place(
        Cluster cluster, OptionValues scheduler, GridEngineJob job, Instant now) {
      throw new UnsupportedOperationException();
    }
  }

  private void node(String name, String executor) {
    List<Attribute> attributes =
        executor.isEmpty() ? List.of() : List.of(new Attribute("Mom", executor));
    nodes.put(name, new ClusterObject(ObjectKind.NODE, name, 1L, attributes, 1L));
  }

  @Test
  void itIsAskedWithTheClustersOfWhichTheHostsAre() {
    node("n1", "m1@c1");
    node("n2", "m2@c2");
    node("n3", "");
    Submission asked = Submission.of(List.of("-b", "y", "-pe", "mpi", "4", "sleep"));
    CellAdmission admission = new CellAdmission(CELL, view);
    Needs needs = admission.needs(asked, Role.USER);
    assertEquals(
        "n1=c1 n2.site=c2 n3= n4=",
        admission.neverFits(asked, needs, "alice", Instant.EPOCH).orElseThrow());
  }
}
