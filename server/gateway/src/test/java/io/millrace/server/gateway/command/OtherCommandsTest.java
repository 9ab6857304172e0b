package io.millrace.server.gateway.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.DeleteJob;
import io.millrace.schemas.command.HoldJob;
import io.millrace.schemas.command.MoveJob;
import io.millrace.schemas.command.ReleaseJob;
import io.millrace.schemas.command.RerunJob;
import io.millrace.schemas.command.SignalJob;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.reasons.ReasonCode;
import io.millrace.schemas.pbs.resources.RequestClass;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobEvent;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.Reason;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.gateway.help.HelpText;
import io.millrace.server.gateway.help.Page;
import java.util.List;
import org.junit.jupiter.api.Test;

/** qdel, qhold, qrls, qalter, qmove, qrerun, qsig, pbsnodes, tracejob and why. */
class OtherCommandsTest extends CommandsFixture {
  @Test
  void eachCommandSendsItsRecord() throws Exception {
    site.run("pbsu1", "qdel", "-x", "5", "6.vm");
    assertEquals("5.vm", ((DeleteJob) sent(0)).getJobId());
    assertTrue(((DeleteJob) sent(1)).getPurgeHistory());
    site.run("pbsu1", "qhold", "7");
    assertEquals("u", ((HoldJob) sent(2)).getHolds());
    site.run("pbsu1", "qrls", "-h", "uos", "7");
    assertEquals("uos", ((ReleaseJob) sent(3)).getHolds());
    site.run("pbsu1", "qmove", "wq1@vm", "7");
    assertEquals("wq1", ((MoveJob) sent(4)).getQueue());
    site.run("root", "qrerun", "7");
    assertEquals("7.vm", ((RerunJob) sent(5)).getJobId());
    site.run("root", "qsig", "7");
    assertEquals("SIGTERM", ((SignalJob) sent(6)).getSignal());
    site.run("root", "qsig", "-s", "suspend", "7");
    assertEquals("suspend", ((SignalJob) sent(7)).getSignal());
    assertEquals(0, site.status);
  }

  @Test
  void aRefusalNamesTheJobAndTheRestGoesOn() throws Exception {
    site.answer(
        s ->
            new io.millrace.schemas.output.Reply(
                s.id(),
                site.sent.size() == 1 ? 15007 : 0,
                site.sent.size() == 1 ? List.of("Unauthorized Request ") : List.of(),
                false));
    FakeInvocation run = site.run("pbsu2", "qdel", "45", "46");
    assertEquals("qdel: Unauthorized Request  45.vm\n", run.errors());
    assertEquals(2, site.sent.size());
    assertEquals(159, site.status);
  }

  @Test
  void whoRerunsByForceDoesNotWait() throws Exception {
    Job job = Jobs.fromScript(7, JobStatus.RUNNING);
    job.setKilling(KillPurpose.RERUN);
    site.jobs.put(7L, job);
    site.run("root", "qrerun", "-W", "force", "7");
    assertTrue(((RerunJob) sent(0)).getForce());
    assertEquals(0, site.status);
    FakeInvocation wrong = site.run("root", "qrerun", "-W", "soon", "7");
    assertEquals(
        "usage: qrerun [-W force] job_identifier...\n       qrerun --version\n", wrong.errors());
    assertEquals(2, site.status);
  }

  @Test
  void aHeldJobSaysWhoHeldIt() throws Exception {
    Job job = Jobs.fromScript(41, JobStatus.RUNNING);
    site.jobs.put(41L, job);
    job.setHolds("u");
    String atSubmission = site.run("pbsu1", "qstat", "-f", "41").output();
    assertTrue(!atSubmission.contains("Job held by"), atSubmission);
    job.setEvents(List.of(new JobEvent(1_795_189_100_000L, "held", "u by pbsu1")));
    String held = site.run("pbsu1", "qstat", "-f", "41").output();
    assertTrue(held.contains("comment = Job held by pbsu1 on Fri Nov 20 "), held);
  }

  @Test
  void aSuspendedJobIsShownAsOne() throws Exception {
    Job job = Jobs.fromScript(41, JobStatus.RUNNING);
    job.setSuspension(Suspension.OPERATOR);
    job.setRanMs(125_000);
    job.setSessionId(7);
    site.jobs.put(41L, job);
    String full = site.run("pbsu1", "qstat", "-f", "41").output();
    assertTrue(full.contains("    job_state = S\n"), full);
    assertTrue(full.contains("    substate = 43\n"), full);
    assertTrue(!full.contains("comment = "), full);
    assertTrue(site.run("pbsu1", "qstat", "-a", "41").output().endsWith("S 00:02\n"));
    assertEquals(
        "41.vm: suspended on (vm[6]:ncpus=1); qsig -s resume has it go on as soon as there is"
            + " room.\n",
        site.run("pbsu1", "why", "41").output());
    job.setSuspension(Suspension.RESUMABLE);
    assertTrue(site.run("pbsu1", "qstat", "-f", "41").output().contains("    substate = 45\n"));
  }

  @Test
  void tracejobNamesWhoWishedWhat() throws Exception {
    Job job = Jobs.fromScript(41, JobStatus.FINISHED);
    job.setEvents(
        List.of(
            new JobEvent(1L, "held", "u by pbsu1"),
            new JobEvent(2L, "released", "u by pbsu1"),
            new JobEvent(3L, "altered", "Job_Name by pbsu1"),
            new JobEvent(4L, "kill", "rerun by root@vm"),
            new JobEvent(5L, "kill", "delete by pbsu1@vm"),
            new JobEvent(6L, "moved", "wq1"),
            new JobEvent(7L, "dependency", "5.vm"),
            new JobEvent(8L, "released", "w by shard-0"),
            new JobEvent(9L, "deleted", "Job deleted as result of it"),
            new JobEvent(10L, "deleted", "by pbsu1")));
    site.jobs.put(41L, job);
    List<String> told =
        site.run("root", "tracejob", "41")
            .output()
            .lines()
            .skip(3)
            .map(line -> line.substring(26))
            .toList();
    assertEquals(
        List.of(
            "Holds u set at request of pbsu1",
            "Holds u released at request of pbsu1",
            "Job Modified at request of pbsu1: Job_Name",
            "Job to be rerun at request of root@vm",
            "Job to be deleted at request of pbsu1@vm",
            "Job moved wq1",
            "Dependency on job 5.vm released.",
            "Its time has come",
            "Job deleted as result of it",
            "Job deleted at request of pbsu1"),
        told);
  }

  @Test
  void tracejobTellsTheHistory() throws Exception {
    site.jobs.put(41L, Jobs.fromScript(41, JobStatus.RUNNING));
    assertEquals(
        "\nJob: 41.vm\n\n11/20/2026 15:35:54  S    Job Queued at request of pbsu1@vm, owner ="
            + " pbsu1@vm, job name = fromscript, queue = workq\n",
        site.run("root", "tracejob", "41").output());
    assertEquals(
        "\ntracejob: Couldn't find Job Id 999.vm in logs of past 1 day\n\n",
        site.run("root", "tracejob", "999").errors());
    assertEquals(1, site.status);
  }

  @Test
  void whyGivesTheReasonWithItsNumbers() throws Exception {
    Job job = Jobs.fromScript(1, JobStatus.QUEUED);
    site.jobs.put(1L, job);
    ClassReason reason = new ClassReason();
    reason.setClassKey(RequestClass.key(job.getSpec()));
    reason.setCode(ReasonCode.TOTAL_INSUFFICIENT.name());
    reason.setSubject("ncpus");
    reason.setNeeded(16);
    reason.setFree(8);
    reason.setTotal(8);
    site.reasons.put(reason.getClassKey(), new Reason("default", reason, null));
    String waiting = site.run("pbsu1", "why", "1").output();
    assertTrue(
        waiting.startsWith("1.vm: queued since Fri Nov 20 15:35:54 2026. It needs ncpus 16"));
    assertTrue(waiting.contains("[TOTAL_INSUFFICIENT, scheduler default]"), waiting);
    site.jobs.put(2L, Jobs.fromScript(2, JobStatus.RUNNING));
    assertEquals(
        "2.vm: running on (vm[6]:ncpus=1) since Fri Nov 20 15:35:54 2026.\n",
        site.run("pbsu1", "millrace", "why", "2").output());
    Job held = Jobs.fromScript(3, JobStatus.HELD);
    held.setHolds("uo");
    site.jobs.put(3L, held);
    assertEquals(
        "3.vm: held (user hold, operator hold; qrls -h uo releases it) since"
            + " Fri Nov 20 15:35:54 2026.\n",
        site.run("pbsu1", "why", "3").output());
    site.put(ObjectKind.QUEUE, "workq", "partition", "P9");
    assertTrue(
        site.run("pbsu1", "why", "1")
            .output()
            .contains("No scheduler serves partition P9 of queue workq."));
  }

  @Test
  void rolesComeFromTheServersAttributes() throws Exception {
    site.put(
        ObjectKind.SERVER,
        "server",
        "server_host",
        "vm",
        "managers",
        "boss@*",
        "operators",
        "op@vm, other@elsewhere");
    assertEquals(io.millrace.schemas.common.Role.MANAGER, Roles.of(site.site(), "boss"));
    assertEquals(io.millrace.schemas.common.Role.OPERATOR, Roles.of(site.site(), "op"));
    assertEquals(io.millrace.schemas.common.Role.USER, Roles.of(site.site(), "other"));
    assertEquals(io.millrace.schemas.common.Role.MANAGER, Roles.of(site.site(), "root"));
  }

  @Test
  void unknownCommandsAndVersion() throws Exception {
    assertEquals(
        "pbs_version = " + Version.text() + "\n", site.run("pbsu1", "qsub", "--version").output());
    FakeInvocation unknown = site.run("pbsu1", "qfoo");
    assertTrue(unknown.errors().startsWith("qfoo: no such command; there are "));
    assertEquals(127, site.status);
  }

  @Test
  void eachCommandAnswersHelpWithItsPage() throws Exception {
    for (Page page : CommandTable.pages()) {
      FakeInvocation help = site.run("alice", page.name(), "--help");
      assertEquals(HelpText.of(page), help.output());
      assertTrue(help.output().startsWith(page.name() + ": " + page.purpose() + "\n"));
      assertEquals("", help.errors());
      assertEquals(0, site.status);
    }
    List<String> helped = CommandTable.pages().stream().map(Page::name).toList();
    assertEquals(CommandTable.names(), helped, "each command has a page");
  }

  @Test
  void theServersStateIsThatOfTheDefaultScheduler() throws Exception {
    assertTrue(site.run("alice", "qstat", "-Bf").output().contains("    server_state = Active\n"));
    site.put(ObjectKind.SERVER, "server", "server_host", "vm", "scheduling", "False");
    assertTrue(site.run("alice", "qstat", "-Bf").output().contains("    server_state = Idle\n"));
  }

  @Test
  void theServerRefusesStrangers() throws Exception {
    site.put(
        ObjectKind.SERVER,
        "server",
        "server_host",
        "vm",
        "acl_user_enable",
        "True",
        "acl_users",
        "a");
    FakeInvocation run = site.run("b", "qdel", "7");
    assertEquals("qdel: Unauthorized Request \n", run.errors());
    assertEquals(159, site.status);
    site.run("a", "qdel", "7");
    assertEquals(0, site.status);
    site.put(ObjectKind.SERVER, "server", "acl_host_enable", "True", "acl_hosts", "-vm,+");
    run = site.run("a", "qstat");
    assertEquals("qstat: Access from host not allowed, or unknown host\n", run.errors());
    assertEquals(160, site.status);
    site.run("root", "qstat");
    assertEquals(0, site.status, "root may always");
  }

  @Test
  void aJobInARoutingQueueWaitsForADestination() throws Exception {
    site.put(ObjectKind.QUEUE, "r", "queue_type", "Route", "route_destinations", "a,b");
    io.millrace.schemas.state.Job job = Jobs.fromScript(1, JobStatus.QUEUED);
    job.getSpec().setQueue("r");
    job.setRoute(new io.millrace.schemas.state.Route(List.of("a"), 0L));
    site.jobs.put(1L, job);
    String stopped = site.run("pbsu1", "why", "1").output();
    assertTrue(stopped.endsWith("Routing queue r is not started.\n"), stopped);
    site.put(
        ObjectKind.QUEUE,
        "r",
        "queue_type",
        "Route",
        "route_destinations",
        "a,b",
        "started",
        "True");
    String waits = site.run("pbsu1", "why", "1").output();
    assertTrue(
        waits.endsWith(
            "Routing queue r sends it to the first of a,b that takes it."
                + " Refused for good by a.\n"),
        waits);
    assertTrue(site.run("pbsu1", "qstat", "-Q").output().contains(" Rou*"), "its type");
  }
}
