package io.millrace.server.gateway.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ExchangeJobs;
import io.millrace.schemas.command.MessageJob;
import io.millrace.schemas.command.RerunJob;
import io.millrace.schemas.command.RunNow;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.ArrayState;
import io.millrace.schemas.state.IndexRange;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.FakeSite;
import io.millrace.server.gateway.command.Jobs;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** qrun, qmsg, qorder and how long qrerun takes. */
class RunCommandsTest {

  private final FakeSite site = new FakeSite();

  private Object sent(int index) {
    return site.sent.get(index).command();
  }

  @Test
  void qrunNamesNodesOrNone() throws Exception {
    site.run("root", "qrun", "-a", "7");
    assertEquals(List.of(), ((RunNow) sent(0)).getNodes());
    site.run("root", "qrun", "-H", "-", "7");
    assertEquals(List.of(), ((RunNow) sent(1)).getNodes());
    site.run("root", "qrun", "-H", "(n1)+n2", "7");
    assertEquals(List.of("n1", "n2"), ((RunNow) sent(2)).getNodes());
    assertEquals(0, site.status);
    FakeInvocation amounts = site.run("root", "qrun", "-H", "n1:ncpus=2+n2", "7");
    assertEquals(
        "qrun: a chunk holds what the job asks for: name nodes only, not n1:ncpus=2\n",
        amounts.errors());
    assertEquals(1, site.status);
    FakeInvocation empty = site.run("root", "qrun", "-H", "", "7");
    assertTrue(empty.errors().startsWith("qrun: illegal -H value\nUsage: qrun "), empty.errors());
    assertEquals(1, site.status);
    assertEquals(3, site.sent.size());
  }

  private ArrayState array(int last, List<Integer> waiting, List<Integer> begun) {
    Job array = Jobs.fromScript(5, JobStatus.QUEUED);
    array.setId("5[].vm");
    ArrayState state =
        new ArrayState(
            1, last, 1, 0, List.of(new IndexRange(7, last)), waiting, begun, 0, 0, List.of());
    array.setArray(state);
    site.jobs.put(5L, array);
    return state;
  }

  private List<String> named() {
    return site.sent.stream().map(sent -> ((RunNow) sent.command()).getJobId()).toList();
  }

  @Test
  void qrunOfSeveralSubjobsRunsThoseThatWait() throws Exception {
    ArrayState state = array(9_999_998, List.of(3, 4, 5, 6), List.of(1, 2));
    site.answer(
        sent -> {
          String id = ((RunNow) sent.command()).getJobId();
          if (id.equals("5[4].vm")) {
            state.setWaiting(List.of(3, 5, 6, 7, 8));
          }
          int code = Set.of("5[4].vm", "5[8].vm").contains(id) ? 0 : 15016;
          return new Reply(sent.id(), code, List.of("Request invalid for state of job"), false);
        });
    assertEquals("", site.run("root", "qrun", "5[2-9999998:2]").errors());
    assertEquals(0, site.status);
    assertEquals(List.of("5[2].vm", "5[4].vm", "5[6].vm", "5[8].vm"), named());
    site.sent.clear();
    assertEquals(
        "qrun: Request invalid for state of job 5[1,3].vm\n",
        site.run("root", "qrun", "5[1,3]").errors());
    assertEquals(2, site.status);
    assertEquals(List.of("5[1].vm", "5[3].vm"), named());
    site.sent.clear();
    site.refuse(15406, "Insufficient amount of resource: ncpus (R: 1 A: 0 T: 8)");
    assertEquals(
        "qrun: Insufficient amount of resource: ncpus (R: 1 A: 0 T: 8) 5[1-9].vm\n",
        site.run("root", "qrun", "5[1-9]").errors());
    assertEquals(1, site.sent.size());
  }

  @Test
  void ofManyThatDoNotWaitAndForWhoMayNotOneIsAskedFor() throws Exception {
    array(9_999_998, List.of(3, 4), List.of());
    site.refuse(15016, "Request invalid for state of job");
    assertEquals(
        "qrun: Request invalid for state of job 5[20000-9999998].vm\n",
        site.run("root", "qrun", "5[20000-9999998]").errors());
    assertEquals(List.of("5[20000].vm"), named());
    site.sent.clear();
    site.refuse(15007, "Unauthorized Request ");
    assertEquals(
        "qrun: Unauthorized Request  5[1-9].vm\n", site.run("ann", "qrun", "5[1-9]").errors());
    assertEquals(List.of("5[1].vm"), named());
  }

  @Test
  void aRefusalNamesTheJobButThatThereIsNoSuchNodeTheNode() throws Exception {
    site.refuse(15007, "Unauthorized Request ");
    assertEquals("qrun: Unauthorized Request  7.vm\n", site.run("pbsu1", "qrun", "7").errors());
    assertEquals(2, site.status);
    site.refuse(15062, "Unknown node ");
    assertEquals(
        "qrun: Unknown node  n1+n9\nqrun: Unknown node  n1+n9\n",
        site.run("root", "qrun", "-H", "n1+n9", "7", "8").errors());
    assertEquals(2, site.status);
  }

  @Test
  void qmsgWritesIntoTheErrorOutputUnlessToldOtherwise() throws Exception {
    site.run("pbsu1", "qmsg", "soon over", "7", "8");
    site.run("pbsu1", "qmsg", "-E", "-O", "x".repeat(300), "7");
    assertEquals(0, site.status);
    assertEquals("E", ((MessageJob) sent(0)).getStreams());
    assertEquals("soon over", ((MessageJob) sent(0)).getText());
    assertEquals("8.vm", ((MessageJob) sent(1)).getJobId());
    assertEquals("OE", ((MessageJob) sent(2)).getStreams());
    assertEquals(256, ((MessageJob) sent(2)).getText().length());
  }

  @Test
  void qorderNamesBothJobs() throws Exception {
    site.jobs.put(7L, Jobs.fromScript(7, JobStatus.QUEUED));
    site.jobs.put(8L, Jobs.fromScript(8, JobStatus.QUEUED));
    assertEquals(
        "qorder: Unknown Job Id 7.vm or 9.vm\n", site.run("pbsu1", "qorder", "7", "9").errors());
    assertEquals(153, site.status);
    site.run("pbsu1", "qorder", "7", "8");
    assertEquals("8.vm", ((ExchangeJobs) sent(0)).getOtherId());
    assertEquals(0, site.status);
    assertEquals(
        "qorder: illegally formed job identifier: x\n",
        site.run("pbsu1", "qorder", "7", "x").errors());
    assertEquals(1, site.status);
    site.refuse(15007, "Unauthorized Request ");
    assertEquals(
        "qorder: Unauthorized Request  7.vm or 8.vm\n",
        site.run("pbsu2", "qorder", "7", "8").errors());
    assertEquals(159, site.status);
  }

  @Test
  void qrerunComesBackWhenTheJobWaitsAgain() throws Exception {
    Job job = ending();
    Job queued = Job.newBuilder(job).setStatus(JobStatus.QUEUED).build();
    queued.setKilling(KillPurpose.NONE);
    site.answer(
        sent -> {
          site.meanwhile.add(() -> {});
          site.meanwhile.add(() -> site.jobs.put(7L, queued));
          return new Reply(sent.id(), 0, List.of(), false);
        });
    assertEquals("", site.run("root", "qrerun", "7").errors());
    assertEquals(0, site.status);
    assertTrue(site.meanwhile.isEmpty(), "it looked until the job waited");
    assertEquals(JobStatus.QUEUED, site.jobs.get(7L).getStatus());
    assertEquals("7.vm", ((RerunJob) sent(0)).getJobId());
  }

  @Test
  void alsoWhenNobodyCanSayMeanwhile() throws Exception {
    ending();
    site.answer(
        sent -> {
          site.failures = 2;
          site.jobs.put(7L, Jobs.fromScript(7, JobStatus.QUEUED));
          return new Reply(sent.id(), 0, List.of(), false);
        });
    assertEquals("", site.run("root", "qrerun", "7").errors());
    assertEquals(0, site.status);
    assertEquals(0, site.failures, "it asked again");
  }

  @ParameterizedTest
  @EnumSource(names = {"RUNNING", "EXITING"})
  void orWhenItTakesTooLong(JobStatus status) throws Exception {
    ending().setStatus(status);
    site.put(ObjectKind.SERVER, "server", "server_host", "vm", "job_requeue_timeout", "00:00:01");
    assertEquals(
        "qrerun: Response timed out. Job rerun request still in progress for 7.vm\n",
        site.run("root", "qrerun", "7").errors());
    assertEquals(15011 % 256, site.status);
  }

  private Job ending() {
    Job job = Jobs.fromScript(7, JobStatus.RUNNING);
    job.setKilling(KillPurpose.RERUN);
    site.jobs.put(7L, job);
    return job;
  }

  @Test
  void aQueueTellsWhetherNodesAreBoundToIt() throws Exception {
    site.put(ObjectKind.NODE, "n1", "Mom", "vm");
    assertFalse(site.run("pbsu1", "qstat", "-Qf", "workq").output().contains("hasnodes"));
    site.put(ObjectKind.NODE, "n1", "Mom", "vm", "queue", "workq");
    String bound = site.run("pbsu1", "qstat", "-Qf", "workq").output();
    assertTrue(bound.contains("\n    hasnodes = True\n"), bound);
  }
}
