package io.millrace.server.gridengine.stat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.gridengine.language.cluster.ObjectAccess;
import io.millrace.schedulers.gridengine.language.cluster.OfferedAttributes;
import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;
import io.millrace.schedulers.gridengine.language.options.QueueOptions;
import io.millrace.schedulers.gridengine.language.request.RequestRefused;
import io.millrace.schedulers.gridengine.language.request.TaskRange;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.GridEngineGrant;
import io.millrace.schemas.common.GridEngineRequest;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gridengine.cell.Texts;
import io.millrace.server.gridengine.submit.StartTime;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Lines as a real qstat printed them. */
class StatTableTest {

  private static final long AT_MS = Instant.parse("2026-11-20T15:32:36Z").toEpochMilli();

  private static PriorityParts prior(double total) {
    return new PriorityParts(
        total,
        0.5,
        new PriorityParts.PriorityShares(1, 0.5),
        new PriorityParts.Urgency(4000, 0, 0));
  }

  private static StatTable table(String... options) throws Failure {
    return new StatTable(StatOptions.of(List.of(options), "alice"), ZoneOffset.UTC, null);
  }

  private static Job job(long number, String name, int slots, String... queues) {
    JobSpec spec =
        JobSpec.newBuilder()
            .setName(name)
            .setOwner("alice")
            .setSubmitHost("vm")
            .setQueue("ge")
            .setRequest(
                ResourceRequest.newBuilder()
                    .setChunks(List.of(new Chunk(slots, Map.of("ncpus", 1L), Map.of())))
                    .build())
            .setResourceList(List.of())
            .setOutputPath("")
            .setErrorPath("")
            .setVariables(List.of())
            .setScriptHash(ByteBuffer.allocate(0))
            .setArgv(List.of())
            .setExtra(List.of())
            .setGridEngine(
                GridEngineRequest.newBuilder().setOptions(List.of()).setCategory("").build())
            .build();
    Job job =
        Job.newBuilder()
            .setId(number + ".vm")
            .setNumber(number)
            .setRank(number)
            .setSpec(spec)
            .setStatus(queues.length > 0 ? JobStatus.RUNNING : JobStatus.QUEUED)
            .setCreatedMs(AT_MS)
            .setQueuedMs(AT_MS)
            .setModifiedMs(AT_MS)
            .setEvents(List.of())
            .build();
    if (queues.length > 0) {
      List<NodeShare> shares =
          List.of(queues).stream().map(q -> new NodeShare("n", "h", slots, Map.of())).toList();
      GridEngineGrant grant = new GridEngineGrant("mpi", List.of(queues), 0L, 0L);
      job.setAllocation(new Allocation(shares, "", "", grant));
      job.setStartedMs(AT_MS);
    }
    return job;
  }

  @Test
  void rowsOfThePlainTable() throws Failure {
    List<StatRow> rows =
        List.of(
            new StatRow(
                job(7, "par2", 8, "all.q@node01", "all.q@node02"), prior(0.605), "r", "", true),
            new StatRow(job(9, "arr", 1), PriorityParts.NONE, "qw", "7,10", false));
    String expected =
        """
        job-ID  prior   name       user         state submit/start at     queue                          slots ja-task-ID\s
        -----------------------------------------------------------------------------------------------------------------
              7 0.60500 par2       alice        r     11/20/2026 15:32:36 all.q@node01                      16       \s
              9 0.00000 arr        alice        qw    11/20/2026 15:32:36                                    1 7,10
        """;
    assertEquals(expected, table().plain(rows));
    assertEquals("", table().plain(List.of()));
  }

  @Test
  void aRunThatStandsStillHasALetterOfItsOwn() {
    Job job = job(7, "par2", 8, "all.q@node01");
    assertEquals("t", CellView.runState(job));
    job.setSessionId(4711L);
    assertEquals("r", CellView.runState(job));
    job.setSuspension(Suspension.OPERATOR);
    assertEquals("s", CellView.runState(job));
    job.setSuspension(Suspension.RESUMABLE);
    job.setHolds("u");
    job.setKilling(KillPurpose.DELETE);
    assertEquals("dhs", CellView.runState(job));
  }

  @Test
  void furtherColumns() throws Failure {
    List<StatRow> rows =
        List.of(new StatRow(job(7, "par2", 64, "all.q@node01"), prior(0.605), "r", "", true));
    assertEquals(
        """
        job-ID  prior   nurg    urg      rrcontr  wtcontr  dlcontr  name       user         state submit/start at      deadline           queue                          slots ja-task-ID\s
        ---------------------------------------------------------------------------------------------------------------------------------------------------------------------------------
              7 0.60500 1.00000     4000     4000        0        0 par2       alice        r     11/20/2026 15:32:36                     all.q@node01                      64       \s
        """,
        table("-urg").plain(rows));
    assertEquals(
        """
        job-ID  prior   nurg    npprior ntckts   ppri name       user         state submit/start at     queue                          slots ja-task-ID\s
        ----------------------------------------------------------------------------------------------------------------------------------------------------
              7 0.60500 1.00000 0.50000 0.50000     0 par2       alice        r     11/20/2026 15:32:36 all.q@node01                      64       \s
        """,
        table("-pri").plain(rows));
    assertEquals(
        """
        job-ID  prior   ntckts  name       user         project          department state cpu        mem     io      tckts ovrts otckt ftckt stckt share queue                          slots ja-task-ID\s
        ------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------
              7 0.60500 0.50000 par2       alice        NA               defaultdep r     NA         NA      NA          0     0     0     0     0 0.00  all.q@node01                      64       \s
        """,
        table("-ext").plain(rows));
    String all = table("-ext", "-urg", "-pri").plain(rows);
    assertEquals(
        """
        job-ID  prior   nurg    npprior ntckts  urg      rrcontr  wtcontr  dlcontr   ppri name       user         project          department state submit/start at      deadline           cpu        mem     io      tckts ovrts otckt ftckt stckt share queue                          slots ja-task-ID\s
        ---------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------
              7 0.60500 1.00000 0.50000 0.50000     4000     4000        0        0     0 par2       alice        NA               defaultdep r     11/20/2026 15:32:36                     NA         NA      NA          0     0     0     0     0 0.00  all.q@node01                      64       \s
        """,
        all);
  }

  @Test
  void aLineForEachSlotAndEachClusterQueue() throws Failure {
    StatRow run =
        new StatRow(job(7, "par2", 2, "all.q@node01", "all.q@node02"), prior(0.605), "r", "", true);
    StatRow waits = new StatRow(job(9, "arr", 1), PriorityParts.NONE, "qw", "7,10", false);
    List<QueueInstance> queues = List.of(queue("node01"), queue("node02"));
    assertEquals(
        """
        job-ID  prior   name       user         state submit/start at     queue                          master ja-task-ID\s
        ------------------------------------------------------------------------------------------------------------------
              7 0.60500 par2       alice        r     11/20/2026 15:32:36 all.q@node01                   MASTER       \s
                                                                          all.q@node01                   SLAVE        \s
                                                                          all.q@node01                   SLAVE        \s
              7 0.60500 par2       alice        r     11/20/2026 15:32:36 all.q@node02                   SLAVE        \s
                                                                          all.q@node02                   SLAVE        \s
              9 0.00000 arr        alice        qw    11/20/2026 15:32:36                                       7,10
        """,
        table("-g", "t").slots(List.of(run, waits), queues));
    StatRow earlier = new StatRow(job(3, "one", 1, "all.q@node01"), prior(0.5), "r", "", true);
    assertTrue(
        table("-g", "t")
            .slots(List.of(run, earlier), queues)
            .lines()
            .skip(2)
            .findFirst()
            .orElse("")
            .startsWith("      3 "),
        "within a queue by number, not by priority");
    StatSummary.SlotCounts slots = new StatSummary.SlotCounts(0, 74, 6, 80, 0, 0);
    assertEquals(
        "all.q                             0.79     74      0      6     80      0      0 \n",
        new StatSummary.SummaryLine("all.q", Optional.of(0.79), slots).toString());
  }

  private static QueueInstance queue(String host) {
    return new QueueInstance(
        "all.q",
        host,
        QueueOptions.TABLE.parse("queue", "qname all.q\nslots 8\n"),
        OfferedAttributes.NOTHING,
        ObjectAccess.users("NONE", "NONE"));
  }

  @Test
  void elementsOfXml() throws Failure {
    String xml =
        new StatXml(StatOptions.of(List.of(), ""), ZoneOffset.UTC, null)
            .plain(List.of(new StatRow(job(6, "a<b", 2), prior(0.53833), "qw", "", false)));
    String expected =
        """
            <job_list state="pending">
              <JB_job_number>6</JB_job_number>
              <JAT_prio>0.53833</JAT_prio>
              <JB_name>a&lt;b</JB_name>
              <JB_owner>alice</JB_owner>
              <state>qw</state>
              <JB_submission_time>2026-11-20T15:32:36</JB_submission_time>
              <queue_name></queue_name>
              <slots>2</slots>
            </job_list>
        """;
    assertTrue(xml.contains(expected), xml);
    assertEquals(
        "<?xml version='1.0'?>\n<unknown_jobs >\n    <ST_name>999999</ST_name>\n</unknown_jobs>\n",
        StatDetailXml.unknown(List.of("999999")));
  }

  @Test
  void rangesOfTasks() {
    assertEquals("7,10", Texts.ranges(List.of(7, 10), TaskRange.of("1-10:3")));
    assertEquals("1-3:1", Texts.ranges(List.of(1, 2, 3), TaskRange.of("1-4")));
    assertEquals("1-2:1,4", Texts.ranges(List.of(1, 2, 4), TaskRange.of("1-4")));
    assertEquals("4", Texts.ranges(List.of(4), TaskRange.of("1-4")));
  }

  @Test
  void timesOfStart() {
    Clock clock = Clock.fixed(Instant.parse("2026-11-20T15:00:00Z"), ZoneOffset.UTC);
    long expected = Instant.parse("2030-01-01T00:00:00Z").getEpochSecond();
    assertEquals(expected, StartTime.seconds("qsub", "203001010000", clock));
    assertEquals(expected, StartTime.seconds("qsub", "3001010000.00", clock));
    for (String wrong : List.of("badtime", "13010000", "202602300000")) {
      RequestRefused refused =
          assertThrows(RequestRefused.class, () -> StartTime.seconds("qsub", wrong, clock));
      assertEquals(7, refused.exitCode());
    }
  }

  @Test
  void optionsOfQstat() throws Failure {
    StatOptions options = StatOptions.of(List.of("-s", "prhu", "-u", "bob,eve"), "alice");
    assertTrue(options.wants("p") && options.wants("r") && options.wantsHold("hu"));
    assertTrue(options.wantsUser("eve") && !options.wantsUser("alice"));
    Failure wrong = assertThrows(Failure.class, () -> StatOptions.of(List.of("-badopt"), "alice"));
    assertTrue(wrong.getMessage().endsWith("invalid option argument \"-badopt\"\n"));
  }
}
