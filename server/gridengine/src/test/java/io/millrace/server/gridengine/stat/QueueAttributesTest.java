package io.millrace.server.gridengine.stat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.gridengine.language.Configuration;
import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;
import io.millrace.schedulers.gridengine.language.request.Needs;
import io.millrace.schedulers.gridengine.language.request.Submission;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.GridEngineGrant;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.state.Job;
import io.millrace.server.gridengine.cell.Cell;
import io.millrace.server.gridengine.cell.CellHosts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is left of consumables, as qstat -F shows it. */
class QueueAttributesTest {

  private static final Cell CELL =
      new Cell(
          "ge",
          Configuration.of(
              Map.of(
                  "complex",
                  """
                  slots s  INT <= YES YES 1 1000
                  once  o  INT <= YES JOB 0 0
                  each  e  INT <= YES YES 0 0
                  glob  g  INT <= YES JOB 0 0
                  """,
                  "sched",
                  "schedule_interval 0:0:1\n",
                  "queue.all.q",
                  "qname all.q\nhostlist n1 n2\nslots 4\ncomplex_values once=20,each=20\n",
                  "host.n1",
                  "hostname n1\ncomplex_values once=10,each=10\n",
                  "host.n2",
                  "hostname n2\ncomplex_values once=10,each=10\n",
                  "host.global",
                  "hostname global\ncomplex_values glob=5\n")),
          Optional.empty());

  /** A run of two slots on each host, whose master is on n1. */
  private static QueueAttributes attributes() {
    Job job = new Job();
    job.setAllocation(
        new Allocation(
            List.of(new NodeShare("n1", "h", 2, Map.of()), new NodeShare("n2", "h", 2, Map.of())),
            "",
            "",
            new GridEngineGrant("mpi", List.of("all.q@n1", "all.q@n2"), 0L, 0L)));
    StatRow row = new StatRow(job, PriorityParts.NONE, "r", "", true);
    Needs needs =
        Submission.of(List.of("-l", "once=3,each=1,glob=2"))
            .needs(CELL.configuration().cluster().complexes());
    CellHosts hosts = new CellHosts(CELL.configuration().cluster(), List.of());
    return new QueueAttributes(CELL, hosts, List.of(new QueueAttributes.ConsumingRun(needs, row)));
  }

  private static String left(String host) {
    QueueInstance queue =
        CELL.configuration().cluster().queues().stream()
            .filter(it -> it.host().equals(host))
            .findFirst()
            .orElseThrow();
    return String.join(
        " ",
        attributes().of(queue, List.of("once", "each", "glob", "slots")).stream()
            .map(QueueAttributes.OfferedAttribute::toString)
            .sorted()
            .toList());
  }

  @Test
  void whatAJobTakesOnceIsTakenWhereItsMasterIs() {
    assertEquals("gc:glob=3 hc:each=8 hc:once=7 qc:each=18 qc:once=17 qc:slots=2", left("n1"));
    assertEquals("gc:glob=3 hc:each=8 hc:once=10 qc:each=18 qc:once=20 qc:slots=2", left("n2"));
  }
}
