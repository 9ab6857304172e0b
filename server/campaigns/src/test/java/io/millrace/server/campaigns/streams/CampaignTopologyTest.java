package io.millrace.server.campaigns.streams;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.SampleRecords;
import io.millrace.schemas.Topics;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.WireCodec;
import io.millrace.schemas.broker.DroppedRecords;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.CampaignPurged;
import io.millrace.schemas.campaign.CampaignText;
import io.millrace.schemas.campaign.ClusterLoad;
import io.millrace.schemas.campaign.ContinueCampaign;
import io.millrace.schemas.campaign.DeleteCampaign;
import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.NoteCluster;
import io.millrace.schemas.campaign.NoteJob;
import io.millrace.schemas.campaign.SubmitCampaign;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.command.DeleteJob;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.fact.JobAccepted;
import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.fact.JobHandedOver;
import io.millrace.schemas.fact.JobHeld;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.JobReleased;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunKillRequested;
import io.millrace.schemas.fact.RunPreempted;
import io.millrace.schemas.fact.RunRequeued;
import io.millrace.schemas.fact.RunStarted;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.server.campaigns.core.CampaignState;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.SplittableRandom;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both processors, with a clock moved by hand. */
final class CampaignTopologyTest {

  private static final Instant START = Instant.parse("2026-01-05T08:00:00Z");

  private final RecordCodec codec = WireCodec.local();
  private final SampleRecords samples = new SampleRecords(new SplittableRandom(7));
  private final List<Reply> answers = new ArrayList<>();
  private final CommittedAnswers committing = new CommittedAnswers(answers::add);
  private CampaignState.Wanted wanted;
  private TopologyTestDriver driver;
  private int commands;

  @TempDir Path folder;

  @BeforeEach
  void start() {
    Properties config = new Properties();
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, Topics.CAMPAIGNS_APPLICATION);
    config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
    config.put(StreamsConfig.STATE_DIR_CONFIG, folder.toString());
    config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    driver =
        new TopologyTestDriver(
            CampaignTopology.of(codec, committing, it -> wanted = it, new DroppedRecords()),
            config,
            START);
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  private void pipe(String topic, byte[] value) {
    driver
        .createInputTopic(topic, new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(new byte[0], value);
  }

  private void pipe(String topic, SpecificRecord record) {
    pipe(topic, codec.encode(record));
  }

  private List<TestRecord<byte[], byte[]>> read(String topic) {
    TestOutputTopic<byte[], byte[]> out =
        driver.createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    return out.readRecordsToList();
  }

  private List<SpecificRecord> records(String topic) throws UndecodableRecord {
    List<SpecificRecord> records = new ArrayList<>();
    for (TestRecord<byte[], byte[]> record : read(topic)) {
      records.add(codec.decode(record.value()));
    }
    return records;
  }

  private CommandMeta meta(String user) {
    byte[] id = ByteBuffer.allocate(16).putLong(START.toEpochMilli() << 16).array();
    id[15] = (byte) ++commands;
    return new CommandMeta(new CommandId(id), user, "users", "vm", Role.USER, -1, 0L);
  }

  private void submit(int tasks) {
    CampaignCluster cluster = (CampaignCluster) samples.record(CampaignCluster.getClassSchema());
    cluster.setHeld(0);
    cluster.setUnbegun(0);
    cluster.setName("c1");
    cluster.setShard(0);
    cluster.setProcessors(1);
    cluster.setMost(0);
    cluster.setPredictor("steady");
    cluster.setType("best-effort");
    cluster.setNight(null);
    cluster.setPrologue(TaskStatus.DONE);
    cluster.setEpilogue(TaskStatus.DONE);
    cluster.setLeaving(0);
    cluster.setWaiting(0);
    cluster.setRunning(0);
    cluster.setRefusals(0);
    cluster.setPausedUntilMs(0L);
    cluster.setDone(0);
    cluster.setBlacklist(0L);
    cluster.setTrouble(0L);
    cluster.setFailedInARow(0);
    pipe(
        Topics.CAMPAIGN_COMMANDS,
        new SubmitCampaign(
            meta("ada"),
            "demo",
            tasks,
            List.of(cluster),
            List.of(),
            new CampaignText(ByteBuffer.allocate(0)),
            false,
            List.of(),
            null));
  }

  private static List<String> kinds(List<SpecificRecord> records) {
    return records.stream().map(it -> it.getSchema().getName()).toList();
  }

  @Test
  void factsJobsAndAnswersGoWhereTheyBelong() throws Exception {
    submit(3);
    committing.committed();
    assertEquals(List.of("1"), answers.get(0).getLines());
    pipe(
        Topics.CAMPAIGN_COMMANDS,
        new NoteCluster(new ClusterLoad("c1", 1, 1, false, "", 0L, "", 0.0, 0L), 0L, "", ""));
    assertEquals(
        List.of("CampaignSubmitted", "ClusterSeen", "TasksSent"),
        kinds(records(Topics.CAMPAIGN_LEDGER)));
    TestRecord<byte[], byte[]> sent = read(Topics.CAMPAIGN_JOBS).get(0);
    SubmitJobs jobs = (SubmitJobs) codec.decode(sent.value());
    assertArrayEquals(jobs.getMeta().getId().bytes(), sent.key(), "a dead letter names it so");
    assertEquals(2, jobs.getJobs().size(), "one runs, one waits");
    pipe(Topics.CAMPAIGN_ANSWERS, new Reply(jobs.getMeta().getId(), 15031, List.of("no"), false));
    assertEquals(
        List.of("AttemptEnded", "AttemptEnded", "ClusterRefused", "EventOpened"),
        kinds(records(Topics.CAMPAIGN_LEDGER)));
  }

  @Test
  void nobodyIsAnsweredBeforeTheCommit() {
    submit(3);
    assertEquals(List.of(), answers);
    committing.committed();
    committing.committed();
    assertEquals(1, answers.size(), "once");
  }

  /** Another thread, or this one later, decides the command again. */
  @Test
  void whatIsGivenUpBeforeTheCommitIsNotAnswered() {
    submit(3);
    driver.close();
    start();
    committing.committed();
    assertEquals(List.of(), answers);
  }

  @Test
  void whatCannotBeReadIsPassedOver() throws Exception {
    pipe(Topics.CAMPAIGN_COMMANDS, new byte[] {1, 2, 3});
    pipe(Topics.CAMPAIGN_COMMANDS, (Job) samples.record(Job.getClassSchema()));
    submit(1);
    assertEquals(List.of("CampaignSubmitted"), kinds(records(Topics.CAMPAIGN_LEDGER)));
  }

  @Test
  void aDeletionGoesOnByItself() throws Exception {
    submit(3);
    pipe(
        Topics.CAMPAIGN_COMMANDS,
        new NoteCluster(new ClusterLoad("c1", 1, 1, false, "", 0L, "", 0.0, 0L), 0L, "", ""));
    pipe(Topics.CAMPAIGN_REPORTS, note("1.0.1", JobChange.QUEUED));
    read(Topics.CAMPAIGN_JOBS);
    pipe(Topics.CAMPAIGN_COMMANDS, new DeleteCampaign(meta("ada"), 1L));
    List<SpecificRecord> more = records(Topics.CAMPAIGN_COMMANDS);
    assertEquals(List.of(new ContinueCampaign(1L)), more, "and the driver has brought it back");
    DeleteJob deletion = (DeleteJob) records(Topics.CAMPAIGN_JOBS).get(0);
    assertEquals("7.vm", deletion.getJobId());
    assertTrue(kinds(records(Topics.CAMPAIGN_LEDGER)).contains("CampaignSwept"));
  }

  private static NoteJob note(String tag, JobChange change) {
    return new NoteJob(tag, change, "7.vm", 0, 0, 0L, "", 0L, "", false);
  }

  @Test
  void whatEndedLongAgoIsForgottenWhileNothingHappens() throws Exception {
    submit(1);
    pipe(Topics.CAMPAIGN_COMMANDS, new DeleteCampaign(meta("ada"), 1L));
    read(Topics.CAMPAIGN_LEDGER);
    driver.advanceWallClockTime(Duration.ofDays(29));
    assertEquals(List.of(), records(Topics.CAMPAIGN_LEDGER));
    driver.advanceWallClockTime(Duration.ofDays(2));
    CampaignPurged purged = (CampaignPurged) records(Topics.CAMPAIGN_LEDGER).get(0);
    assertEquals(1, purged.getCampaign());
    assertEquals(0, driver.getKeyValueStore(CampaignProcessor.STORE).approximateNumEntries() - 1);
  }

  private <T extends SpecificRecord> T fact(Class<T> type) throws ReflectiveOperationException {
    return type.cast(samples.record(type.getDeclaredConstructor().newInstance().getSchema()));
  }

  private Job job(String id, String tag) {
    Job job = (Job) samples.record(Job.getClassSchema());
    job.setId(id);
    job.setSpec(JobSpec.newBuilder(job.getSpec()).setCampaign(tag).build());
    return job;
  }

  private List<NoteJob> told() throws UndecodableRecord {
    List<NoteJob> told = new ArrayList<>();
    for (SpecificRecord record : records(Topics.CAMPAIGN_REPORTS)) {
      told.add((NoteJob) record);
    }
    return told;
  }

  private void queued(String id, String tag) throws Exception {
    JobQueued queued = fact(JobQueued.class);
    queued.setJob(job(id, tag));
    pipe(Topics.LEDGER, queued);
  }

  @Test
  void jobsWithATagAreFollowedAndNoOthers() throws Exception {
    queued("1.vm", "");
    queued("2.vm", "4.5.6");
    for (String id : List.of("1.vm", "2.vm")) {
      RunStarted started = fact(RunStarted.class);
      started.setJobId(id);
      pipe(Topics.LEDGER, started);
      RunFinished finished = fact(RunFinished.class);
      finished.setJobId(id);
      finished.setExitStatus(3);
      finished.setStartedMs(1_000L);
      finished.setFinishedMs(4_500L);
      finished.setMessage("");
      pipe(Topics.LEDGER, finished);
      pipe(Topics.LEDGER, started);
    }
    List<NoteJob> told = told();
    assertEquals(
        List.of(JobChange.QUEUED, JobChange.STARTED, JobChange.FINISHED),
        told.stream().map(NoteJob::getChange).toList(),
        "nothing after its end");
    for (NoteJob note : told) {
      assertEquals("4.5.6", note.getTag());
      assertEquals("2.vm", note.getJobId());
    }
    assertEquals(3, told.get(2).getExitStatus());
    assertEquals(3_500, told.get(2).getRunMs());
  }

  @Test
  void aRunThatNobodySawBeginHasNoTime() throws Exception {
    queued("2.vm", "4.5.6");
    RunFinished finished = fact(RunFinished.class);
    finished.setJobId("2.vm");
    finished.setStartedMs(0L);
    finished.setFinishedMs(4_500L);
    pipe(Topics.LEDGER, finished);
    assertEquals(0, told().get(1).getRunMs());
  }

  @Test
  void killsAreToldFromEndsAndRequeues() throws Exception {
    queued("2.vm", "4.5.6");
    RunKillRequested kill = fact(RunKillRequested.class);
    kill.setJobId("2.vm");
    for (KillPurpose purpose : KillPurpose.values()) {
      kill.setPurpose(purpose);
      pipe(Topics.LEDGER, kill);
    }
    RunPreempted preempted = fact(RunPreempted.class);
    preempted.setJobId("2.vm");
    for (boolean again : new boolean[] {true, false}) {
      preempted.setAgain(again);
      pipe(Topics.LEDGER, preempted);
    }
    JobHeld held = fact(JobHeld.class);
    held.setJobId("2.vm");
    pipe(Topics.LEDGER, held);
    for (String holds : List.of("o", "n")) {
      JobReleased released = fact(JobReleased.class);
      released.setJobId("2.vm");
      released.setHolds(holds);
      pipe(Topics.LEDGER, released);
    }
    RunRequeued requeued = fact(RunRequeued.class);
    requeued.setJobId("2.vm");
    pipe(Topics.LEDGER, requeued);
    JobDeleted deleted = fact(JobDeleted.class);
    deleted.setJobId("2.vm");
    deleted.setWhy("a dependency failed");
    pipe(Topics.LEDGER, deleted);
    List<NoteJob> told = told();
    assertEquals(
        List.of(
            JobChange.QUEUED,
            JobChange.KILLED,
            JobChange.PREEMPTED,
            JobChange.HELD,
            JobChange.HELD,
            JobChange.RELEASED,
            JobChange.QUEUED,
            JobChange.DELETED),
        told.stream().map(NoteJob::getChange).toList());
    assertEquals("a dependency failed", told.get(7).getWhy());
  }

  @Test
  void aJobThatGoesToAnotherShardIsFollowedThere() throws Exception {
    queued("2.vm", "4.5.6");
    JobHandedOver gone = fact(JobHandedOver.class);
    gone.setJobId("2.vm");
    pipe(Topics.LEDGER, gone);
    RunStarted started = fact(RunStarted.class);
    started.setJobId("2.vm");
    pipe(Topics.LEDGER, started);
    JobAccepted accepted = fact(JobAccepted.class);
    accepted.setJob(job("2.vm", "4.5.6"));
    pipe(Topics.LEDGER, accepted);
    assertEquals(
        List.of(JobChange.QUEUED, JobChange.QUEUED),
        told().stream().map(NoteJob::getChange).toList());
  }

  @Test
  void aLedgerThatCannotBeReadStopsIt() {
    assertThrows(RuntimeException.class, () -> pipe(Topics.LEDGER, new byte[] {1, 2, 3}));
  }
}
