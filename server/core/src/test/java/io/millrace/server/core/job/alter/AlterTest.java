package io.millrace.server.core.job.alter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.Topics;
import io.millrace.schemas.command.AlterJob;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.ReportRunStarted;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.GridEngineRequest;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.fact.JobAltered;
import io.millrace.schemas.fact.JobHeld;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.output.SignalRun;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.resources.Amounts;
import io.millrace.schemas.state.Dependency;
import io.millrace.schemas.state.DependencyKind;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Queued;
import io.millrace.schemas.state.WaitedJob;
import io.millrace.server.core.admission.QueuedJobs;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import io.millrace.server.core.state.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Alterations of waiting and running jobs. */
class AlterTest {
  private final TestShards shards = TestShards.threePartitions();
  private final String job = shards.submit(Calls.job("ann", "workq", 1));

  private AlterJob.Builder wish(CommandMeta by) {
    return AlterJob.newBuilder().setMeta(by).setJobId(job);
  }

  @Test
  void onlyWhatIsNamedChanges() {
    JobSpec before = shards.job(job).getSpec();
    List<Attribute> variables = List.of(new Attribute("A", "1"));
    AlterJob command =
        wish(shards.user("ann"))
            .setName("new")
            .setPriority(7)
            .setRerunnable(false)
            .setAccount("acc")
            .setOutputPath("/out")
            .setErrorPath("/err")
            .setJoinPath("oe")
            .setShell("/bin/bash")
            .setVariables(variables)
            .build();
    assertEquals(0, shards.code(0, command));
    JobSpec expected =
        JobSpec.newBuilder(before)
            .setName("new")
            .setPriority(7)
            .setRerunnable(false)
            .setAccount("acc")
            .setOutputPath("/out")
            .setErrorPath("/err")
            .setJoinPath("oe")
            .setShell("/bin/bash")
            .setVariables(variables)
            .build();
    assertEquals(expected, shards.job(job).getSpec());
    String changed = shards.facts(JobAltered.class).get(0).getChanged();
    assertEquals(
        "Job_Name,Priority,Rerunable,Account_Name,Output_Path,Error_Path,Join_Path,"
            + "Shell_Path_List,Variable_List",
        changed);
  }

  @Test
  void operatorsWriteComments() {
    List<Attribute> comment = List.of(new Attribute("comment", "waits for the licence"));
    int code = shards.code(0, wish(shards.user("ann")).setExtra(comment).build());
    assertEquals(PbsError.READ_ONLY_ATTRIBUTE.code(), code);
    assertEquals(0, shards.code(0, wish(shards.operator()).setExtra(comment).build()));
    assertEquals(comment, shards.job(job).getSpec().getExtra());
    assertEquals(0, shards.grant(job, "default", "n0", 1).getCode());
    shards.started(shards.lastStart());
    List<Attribute> none = List.of(new Attribute("comment", ""));
    assertEquals(0, shards.code(0, wish(shards.operator()).setExtra(none).build()));
    assertEquals(none, shards.job(job).getSpec().getExtra());
  }

  @Test
  void aJobCannotWaitForItself() {
    WaitedJob itself = new WaitedJob(Keys.jobNumber(job), 0, false);
    Dependency wrong = new Dependency(DependencyKind.AFTEROK, 0, List.of(itself));
    Reply reply = shards.ask(0, wish(shards.user("ann")).setDepend(List.of(wrong)).build());
    assertEquals("Invalid Job Dependency", reply.getLines().get(0));
    assertEquals(JobStatus.QUEUED, shards.status(job));
  }

  private int pass(String name, String value) {
    List<Attribute> extra = List.of(new Attribute(name, value));
    return shards.code(0, wish(shards.user("ann")).setExtra(extra).build());
  }

  @Test
  void whatIsPassedOnTakesThePlaceOfWhatWasThere() {
    assertEquals(0, pass("umask", "22"));
    assertEquals(0, pass("Mail_Points", "abe"));
    assertEquals(0, pass("umask", "27"));
    assertEquals(
        List.of(new Attribute("Mail_Points", "abe"), new Attribute("umask", "27")),
        shards.job(job).getSpec().getExtra());
    assertEquals(0, shards.grant(job, "default", "n0", 1).getCode());
    assertEquals(0, pass("Mail_Users", "bob"));
    assertEquals(15015, pass("umask", "2"), "the run has it already");
  }

  /** Else no topic would take the job's record, and its shard could not go on. */
  @Test
  void alterationsOneAfterTheOtherDoNotMakeAJobTooLong() {
    String half = "x".repeat(Topics.COMMAND_BYTES_MAX / 2);
    List<Attribute> variables = List.of(new Attribute("A", half));
    assertEquals(0, shards.code(0, wish(shards.user("ann")).setVariables(variables).build()));
    AlterJob more = wish(shards.user("ann")).setAccount(half).build();
    assertEquals(
        List.of("Invalid request: the job would have more than 1835008 bytes"),
        shards.ask(0, more).getLines());
    assertEquals("", shards.job(job).getSpec().getAccount());
    assertEquals(0, shards.code(0, wish(shards.user("ann")).setAccount("x").build()));
  }

  @Test
  void theRequestChangesWithItsList() {
    ResourceRequest request = Calls.request("", new Chunk(1, Map.of("ncpus", 3L), Map.of()));
    List<Attribute> list = List.of(new Attribute("ncpus", "3"));
    assertEquals(
        0,
        shards.code(0, wish(shards.user("ann")).setRequest(request).setResourceList(list).build()));
    assertEquals(request, shards.job(job).getSpec().getRequest());
    assertEquals(list, shards.job(job).getSpec().getResourceList());
  }

  @Test
  void aRequestInGridEnginesWayTakesAsManySlotsAsTheJobHas() {
    NewJob four = Calls.ofGridEngine(Calls.job("ann", "workq", 1));
    four.getSpec().getRequest().getChunks().get(0).setCount(4);
    four.getSpec().getGridEngine().setSlotsMax(4);
    String slots = shards.submit(four);
    GridEngineRequest two =
        GridEngineRequest.newBuilder(four.getSpec().getGridEngine()).setSlotsMax(2).build();
    AlterJob.Builder fewer =
        AlterJob.newBuilder().setMeta(shards.user("ann")).setJobId(slots).setGridEngine(two);
    assertEquals(15014, shards.code(0, fewer.build()), "no start would have two slots and four");
    assertEquals(4, shards.job(slots).getSpec().getGridEngine().getSlotsMax());
    ResourceRequest request = Calls.request("free", new Chunk(2, Map.of("ncpus", 1L), Map.of()));
    fewer.setMeta(shards.user("ann")).setRequest(request).setResourceList(List.of());
    assertEquals(0, shards.code(0, fewer.build()));
    assertEquals(2, shards.job(slots).getSpec().getGridEngine().getSlotsMax());
  }

  @Test
  void aJobThatWasTakenWithFewerSlotsThanItHasIsAlteredInAllElse() {
    NewJob four = Calls.ofGridEngine(Calls.job("ann", "workq", 1));
    four.getSpec().getRequest().getChunks().get(0).setCount(4);
    four.getSpec().getGridEngine().setSlotsMax(4);
    String slots = shards.submit(four);
    GridEngineRequest stored = shards.job(slots).getSpec().getGridEngine();
    stored.setSlotsMax(2);
    AlterJob.Builder name = AlterJob.newBuilder().setJobId(slots).setName("new");
    name.setMeta(shards.user("ann"))
        .setGridEngine(GridEngineRequest.newBuilder(stored).setCategory("-p -1").build());
    assertEquals(0, shards.code(0, name.build()));
    assertEquals("new", shards.job(slots).getSpec().getName());
    assertEquals("-p -1", shards.job(slots).getSpec().getGridEngine().getCategory());
    name.setMeta(shards.user("ann"))
        .setGridEngine(GridEngineRequest.newBuilder(stored).setSlotsMax(1).build());
    assertEquals(15014, shards.code(0, name.build()));
  }

  @Test
  void holdsAreReplacedByWhoMaySetAndReleaseThem() {
    assertEquals(0, shards.code(0, wish(shards.user("ann")).setHolds("u").build()));
    assertEquals(JobStatus.HELD, shards.status(job));
    assertEquals(15007, shards.code(0, wish(shards.user("ann")).setHolds("o").build()));
    assertEquals(0, shards.code(0, wish(shards.operator()).setHolds("ou").build()));
    assertEquals("uo", shards.job(job).getHolds());
    int facts = shards.facts(JobHeld.class).size();
    assertEquals(0, shards.code(0, wish(shards.operator()).setHolds("ou").build()));
    assertEquals(facts, shards.facts(JobHeld.class).size(), "the same holds in another order");
    assertEquals(15007, shards.code(0, wish(shards.user("ann")).setHolds("n").build()));
    assertEquals(15014, shards.code(0, wish(shards.manager()).setHolds("q").build()));
    assertEquals(0, shards.code(0, wish(shards.operator()).setHolds("n").build()));
    assertEquals(JobStatus.QUEUED, shards.status(job));
  }

  @Test
  void aRunningJobKeepsWhatItWasGranted() {
    shards.grant(job, "default", "n0", 1);
    ResourceRequest more = Calls.request("", new Chunk(1, Map.of("ncpus", 3L), Map.of()));
    Reply reply = shards.ask(0, wish(shards.user("ann")).setRequest(more).build());
    assertEquals(15015, reply.getCode());
    assertEquals(
        List.of("Cannot modify attribute while job running  Resource_List.ncpus"),
        reply.getLines());
    assertEquals(0, shards.code(0, wish(shards.user("ann")).setPriority(5).build()));
    assertEquals(5, shards.job(job).getSpec().getPriority());
  }

  /** How qalter asks for another walltime. */
  private Reply last(CommandMeta by, long seconds) {
    JobSpec spec = shards.job(job).getSpec();
    List<Attribute> list = new ArrayList<>(spec.getResourceList());
    list.removeIf(it -> it.getName().equals("walltime"));
    list.add(new Attribute("walltime", Amounts.formatDuration(seconds)));
    ResourceRequest request =
        ResourceRequest.newBuilder(spec.getRequest()).setWalltimeS(seconds).build();
    return shards.ask(0, wish(by).setRequest(request).setResourceList(list).build());
  }

  private List<String> told() {
    return shards.dispatch().stream()
        .filter(SignalRun.class::isInstance)
        .map(order -> ((SignalRun) order).getSignal())
        .toList();
  }

  @Test
  void howLongARunMayLastMayChange() {
    shards.grant(job, "default", "n0", 1);
    assertEquals(0, last(shards.user("ann"), 60).getCode(), "it had no end");
    assertEquals(0, last(shards.user("ann"), 50).getCode());
    Reply longer = last(shards.user("ann"), 51);
    assertEquals(15007, longer.getCode());
    assertEquals(List.of("Unauthorized Request "), longer.getLines());
    assertEquals(15007, last(shards.user("bob"), 40).getCode());
    assertEquals(0, last(shards.operator(), 7200).getCode());
    JobSpec spec = shards.job(job).getSpec();
    assertEquals(7200, spec.getRequest().getWalltimeS());
    assertTrue(spec.getResourceList().contains(new Attribute("walltime", "02:00:00")));
    assertEquals(0, last(shards.user("ann"), 0).getCode());
    assertEquals(List.of("limit60", "limit50", "limit7200", "limit1"), told(), "0 is no limit");
    assertEquals(List.of("Resource_List"), changed().stream().distinct().toList());
  }

  /** The executor's clock is not the server's. */
  private void startedAt(long ms) {
    StartRun order = shards.lastStart();
    shards.send(
        0,
        new ReportRunStarted(
            shards.executor("n0"), job, order.getRun(), order.getHost(), 4711L, ms, 0));
    shards.run();
  }

  @Test
  void whatWasAlteredBeforeTheRunIsNotSaidOfItAgain() {
    assertEquals(0, last(shards.user("ann"), 0).getCode());
    long alteredMs = shards.nowMs;
    shards.grant(job, "default", "n0", 1);
    startedAt(alteredMs - 1);
    shards.nodeUp("n0", 4);
    assertEquals(List.of(), told(), "the start said it, and 0 is no limit there");
  }

  @Test
  void whatWasAlteredInTheRunIsSaidAgain() {
    shards.grant(job, "default", "n0", 1);
    startedAt(shards.nowMs + 600_000);
    assertEquals(0, last(shards.user("ann"), 60).getCode());
    shards.nodeUp("n0", 4);
    assertEquals(List.of("limit60", "limit60"), told());
  }

  @Test
  void whatARunHasByDefaultIsNotAskedForAgain() {
    NewJob wish = Calls.job("ann", "workq", 1);
    wish.getSpec().setAsked(List.of(new Attribute("ncpus", "1")));
    String run = shards.submit(wish);
    shards.grant(run, "default", "n0", 1);
    JobSpec spec = shards.job(run).getSpec();
    List<Chunk> granted = spec.getRequest().getChunks();
    List<Chunk> asked = List.of(new Chunk(1, Map.of("ncpus", 1L, "ngpus", 0L), Map.of()));
    List<Attribute> list = new ArrayList<>(spec.getResourceList());
    list.add(new Attribute("walltime", "00:01:00"));
    AlterJob.Builder alter =
        AlterJob.newBuilder()
            .setMeta(shards.operator())
            .setJobId(run)
            .setRequest(
                ResourceRequest.newBuilder(spec.getRequest())
                    .setChunks(asked)
                    .setWalltimeS(60)
                    .build())
            .setAsked(List.of(new Attribute("ncpus", "1"), new Attribute("walltime", "00:01:00")))
            .setResourceList(list);
    Reply reply = shards.ask(0, alter.build());
    assertEquals(0, reply.getCode(), reply.toString());
    assertEquals(granted, shards.job(run).getSpec().getRequest().getChunks());
    assertEquals(60, shards.job(run).getSpec().getRequest().getWalltimeS());
  }

  private List<String> changed() {
    return shards.facts(JobAltered.class).stream().map(JobAltered::getChanged).toList();
  }

  @Test
  void theBoundsOfAQueueHoldForARunUnlessAnOperatorAltersIt() {
    shards.grant(job, "default", "n0", 1);
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "workq", "resources_min.walltime=30");
    assertEquals(15036, last(shards.user("ann"), 20).getCode());
    assertEquals(0, last(shards.user("ann"), 40).getCode());
    assertEquals(0, last(shards.operator(), 20).getCode());
    assertEquals(List.of("limit40", "limit20"), told());
  }

  @Test
  void nothingElseOfARunsRequestMayChange() {
    shards.grant(job, "default", "n0", 1);
    JobSpec spec = shards.job(job).getSpec();
    List<Attribute> list = List.of(new Attribute("site", "here"), new Attribute("walltime", "60"));
    ResourceRequest request =
        ResourceRequest.newBuilder(spec.getRequest()).setWalltimeS(60).build();
    Reply reply =
        shards.ask(0, wish(shards.operator()).setRequest(request).setResourceList(list).build());
    assertEquals(15015, reply.getCode());
    assertTrue(reply.getLines().get(0).contains("  Resource_List."), reply.toString());
    assertEquals(List.of(), told());
  }

  @Test
  void aJobPassesToAnotherProjectAndItsBooks() {
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "workq", "max_queued=[p:blue=1]");
    assertEquals(0, shards.code(0, wish(shards.user("ann")).setProject("blue").build()));
    assertEquals("blue", shards.job(job).getSpec().getProject());
    String other = shards.submit(Calls.job("ann", "workq", 1));
    AlterJob.Builder same =
        AlterJob.newBuilder().setMeta(shards.user("ann")).setJobId(other).setProject("blue");
    assertEquals(15142, shards.code(0, same.build()), "the project is full");
    assertEquals(0, shards.code(0, same.setMeta(shards.operator()).build()));
    assertEquals(0, shards.code(0, wish(shards.user("ann")).setProject("red").build()));
    assertEquals(2, queued("p:blue") + queued("p:red"));
    assertEquals(1, queued("p:red"));
    assertEquals("project", changed().get(0));
    shards.grant(job, "default", "n0", 1);
    Reply late = shards.ask(0, wish(shards.operator()).setProject("blue").build());
    assertEquals(List.of("Cannot modify attribute while job running  project"), late.getLines());
  }

  private long queued(String whom) {
    Queued count = shards.tables(0).queued().get(QueuedJobs.key("workq", whom));
    return count == null ? 0 : count.getJobs();
  }

  @Test
  void aGroupComesWithItsList() {
    List<Attribute> list = List.of(new Attribute("group_list", "staff"));
    assertEquals(15014, shards.code(0, wish(shards.user("ann")).setExtra(list).build()));
    assertEquals(
        0, shards.code(0, wish(shards.user("ann")).setExtra(list).setGroup("staff").build()));
    assertEquals("staff", shards.job(job).getSpec().getGroup());
    assertEquals(list, shards.job(job).getSpec().getExtra());
    assertEquals(1, queued("g:staff"));
    assertEquals(List.of("group_list"), changed());
    shards.grant(job, "default", "n0", 1);
    assertEquals(
        15015, shards.code(0, wish(shards.operator()).setExtra(list).setGroup("staff").build()));
  }

  @Test
  void whoWaitsForAJobIsSettled() {
    List<Attribute> block = List.of(new Attribute("block", "True"));
    Reply reply = shards.ask(0, wish(shards.manager()).setExtra(block).build());
    assertEquals(15003, reply.getCode());
    assertEquals(
        List.of("Cannot set attribute, read only or insufficient permission  block"),
        reply.getLines());
  }

  @Test
  void whatARunWasGivenStays() {
    shards.grant(job, "default", "n0", 1);
    JobSpec before = shards.job(job).getSpec();
    Map<String, AlterJob.Builder> wishes =
        Map.of(
            "Account_Name", wish(shards.user("ann")).setAccount("x"),
            "Join_Path", wish(shards.user("ann")).setJoinPath("oe"),
            "Output_Path", wish(shards.user("ann")).setOutputPath("/x"),
            "Error_Path", wish(shards.user("ann")).setErrorPath("/x"));
    wishes.forEach(
        (name, wish) -> {
          Reply reply = shards.ask(0, wish.build());
          assertEquals(15015, reply.getCode());
          assertEquals(
              List.of("Cannot modify attribute while job running  " + name), reply.getLines());
        });
    assertEquals(before, shards.job(job).getSpec());
  }

  private void requeued() {
    StartRun run = shards.lastStart();
    shards.started(run);
    assertEquals(0, shards.code(0, Calls.rerun(shards.operator(), job)));
    shards.finished(run, 271);
  }

  @Test
  void theTimeOfAJobThatRunsIsForItsNextRun() {
    shards.grant(job, "default", "n0", 1);
    long later = shards.nowMs + 60_000;
    assertEquals(0, shards.code(0, wish(shards.user("ann")).setExecutionMs(later).build()));
    assertEquals(JobStatus.RUNNING, shards.status(job));
    requeued();
    assertEquals(JobStatus.HELD, shards.status(job));
    shards.pass(61_000);
    assertEquals(JobStatus.QUEUED, shards.status(job));
    assertEquals("n", shards.job(job).getHolds());
  }

  @Test
  void aTimeThatComesWhileTheJobRunsIsOver() {
    shards.grant(job, "default", "n0", 1);
    long later = shards.nowMs + 60_000;
    assertEquals(0, shards.code(0, wish(shards.user("ann")).setExecutionMs(later).build()));
    shards.pass(61_000);
    assertEquals(JobStatus.RUNNING, shards.status(job));
    requeued();
    assertEquals(JobStatus.QUEUED, shards.status(job));
  }

  @Test
  void rightsAndStates() {
    assertEquals(15007, shards.code(0, wish(shards.user("bob")).setName("x").build()));
    shards.ask(0, Calls.delete(shards.user("ann"), job, false));
    assertEquals(15139, shards.code(0, wish(shards.user("ann")).setName("x").build()));
    assertEquals(0, shards.facts(JobAltered.class).size());
  }
}
