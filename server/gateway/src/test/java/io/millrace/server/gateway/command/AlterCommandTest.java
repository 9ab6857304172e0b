package io.millrace.server.gateway.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.AlterJob;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.state.Dependency;
import io.millrace.schemas.state.DependencyKind;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobEvent;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.WaitedJob;
import io.millrace.server.gateway.request.OwnerGroups;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@code qalter} sends, and how waiting jobs are shown then. */
class AlterCommandTest extends CommandsFixture {
  @Test
  void alterSendsOnlyWhatWasGiven() throws Exception {
    site.jobs.put(1L, Jobs.fromScript(1, JobStatus.HELD));
    site.run("pbsu1", "qalter", "-l", "walltime=200", "-N", "renamed", "-p", "10", "1");
    AlterJob alter = (AlterJob) sent(0);
    assertEquals("renamed", alter.getName());
    assertEquals(10, alter.getPriority());
    assertNull(alter.getAccount());
    assertNull(alter.getRerunnable());
    assertEquals(200, alter.getRequest().getWalltimeS());
    assertEquals(1L, alter.getRequest().getChunks().get(0).getAmounts().get("ncpus"));
    site.run("pbsu1", "qalter", "-l", "select=1:ncpus=2", "1");
    AlterJob chunks = (AlterJob) sent(1);
    assertEquals(2L, chunks.getRequest().getChunks().get(0).getAmounts().get("ncpus"));
    assertEquals(600, chunks.getRequest().getWalltimeS());
    assertTrue(
        chunks.getResourceList().contains(new Attribute("place", "pack")),
        "the placement stays as it was");
    site.run("pbsu1", "qalter", "-l", "ncpus=3", "1");
    AlterJob wide = (AlterJob) sent(2);
    assertEquals(3L, wide.getRequest().getChunks().get(0).getAmounts().get("ncpus"));
    FakeInvocation unknown = site.run("pbsu1", "qalter", "-l", "nosuch=1", "1");
    assertEquals("qalter: Unknown resource Resource_List.nosuch 1.vm\n", unknown.errors());
    assertEquals(187, site.status);
    FakeInvocation empty = site.run("pbsu1", "qalter", "-l", "ncpus", "1");
    assertEquals(
        "qalter: Illegal attribute or resource value Resource_List.ncpus 1.vm\n", empty.errors());
    assertEquals(166, site.status);
  }

  @Test
  void anAttributeThatJobsDoNotHaveIsToldOfEachJob() throws Exception {
    site.jobs.put(1L, Jobs.fromScript(1, JobStatus.HELD));
    site.jobs.put(2L, Jobs.fromScript(2, JobStatus.HELD));
    FakeInvocation wrong = site.run("pbsu1", "qalter", "-W", "nosuch=1", "-p", "5", "1", "x", "2");
    assertEquals(
        """
        qalter: Undefined attribute  1.vm
        qalter: illegally formed job identifier: x
        qalter: Undefined attribute  2.vm
        """,
        wrong.errors());
    assertEquals(154, site.status);
    assertTrue(site.sent.isEmpty());
  }

  /** As qstat -f shows them; what the server alone sets is refused with PBS's words. */
  @Test
  void attributesMayBeNamedInFull() throws Exception {
    site.jobs.put(1L, Jobs.fromScript(1, JobStatus.HELD));
    String line = "Job_Name=other,Rerunable=n,Priority=7,Mail_Points=ae,comment=looked at, by ops";
    site.run("root", "qalter", "-W", line, "1");
    AlterJob alter = (AlterJob) sent(0);
    assertEquals("other", alter.getName());
    assertEquals(7, alter.getPriority());
    assertFalse(alter.getRerunnable());
    List<Attribute> extra =
        List.of(new Attribute("Mail_Points", "ae"), new Attribute("comment", "looked at, by ops"));
    assertEquals(extra, alter.getExtra());
    FakeInvocation illegal = site.run("pbsu1", "qalter", "-W", "Priority=many", "1");
    assertTrue(illegal.errors().startsWith("qalter: illegal -p value\n"), illegal.errors());
    String readOnly = "Cannot set attribute, read only or insufficient permission  ";
    FakeInvocation state = site.run("root", "qalter", "-W", "job_state=R", "1");
    assertEquals("qalter: " + readOnly + "job_state 1.vm\n", state.errors());
    assertEquals(155, site.status);
    for (String wrong : List.of("comment=mine", "euser=root")) {
      FakeInvocation submitted = site.run("pbsu1", "qsub", "-W", wrong, "--", "/bin/true");
      String name = wrong.substring(0, wrong.indexOf('='));
      assertEquals("qsub: " + readOnly + name + "\n", submitted.errors());
      assertEquals(155, site.status);
    }
    assertEquals(1, site.sent.size());
  }

  @Test
  void aHoldThatIsNamedInFullIsTheUsersOwn() throws Exception {
    for (String hold : List.of("u", "n")) {
      site.run("pbsu1", "qsub", "-W", "Hold_Types=" + hold, "--", "/bin/true");
      SubmitJobs submission = (SubmitJobs) site.sent.get(site.sent.size() - 1).command();
      assertEquals(hold, submission.getJobs().get(0).getHolds());
    }
    FakeInvocation wrong = site.run("pbsu1", "qsub", "-W", "Hold_Types=s", "--", "/bin/true");
    assertTrue(wrong.errors().startsWith("qsub: illegal -W value\n"), wrong.errors());
  }

  @Test
  void alterSendsProjectAndGroup() throws Exception {
    String user = System.getProperty("user.name");
    Job job = Jobs.fromScript(1, JobStatus.QUEUED);
    job.getSpec().setOwner(user);
    site.jobs.put(1L, job);
    String group = OwnerGroups.all(user).get(0);
    site.run(user, "qalter", "-P", "blue", "-W", "group_list=" + group, "1");
    AlterJob alter = (AlterJob) sent(0);
    assertEquals("blue", alter.getProject());
    assertEquals(group, alter.getGroup());
    assertEquals(List.of(new Attribute("group_list", group)), alter.getExtra());
    site.run(user, "qalter", "-P", "", "1");
    assertEquals("_pbs_project_default", ((AlterJob) sent(1)).getProject());
    FakeInvocation stranger = site.run(user, "qalter", "-W", "group_list=no-such-group", "1");
    assertEquals("qalter: Bad GID for job execution 1.vm\n", stranger.errors());
    FakeInvocation wrong = site.run(user, "qalter", "-P", "a,b", "1");
    assertEquals("qalter: Illegal attribute or resource value  project\n", wrong.errors());
    assertEquals(2, site.sent.size());
    site.run(user, "qalter", "-W", "block=false", "1");
    assertEquals(List.of(new Attribute("block", "False")), ((AlterJob) sent(2)).getExtra());
  }

  @Test
  void alterSendsDependenciesAndTime() throws Exception {
    site.jobs.put(1L, Jobs.fromScript(1, JobStatus.QUEUED));
    site.run("pbsu1", "qalter", "-W", "depend=afterok:5,beforeany:6", "-a", "2359", "1");
    AlterJob alter = (AlterJob) sent(0);
    assertEquals(
        List.of(new Dependency(DependencyKind.AFTEROK, 0, List.of(new WaitedJob(5L, 0, false)))),
        alter.getDepend());
    assertEquals(
        List.of(new Dependency(DependencyKind.AFTERANY, 0, List.of(new WaitedJob(6L, 0, false)))),
        alter.getBefore());
    assertEquals(
        java.time.Instant.parse("2026-11-20T23:59:00Z").toEpochMilli(), alter.getExecutionMs());
    site.run("pbsu1", "qalter", "-W", "depend=", "1");
    assertEquals(List.of(), ((AlterJob) sent(1)).getDepend());
    assertNull(((AlterJob) sent(1)).getExecutionMs());
    site.run("pbsu1", "qalter", "-W", "depend=before:6", "1");
    assertNull(((AlterJob) sent(2)).getDepend(), "what it waits for stays");
    site.run("pbsu1", "qalter", "-N", "x", "1");
    assertNull(((AlterJob) sent(3)).getDepend());
  }

  @Test
  void whoWaitsIsToldForWhat() throws Exception {
    Job job = Jobs.fromScript(41, JobStatus.HELD);
    job.setHolds("sw");
    job.getSpec().setExecutionMs(FakeSite.NOW_MS + 60_000);
    job.setDepend(
        List.of(new Dependency(DependencyKind.AFTEROK, 0, List.of(new WaitedJob(5L, 0, false)))));
    site.jobs.put(41L, job);
    assertTrue(
        site.run("pbsu1", "why", "41")
            .output()
            .startsWith("41.vm: waits for other jobs (afterok:5.vm@vm) since "));
    String shown = site.run("pbsu1", "qstat", "-f", "41").output();
    assertTrue(shown.contains("    job_state = H\n"), shown);
    assertTrue(shown.contains("    Execution_Time = Fri Nov 20 15:37:00 2026\n"), shown);
    job.setHolds("w");
    assertEquals(
        "41.vm: waits for its time, Fri Nov 20 15:37:00 2026.\n",
        site.run("pbsu1", "why", "41").output());
    shown = site.run("pbsu1", "qstat", "-f", "41").output();
    assertTrue(shown.contains("    job_state = W\n"), shown);
    assertTrue(shown.contains("    Hold_Types = n\n"), shown);
    job.setHolds("uw");
    assertTrue(
        site.run("pbsu1", "why", "41")
            .output()
            .startsWith("41.vm: held (user hold; qrls -h u releases it) since "));
    job.setStatus(JobStatus.FINISHED);
    job.setExitStatus(null);
    job.setEvents(List.of(new JobEvent(1L, "deleted", "Job deleted as result of it")));
    assertTrue(
        site.run("pbsu1", "why", "41")
            .output()
            .endsWith(" without having run: Job deleted as result of it.\n"));
  }
}
