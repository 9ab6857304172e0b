package io.millrace.server.gateway.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.AlterJob;
import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.DeleteJob;
import io.millrace.schemas.command.HoldJob;
import io.millrace.schemas.command.MoveJob;
import io.millrace.schemas.command.ReleaseJob;
import io.millrace.schemas.command.RerunJob;
import io.millrace.schemas.command.SignalJob;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.reasons.ReasonCode;
import io.millrace.schemas.pbs.resources.RequestClass;
import io.millrace.schemas.state.Dependency;
import io.millrace.schemas.state.DependencyKind;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobEvent;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Reason;
import io.millrace.schemas.state.Suspension;
import io.millrace.schemas.state.WaitedJob;
import io.millrace.server.gateway.help.HelpText;
import io.millrace.server.gateway.help.Page;
import io.millrace.server.gateway.request.OwnerGroups;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** qdel, qhold, qrls, qalter, qmove, qrerun, qsig, pbsnodes, tracejob and why. */
class OtherCommandsTest {

  private final FakeSite site = new FakeSite();

  private Object sent(int index) {
    return site.sent.get(index).command();
  }

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

  private void node() {
    site.put(ObjectKind.NODE, "n1", "Mom", "n1", "partition", "P1");
    Node node = new Node();
    node.setName("n1");
    node.setHost("n1");
    node.setUp(true);
    node.setBootId("b");
    node.setMeasured(Map.of("ncpus", 8L, "mem", 2L << 30));
    node.setHoldings(List.of());
    node.setSuspended(List.of());
    node.setStateSinceMs(Jobs.SUBMITTED_MS);
    node.setOfferedTo(-1);
    node.setDownWhy("");
    site.nodes.add(node);
  }

  @Test
  void nodesAreShownInPbsForm() throws Exception {
    node();
    String expected =
        """
        n1
             Mom = n1
             ntype = PBS
             state = free
             resources_available.arch = linux
             resources_available.host = n1
             resources_available.mem = 2gb
             resources_available.ncpus = 8
             resources_available.vnode = n1
             resources_assigned.mem = 0kb
             resources_assigned.ncpus = 0
             resv_enable = True
             sharing = default_shared
             partition = P1
             last_state_change_time = Fri Nov 20 15:35:54 2026

        """;
    assertEquals(expected, site.run("pbsu1", "pbsnodes", "-a").output());
    assertEquals(expected, site.run("pbsu1", "pbsnodes", "-v", "n1").output());
    FakeInvocation unknown = site.run("pbsu1", "pbsnodes", "nosuch");
    assertEquals("Node: nosuch,  Error: Unknown node \n", unknown.errors());
    FakeInvocation elsewhere = site.run("pbsu1", "pbsnodes", "-s", "nosuch", "-a");
    assertEquals(
        "Unknown Host.\npbsnodes: cannot connect to server nosuch, error=15008\n",
        elsewhere.errors());
    assertEquals(1, site.status);
    elsewhere = site.run("pbsu1", "pbsnodes", "-s", "nosuch", "-aq");
    assertEquals("Unknown Host.\n", elsewhere.errors());
    assertEquals(1, site.status);
  }

  private void held(boolean exclusive, long ncpus) {
    site.nodes
        .get(0)
        .setHoldings(List.of(new Holding("1.vm", 1L, 1, Map.of("ncpus", ncpus), 1, 0, exclusive)));
  }

  @Test
  void whoIsAloneOnANodeIsSeenInItsState() throws Exception {
    node();
    held(true, 1L);
    String all = site.run("pbsu1", "pbsnodes", "-a").output();
    assertTrue(all.contains("\n     state = job-exclusive\n     jobs = 1.vm/0\n"), all);
    String listed = site.run("root", "qmgr", "-c", "list node n1").output();
    assertTrue(listed.contains("\n    state = job-exclusive\n"), listed);
    String row = site.run("pbsu1", "pbsnodes", "-aS").output();
    assertTrue(row.contains("\nn1              job-exclusive   "), row);
    String json = site.run("pbsu1", "pbsnodes", "-a", "-F", "json").output();
    assertTrue(json.contains("\"state\":\t\"job-exclusive\""), json);
    assertEquals("", site.run("root", "pbsnodes", "-l").output(), "it is no fault of a node");
    held(true, 8L);
    String full = site.run("pbsu1", "pbsnodes", "n1").output();
    assertTrue(full.contains(" state = job-exclusive\n"), full);
    held(false, 8L);
    String busy = site.run("pbsu1", "pbsnodes", "n1").output();
    assertTrue(busy.contains(" state = job-busy\n"), busy);
    held(false, 2L);
    String two = site.run("pbsu1", "pbsnodes", "n1").output();
    assertTrue(two.contains(" jobs = 1.vm/0, 1.vm/1\n"), two);
    site.put(ObjectKind.NODE, "n1", "Mom", "n1", "state", "offline");
    held(true, 1L);
    assertEquals(
        "n1                   offline,job-exclusive\n",
        site.run("root", "pbsnodes", "-l").output());
    held(false, 1L);
    assertEquals("n1                   offline\n", site.run("root", "pbsnodes", "-l").output());
  }

  @Test
  void nodesAreTakenOutOfUse() throws Exception {
    node();
    site.run("root", "pbsnodes", "-o", "-C", "fan broken", "n1");
    ChangeObject change = (ChangeObject) sent(0);
    assertEquals("offline", change.getAttributes().get(0).getValue());
    assertEquals("fan broken", change.getAttributes().get(1).getValue());
    site.put(ObjectKind.NODE, "n1", "Mom", "n1", "state", "offline", "comment", "fan broken");
    assertEquals(
        "n1                   offline fan broken\n", site.run("root", "pbsnodes", "-l").output());
    site.refuse(15007, "Unauthorized Request ");
    FakeInvocation refused = site.run("pbsu1", "pbsnodes", "-r", "n1");
    assertEquals("Error marking node n1 - Unauthorized Request \n", refused.errors());
    assertEquals(1, site.status);
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
  void aNodeTellsWhenARunOnItEnded() throws Exception {
    node();
    assertFalse(site.run("pbsu1", "pbsnodes", "n1").output().contains("last_used_time"));
    site.nodes.get(0).setLastUsedMs(Jobs.SUBMITTED_MS);
    assertTrue(
        site.run("pbsu1", "pbsnodes", "n1")
            .output()
            .contains("     last_used_time = Fri Nov 20 15:35:54 2026\n"));
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
