package io.millrace.server.streams.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.NoteUsage;
import io.millrace.schemas.command.RunUsed;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.fact.RunCharge;
import io.millrace.schemas.fact.UsageCharged;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Node;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.Tables;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/** How much it costs to tell what runs have used. */
class ShareWatchTest {

  private static final int FACT_MAX = 64 << 10;

  private final Tables tables = Tables.inMemory(0, 1);
  private final ShareWatch watch = new ShareWatch(ShareWatchTest::used);
  private long nowMs = 1_000_000;

  private static boolean used(Job job, long atMs) {
    job.setUsed(Usage.newBuilder().setWalltimeS(atMs / 1000).build());
    return true;
  }

  private void runs(int count, String account) {
    List<Attribute> attributes =
        List.of(
            new Attribute("fairshare_entity", "Account_Name"),
            new Attribute("fairshare_usage_res", "walltime"));
    tables
        .objects()
        .put(
            Keys.object(ObjectKind.SCHEDULER, "default"),
            new ClusterObject(ObjectKind.SCHEDULER, "default", 1L, attributes, 1L));
    List<Holding> holdings = new ArrayList<>();
    for (long number = 1; number <= count; number++) {
      tables.jobs().put(Keys.number(number), job(number, account + number));
      holdings.add(new Holding(number + ".host", number, 1, Map.of(), 1, 0, false));
    }
    tables
        .nodes()
        .put(
            "n1",
            Node.newBuilder()
                .setName("n1")
                .setHost("n1")
                .setUp(true)
                .setMeasured(Map.of())
                .setHoldings(holdings)
                .build());
  }

  private static Job job(long number, String account) {
    JobSpec spec =
        JobSpec.newBuilder()
            .setName("j")
            .setOwner("u@h")
            .setSubmitHost("h")
            .setQueue("workq")
            .setRequest(new ResourceRequest(List.of(), "", 60L, Map.of()))
            .setResourceList(List.of())
            .setAccount(account)
            .setOutputPath("o")
            .setErrorPath("e")
            .setVariables(List.of())
            .setScriptHash(ByteBuffer.allocate(0))
            .setArgv(List.of())
            .setExtra(List.of())
            .build();
    return Job.newBuilder()
        .setId(number + ".host")
        .setNumber(number)
        .setRank(number)
        .setSpec(spec)
        .setStatus(JobStatus.RUNNING)
        .setScheduler("default")
        .setRun(1)
        .setCreatedMs(0)
        .setQueuedMs(0)
        .setModifiedMs(0)
        .setEvents(List.of())
        .build();
  }

  private static CommandMeta meta() {
    return new CommandMeta(new CommandId(new byte[16]), "shard-0", "", "", Role.SHARD, -1, 0L);
  }

  /** What is told in so many seconds, with a look each second. */
  private List<NoteUsage> told(int seconds) {
    List<NoteUsage> told = new ArrayList<>();
    for (int i = 0; i < seconds; i++) {
      nowMs += 1_000;
      for (SpecificRecord command : watch.due(tables, nowMs, ShareWatchTest::meta)) {
        told.add((NoteUsage) command);
      }
    }
    return told;
  }

  /** Bytes of the fact that follows when each of the runs is charged. */
  private int bytes(NoteUsage note, String account) {
    List<RunCharge> charges = new ArrayList<>();
    for (RunUsed run : note.getRuns()) {
      charges.add(new RunCharge(run.getJob(), run.getRun(), account + run.getJob(), 1L << 40));
    }
    FactMeta meta = new FactMeta(1L << 40, nowMs, new CommandId(new byte[16]), "shard-0");
    return tables.codec().encode(new UsageCharged(meta, "default", charges, nowMs)).length;
  }

  @Test
  void aThousandRunsAreOneFactAMinute() {
    runs(1_000, "account");
    List<NoteUsage> told = told(600);
    assertTrue(told.size() >= 9 && told.size() <= 10, told.size() + " in ten minutes");
    for (NoteUsage note : told) {
      assertEquals(1_000, note.getRuns().size());
      assertTrue(bytes(note, "account") <= FACT_MAX, bytes(note, "account") + " bytes");
    }
  }

  @Test
  void whatOneFactCannotHoldComesInTurn() {
    String longName = "a".repeat(200);
    runs(1_000, longName);
    List<NoteUsage> told = told(240);
    assertTrue(told.size() <= 8, "twice a minute");
    Set<Long> jobs = new TreeSet<>();
    for (NoteUsage note : told) {
      assertTrue(bytes(note, longName) <= FACT_MAX, bytes(note, longName) + " bytes");
      note.getRuns().forEach(run -> jobs.add(run.getJob()));
    }
    assertEquals(1_000, jobs.size());
  }
}
