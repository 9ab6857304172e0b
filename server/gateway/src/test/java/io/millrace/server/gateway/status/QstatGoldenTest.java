package io.millrace.server.gateway.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.pbs.reasons.ReasonCode;
import io.millrace.schemas.pbs.resources.RequestClass;
import io.millrace.schemas.state.Dependency;
import io.millrace.schemas.state.DependencyKind;
import io.millrace.schemas.state.Dependent;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobEvent;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.Reason;
import io.millrace.schemas.state.WaitedJob;
import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.FakeSite;
import io.millrace.server.gateway.command.Jobs;
import io.millrace.server.gateway.command.Version;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Output of qstat letter by letter as a real OpenPBS prints it. */
class QstatGoldenTest {

  private FakeSite site;

  @BeforeEach
  void aRunningJob() {
    site = new FakeSite();
    site.jobs.put(1L, Jobs.fromScript(1, JobStatus.RUNNING));
  }

  @Test
  void plainTable() throws Exception {
    String expected =
        """
        Job id            Name             User              Time Use S Queue
        ----------------  ---------------- ----------------  -------- - -----
        1.vm              fromscript       pbsu1                    0 R workq          \s
        """;
    assertEquals(expected, site.run("pbsu1", "qstat").output());
    assertEquals(expected, site.run("pbsu1", "qstat", "1").output());
    assertEquals(expected, site.run("pbsu1", "qstat", "workq").output());
  }

  @Test
  void fullListingIsWrappedAt79Columns() throws Exception {
    String expected =
        """
        Job Id: 1.vm
            Job_Name = fromscript
            Job_Owner = pbsu1@vm
            job_state = R
            queue = workq
            server = vm
            Checkpoint = u
            ctime = Fri Nov 20 15:35:54 2026
            Error_Path = vm:/home/pbsu1/fromscript.e1
            exec_host = vm/0
            exec_vnode = (vm[6]:ncpus=1)
            Hold_Types = n
            Join_Path = n
            Keep_Files = n
            Mail_Points = a
            mtime = Fri Nov 20 15:35:54 2026
            Output_Path = vm:/home/pbsu1/fromscript.o1
            Priority = 0
            qtime = Fri Nov 20 15:35:54 2026
            Rerunable = True
            Resource_List.ncpus = 1
            Resource_List.nodect = 1
            Resource_List.place = pack
            Resource_List.select = 1:ncpus=1
            Resource_List.walltime = 00:10:00
            stime = Fri Nov 20 15:35:54 2026
            jobdir = /home/pbsu1
            substate = 41
            Variable_List = PBS_O_HOME=/home/pbsu1,PBS_O_LANG=C.UTF-8,
        \tPBS_O_LOGNAME=pbsu1,
        \tPBS_O_PATH=/opt/pbs/bin:/opt/pbs/sbin:/usr/local/sbin:/usr/local/bin:/
        \tusr/sbin:/usr/bin:/sbin:/bin,PBS_O_MAIL=/var/mail/pbsu1,
        \tPBS_O_SHELL=/bin/bash,PBS_O_WORKDIR=/home/pbsu1,PBS_O_SYSTEM=Linux,
        \tPBS_O_QUEUE=workq,PBS_O_HOST=vm
            comment = Job run at Fri Nov 20 at 15:35 on (vm[6]:ncpus=1)
            etime = Fri Nov 20 15:35:54 2026
            run_count = 1
            Submit_arguments = job.sh
            project = _pbs_project_default
            Submit_Host = vm

        """;
    assertEquals(expected, site.run("pbsu1", "qstat", "-f", "1").output());
  }

  @Test
  void dependenciesAreShownOnBothSides() throws Exception {
    Job job = Jobs.fromScript(3, JobStatus.HELD);
    job.setHolds("s");
    job.setDepend(
        List.of(
            new Dependency(
                DependencyKind.AFTEROK,
                0,
                List.of(new WaitedJob(1L, 0, false), new WaitedJob(2L, 0, false))),
            new Dependency(DependencyKind.ON, 2, List.of())));
    site.jobs.put(3L, job);
    String shown = site.run("pbsu1", "qstat", "-fw", "3").output();
    assertTrue(shown.contains("    depend = afterok:1.vm@vm:2.vm@vm,on:2\n    Error_Path"), shown);
    assertTrue(shown.contains("    Hold_Types = s\n"), shown);
    assertTrue(shown.contains("    substate = 22\n"), shown);
    assertFalse(shown.contains("comment"), shown);
    site.dependents.add(new Dependent(3L, 7L, 0, DependencyKind.AFTERNOTOK, false, false));
    site.dependents.add(new Dependent(3L, 8L, 0, DependencyKind.AFTER, false, false));
    site.dependents.add(new Dependent(3L, 9L, 0, DependencyKind.AFTERNOTOK, false, false));
    job.setDepend(List.of());
    assertTrue(
        site.run("pbsu1", "qstat", "-fw", "3")
            .output()
            .contains("    depend = beforenotok:7.vm@vm:9.vm@vm,before:8.vm@vm\n"));
  }

  @Test
  void jobsThatWaitForTheirTimeAreCounted() throws Exception {
    site.queues.clear();
    site.queues.add(
        new Queue("workq", Map.of("WAITING", 2L, "HELD", 1L), Map.of(), false, -1L, -1L));
    String row = "workq                0     3 yes yes     0     0     1     2     0     0 Exe*\n";
    assertTrue(site.run("pbsu1", "qstat", "-Q", "workq").output().endsWith(row));
    assertTrue(
        site.run("pbsu1", "qstat", "-Qf", "workq")
            .output()
            .contains("state_count = Transit:0 Queued:0 Held:1 Waiting:2 Running:0"));
    assertTrue(
        site.run("pbsu1", "qstat", "-B")
            .output()
            .contains("     0     3     0     0     1     2     0     0 "));
  }

  @Test
  void alternateTable() throws Exception {
    Job job = site.jobs.get(1L);
    job.setSessionId(3259);
    job.setStartedMs(FakeSite.NOW_MS - 6000);
    String head =
        """

        vm:\s
                                                                    Req'd  Req'd   Elap
        Job ID          Username Queue    Jobname    SessID NDS TSK Memory Time  S Time
        --------------- -------- -------- ---------- ------ --- --- ------ ----- - -----
        """;
    String row = "1.vm            pbsu1    workq    fromscript   3259   1   1    --  00:10 R 00:00";
    assertEquals(head + row + "\n", site.run("pbsu1", "qstat", "-a").output());
    assertEquals(head + row + " vm/0\n", site.run("pbsu1", "qstat", "-an1").output());
    assertEquals("", site.run("pbsu1", "qstat", "-i").output());
    assertEquals("", site.run("pbsu1", "qstat", "-u", "nosuch").output());
    site.jobs.clear();
    Job waiting = Jobs.fromScript(3, JobStatus.QUEUED);
    waiting.getSpec().setName("wait4cpu");
    waiting.getSpec().setResourceList(Jobs.attributes("ncpus", "4", "nodect", "1", "mem", "200mb"));
    site.jobs.put(3L, waiting);
    reason(waiting, ReasonCode.TOTAL_INSUFFICIENT, 4, 0, 16);
    String line =
        "3.vm            pbsu1    workq    wait4cpu      --    1   4  200mb   --  Q   -- ";
    String comment = "   Not Running: Insufficient amount of resource: ncpus (R: 4 A: 0 T: 16)";
    assertEquals(head + line + "\n" + comment + "\n", site.run("pbsu1", "qstat", "-s").output());
    assertEquals(head + line + " " + comment + "\n", site.run("pbsu1", "qstat", "-as1").output());
    assertEquals(head + line + "  -- \n", site.run("pbsu1", "qstat", "-an1").output());
  }

  @Test
  void aLongCommentIsBrokenInTheMiddle() throws Exception {
    Job waiting = Jobs.fromScript(3, JobStatus.QUEUED);
    site.jobs.put(3L, waiting);
    reason(waiting, ReasonCode.TOTAL_INSUFFICIENT, 4, 0, 16);
    String shown = site.run("pbsu1", "qstat", "-f", "3").output();
    String expected =
        "    comment = Not Running: Insufficient amount of resource: ncpus (R: 4 A: 0 T:\n\t 16)\n";
    assertTrue(shown.contains(expected), shown);
  }

  @Test
  void aSchedulerMayWriteNoComments() throws Exception {
    Job waiting = Jobs.fromScript(3, JobStatus.QUEUED);
    site.jobs.put(3L, waiting);
    reason(waiting, ReasonCode.TOTAL_INSUFFICIENT, 4, 0, 16);
    site.put(
        ObjectKind.SCHEDULER,
        "default",
        "scheduling",
        "True",
        "shard",
        "0",
        "update_comments",
        "False");
    String shown = site.run("pbsu1", "qstat", "-f", "3").output();
    assertFalse(shown.contains("comment"), shown);
    String why = site.run("pbsu1", "why", "3").output();
    assertTrue(why.contains("It needs ncpus 4"), why);
  }

  @Test
  void finishedJobsAreShownOnRequestOnly() throws Exception {
    Job job = site.jobs.get(1L);
    job.setStatus(JobStatus.FINISHED);
    job.setFinishedMs(FakeSite.NOW_MS);
    job.setExitStatus(271);
    job.setEndedBy("pbsu1@vm");
    job.setUsed(new Usage(0L, 1420L, 2500L, 6L, 2, 0));
    assertEquals("", site.run("pbsu1", "qstat").output());
    FakeInvocation one = site.run("pbsu1", "qstat", "1");
    assertEquals(
        "qstat: 1.vm Job has finished, use -x or -H to obtain historical job information\n",
        one.errors());
    assertEquals(35, site.status);
    assertTrue(site.run("pbsu1", "qstat", "-x").output().contains("00:00:00 F workq"));
    String full = site.run("pbsu1", "qstat", "-xf", "1").output();
    String[] lines = {
      "    resources_used.mem = 1420kb\n",
      "    resources_used.walltime = 00:00:06\n",
      "    job_state = F\n",
      "    obittime = Fri Nov 20 15:36:00 2026\n",
      "    substate = 91\n",
      "    comment = Job run at Fri Nov 20 at 15:35 on (vm[6]:ncpus=1) and terminated \n"
          + "\tby pbsu1@vm\n",
      "    Exit_status = 271\n",
    };
    for (String line : lines) {
      assertTrue(full.contains(line), line + " in " + full);
    }
  }

  private String stageout() throws Exception {
    String full = site.run("pbsu1", "qstat", "-xf", "1").output();
    int at = full.indexOf("    Stageout_status = ");
    return at < 0 ? "none" : full.substring(at).lines().findFirst().orElseThrow().strip();
  }

  @Test
  void whetherTheFilesOfAFinishedJobWereBroughtIsShown() throws Exception {
    Job job = site.jobs.get(1L);
    job.setExitStatus(0);
    assertEquals("none", stageout(), "it runs");
    job.setStatus(JobStatus.FINISHED);
    job.setFinishedMs(FakeSite.NOW_MS);
    assertEquals("none", stageout(), "nothing of it ever began");
    job.setSessionId(3259);
    assertEquals("Stageout_status = 1", stageout());
    String full = site.run("pbsu1", "qstat", "-xf", "1").output();
    assertTrue(
        full.contains("    run_count = 1\n    Stageout_status = 1\n    Exit_status = 0\n"), full);
    job.getSpec().setJoinPath("oe");
    job.getSpec().setExtra(Jobs.attributes("Keep_Files", "o"));
    assertEquals("none", stageout(), "its one file stays on its host");
    job.getSpec().setExtra(Jobs.attributes("Keep_Files", "o", "stageout", "a@far:b"));
    assertEquals("Stageout_status = 1", stageout());
    for (String lost : List.of("cannot stage files out: a: gone", "output kept in /s/1.vm.1.OU")) {
      String end = "run 1, exit status 0, " + lost;
      job.setEvents(List.of(new JobEvent(FakeSite.NOW_MS, "finished", end)));
      assertEquals("Stageout_status = 0", stageout());
    }
    job.setExitStatus(-20);
    assertEquals("none", stageout(), "nobody knows");
  }

  @Test
  void jsonHasPbsLayoutAndIsJson() throws Exception {
    String shown = site.run("pbsu1", "qstat", "-f", "-F", "json", "1").output();
    assertTrue(
        shown.startsWith(
            "{\n\t\"timestamp\":\t1795188960,\n\t\"pbs_version\":\t\""
                + Version.text()
                + "\",\n\t\"pbs_server\":\t\"vm\",\n\t\"Jobs\":\t{\n\t\t\"1.vm\":\t{\n"
                + "\t\t\t\"Job_Name\":\t\"fromscript\",\n"),
        shown);
    assertTrue(shown.contains("\t\t\t\"Resource_List\":\t{\n\t\t\t\t\"ncpus\":\t1,\n"), shown);
    assertTrue(shown.endsWith("\t\t\t\"Submit_Host\":\t\"vm\"\n\t\t}\n\t}\n}\n"), shown);
    JsonNode job = new ObjectMapper().readTree(shown).get("Jobs").get("1.vm");
    assertEquals("/home/pbsu1", job.get("Variable_List").get("PBS_O_HOME").asText());
    assertEquals(0, job.get("Priority").asInt());
    String none = site.run("pbsu1", "qstat", "-f", "-F", "json", "wq").output();
    assertTrue(new ObjectMapper().readTree(none).has("timestamp"));
  }

  @Test
  void queuesAndServer() throws Exception {
    site.queues.add(
        new Queue(
            "workq", Map.of("RUNNING", 1L, "FINISHED", 7L), Map.of("ncpus", 1L), false, -1L, -1L));
    String queues =
        """
        Queue              Max   Tot Ena Str   Que   Run   Hld   Wat   Trn   Ext Type
        ---------------- ----- ----- --- --- ----- ----- ----- ----- ----- ----- ----
        workq                0     1 yes yes     0     1     0     0     0     0 Exe*
        """;
    assertEquals(queues, site.run("pbsu1", "qstat", "-Q").output());
    String full =
        """
        Queue: workq
            queue_type = Execution
            total_jobs = 1
            state_count = Transit:0 Queued:0 Held:0 Waiting:0 Running:1 Exiting:0 Begun
        \t:0\s
            resources_assigned.ncpus = 1
            enabled = True
            started = True

        """;
    assertEquals(full, site.run("pbsu1", "qstat", "-Qf", "workq").output());
    String server =
        """
        Server             Max   Tot   Que   Run   Hld   Wat   Trn   Ext Status
        ---------------- ----- ----- ----- ----- ----- ----- ----- ----- -----------
        vm                   0     1     0     1     0     0     0     0 Active   \s
        """;
    assertEquals(server, site.run("pbsu1", "qstat", "-B").output());
    String limits =
        """

        server: vm

        Queue            Memory CPU Time Walltime Node   Run   Que   Lm  State
        ---------------- ------ -------- -------- ---- ----- ----- ----  -----
        workq              --      --       --     --      1     0   --   E R
                                                       ----- -----
                                                           1     0
        """;
    assertEquals(limits, site.run("pbsu1", "qstat", "-q").output());
  }

  private void reason(Job job, ReasonCode code, long needed, long free, long total) {
    ClassReason reason = new ClassReason();
    reason.setClassKey(RequestClass.key(job.getSpec()));
    reason.setCode(code.name());
    reason.setSubject("ncpus");
    reason.setNeeded(needed);
    reason.setFree(free);
    reason.setTotal(total);
    site.reasons.put(reason.getClassKey(), new Reason("default", reason, null));
  }
}
