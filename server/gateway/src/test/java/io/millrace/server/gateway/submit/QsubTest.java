package io.millrace.server.gateway.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.state.ArrayState;
import io.millrace.schemas.state.Dependency;
import io.millrace.schemas.state.DependencyKind;
import io.millrace.schemas.state.IndexRange;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.WaitedJob;
import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.FakeSite;
import io.millrace.server.gateway.command.Jobs;
import io.millrace.server.gateway.request.QsubOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class QsubTest extends QsubFixture {
  @Test
  void envelopeNamesTheVerifiedUserAndTheReplyPartition() throws Exception {
    qsub("--", "/bin/true");
    assertEquals("pbsu1", submission().getMeta().getPrincipal());
    assertEquals(Role.USER, submission().getMeta().getRole());
    assertEquals(3, submission().getMeta().getReplyTo());
    assertEquals(FakeSite.NOW_MS, FakeSite.timeOf(submission().getMeta().getId()));
    assertEquals(List.of("/bin/true"), spec().getArgv());
    assertEquals("STDIN", spec().getName());
    assertFalse(spec().getScriptHash().hasRemaining());
  }

  @Test
  void repeatingAnInvocationRepeatsTheCommandId() throws Exception {
    UUID id = site.id();
    for (int i = 0; i < 2; i++) {
      List<String> line = List.of("qsub", "--", "/bin/true");
      assertEquals("1.vm\n", site.run(new FakeInvocation("pbsu1", line, files, id)).output());
    }
    assertEquals(site.sent.get(0).id(), site.sent.get(1).id());
    site.run(new FakeInvocation("other", List.of("qsub", "--", "/bin/true"), files, id));
    assertNotEquals(site.sent.get(0).id(), site.sent.get(2).id());
  }

  @Test
  void variablesOfTheSubmitterAndExportedOnes() throws Exception {
    qsub("-v", "A=1,B='x,y',HOME", "--", "/bin/true");
    Map<String, String> variables = new HashMap<>();
    spec().getVariables().forEach(v -> variables.put(v.getName(), v.getValue()));
    assertEquals("/home/pbsu1", variables.get("PBS_O_WORKDIR"));
    assertEquals("workq", variables.get("PBS_O_QUEUE"));
    assertEquals("vm", variables.get("PBS_O_HOST"));
    assertEquals("Linux", variables.get("PBS_O_SYSTEM"));
    assertEquals("1", variables.get("A"));
    assertEquals("x,y", variables.get("B"));
    assertEquals("/home/pbsu1", variables.get("HOME"));
    assertEquals("PBS_O_HOME", spec().getVariables().get(0).getName());
  }

  @Test
  void shellsOfAllHostsGoWithTheJob() throws Exception {
    qsub("-S", "/bin/csh@n1,/bin/bash", "--", "true");
    assertEquals("/bin/csh@n1,/bin/bash", spec().getShell());
  }

  @Test
  void shellsArePathsFromTheRootEachForAHostOfItsOwn() throws Exception {
    for (String wrong : List.of("bash", "/bin/sh,", "/bin/sh,/bin/csh", "/bin/sh@n,csh", "")) {
      String errors = qsub("-S", wrong, "--", "true").errors();
      assertEquals("qsub: illegal -S value\n" + QsubOptions.USAGE, errors, wrong);
      assertEquals(2, site.status);
    }
    String altering = site.run("pbsu1", "qalter", "-S", "bash", "1").errors();
    assertTrue(altering.startsWith("qalter: illegal -S value\nusage: "), altering);
    assertTrue(site.sent.isEmpty());
  }

  @Test
  void aVariableThatIsNotSetIsMissed() throws Exception {
    String errors = qsub("-v", "A=,NOSUCH,HOME", "--", "/bin/true").errors();
    assertEquals("qsub: cannot send environment with the job\n", errors);
    assertEquals(1, site.status);
    assertTrue(site.sent.isEmpty());
    assertEquals("1.vm\n", qsub("-v", "A=,PBS_O_MAIL,HOME", "--", "/bin/true").output());
    assertTrue(spec().getVariables().contains(new Attribute("A", "")));
  }

  @Test
  void aJobFromAfarIsOfThatHostAndHasNothingOfTheDoor() throws Exception {
    List<String> line =
        List.of("qsub", "-o", "/o", "-V", "-v", "MILLRACE_TOKEN_FILE=/t", "--", "/bin/true");
    site.run(
        new FakeInvocation("mary", line, files, site.id())
            .with("MILLRACE_URL", "https://head:8443")
            .with("MILLRACE_TOKEN", "secret")
            .from("laptop"));
    assertEquals("laptop", spec().getSubmitHost());
    assertEquals("laptop:/o", spec().getOutputPath());
    assertEquals("laptop", submission().getMeta().getHost());
    assertTrue(
        spec().getVariables().stream().noneMatch(it -> it.getName().startsWith("MILLRACE_")));
  }

  @Test
  void rootOfAnotherHostSubmitsWhereTheListSaysSo() throws Exception {
    site.put(
        ObjectKind.SERVER,
        "server",
        "server_host",
        "vm",
        "default_queue",
        "workq",
        "acl_roots",
        "root@vm");
    List<String> line = List.of("qsub", "--", "/bin/true");
    FakeInvocation far = new FakeInvocation("root", line, files, site.id()).from("laptop");
    assertEquals("qsub: Bad UID for job execution\n", site.run(far).errors());
    FakeInvocation near = new FakeInvocation("root", line, files, site.id());
    assertEquals("1.vm\n", site.run(near).output());
  }

  @Test
  void pathsBecomeAbsoluteAndDefaultsAreLeftToTheShard() throws Exception {
    qsub("-o", "out.txt", "-e", "other:/tmp/err", "-j", "oe", "--", "/bin/true");
    assertEquals("vm:/home/pbsu1/out.txt", spec().getOutputPath());
    assertEquals("other:/tmp/err", spec().getErrorPath());
    assertEquals("oe", spec().getJoinPath());
    qsub("--", "/bin/true");
    assertEquals("", spec().getOutputPath());
  }

  @Test
  void aJobGoesToTheShardOfItsQueuesPartition() throws Exception {
    site.put(ObjectKind.QUEUE, "wq1", "partition", "P1", "queue_type", "Execution");
    site.put(ObjectKind.PARTITION, "P1", "shard", "5", "scheduler", "s1");
    qsub("-q", "wq1@vm", "--", "/bin/true");
    assertEquals(5, site.sent.get(0).shard());
    assertEquals("wq1", spec().getQueue());
  }

  @Test
  void rootSubmitsOnlyWhereAclRootsSaysSo() throws Exception {
    assertEquals(
        "qsub: Bad UID for job execution\n", site.run("root", "qsub", "--", "true").errors());
    assertEquals(175, site.status);
    site.put(
        ObjectKind.SERVER,
        "server",
        "server_host",
        "vm",
        "default_queue",
        "workq",
        "acl_roots",
        "root");
    assertEquals("1.vm\n", site.run("root", "qsub", "--", "true").output());
    assertEquals(Role.MANAGER, submission().getMeta().getRole());
  }

  @Test
  void aBlockingQsubEndsWithItsJob() throws Exception {
    Job job = Jobs.fromScript(1, JobStatus.FINISHED);
    job.setExitStatus(7);
    site.jobs.put(1L, job);
    assertEquals("1.vm\n", qsub("-W", "block=true", "--", "x").output());
    assertEquals(7, site.status);
    Job deleted = Jobs.fromScript(2, JobStatus.FINISHED);
    deleted.setEndedBy("ann@vm");
    site.jobs.put(2L, deleted);
    assertEquals(
        "qsub: 2.vm Job to be deleted at request of ann@vm\n",
        qsub("-W", "block=true", "--", "x").errors());
    assertEquals(3, site.status);
  }

  @Test
  void aJobThatIsNotFoundForAMomentIsWaitedFor() throws Exception {
    Job job = Jobs.fromScript(1, JobStatus.FINISHED);
    job.setExitStatus(7);
    site.jobs.put(1L, job);
    site.looks.addAll(List.of(false, false, false));
    assertEquals("", qsub("-W", "block=true", "--", "x").errors());
    assertEquals(7, site.status);
    assertTrue(site.looks.isEmpty());
  }

  private static Dependency on(DependencyKind kind, long... numbers) {
    List<WaitedJob> jobs = new java.util.ArrayList<>();
    for (long number : numbers) {
      jobs.add(new WaitedJob(number, number < 1000 ? 0 : -1, false));
    }
    return new Dependency(kind, 0, jobs);
  }

  @Test
  void dependenciesNameJobsByKind() throws Exception {
    qsub("-W", "depend=afterok:5:7.vm,afterany:6.vm@vm,beforeok:8,afterok:5:99999", "--", "x");
    NewJob job = submission().getJobs().get(0);
    assertEquals(
        List.of(on(DependencyKind.AFTEROK, 5, 7, 99999), on(DependencyKind.AFTERANY, 6)),
        job.getDepend());
    assertEquals(List.of(on(DependencyKind.AFTEROK, 8)), job.getBefore());
    qsub("-W", "depend=on:3", "--", "x");
    assertEquals(
        List.of(new Dependency(DependencyKind.ON, 3, List.of())),
        submission().getJobs().get(0).getDepend());
  }

  @Test
  void aTimeIsTheNextOne() throws Exception {
    // It is 2026-11-20 15:36 in the tests.
    String[][] times = {
      {"1537", "2026-11-20T15:37:00Z"},
      {"1537.30", "2026-11-20T15:37:30Z"},
      {"1536", "2026-11-21T15:36:00Z"},
      {"0000", "2026-11-21T00:00:00Z"},
      {"211200", "2026-11-21T12:00:00Z"},
      {"191200", "2026-12-19T12:00:00Z"},
      {"01020304", "2027-01-02T03:04:00Z"},
      {"2701020304", "2027-01-02T03:04:00Z"},
      {"202701020304.05", "2027-01-02T03:04:05Z"},
      {"200001010000", "2000-01-01T00:00:00Z"}
    };
    for (String[] time : times) {
      qsub("-a", time[0], "--", "x");
      assertEquals(java.time.Instant.parse(time[1]).toEpochMilli(), spec().getExecutionMs());
    }
    for (String[] zone :
        new String[][] {
          {"MILLRACE_CLIENT_ZONE", "Asia/Tokyo", "2026-11-21T06:37:00Z"},
          {"TZ", ":America/New_York", "2026-11-20T20:37:00Z"},
          {"TZ", "JST-9", "2026-11-21T06:37:00Z"},
          {"TZ", "<-03>3", "2026-11-20T18:37:00Z"},
          {"TZ", "/usr/share/zoneinfo/Asia/Tokyo", "2026-11-21T06:37:00Z"},
          {"MILLRACE_CLIENT_ZONE", "GMT+09:00", "2026-11-21T06:37:00Z"},
          {"TZ", "no/zone", "2026-11-20T15:37:00Z"},
          {"TZ", "XXX99", "2026-11-20T15:37:00Z"}
        }) {
      List<String> far = List.of("qsub", "-V", "-a", "1537", "--", "x");
      site.run(new FakeInvocation("pbsu1", far, files, site.id()).with(zone[0], zone[1]));
      // At 00:36 of the next day in Tokyo the next 15:37 is 15 hours later.
      assertEquals(java.time.Instant.parse(zone[2]).toEpochMilli(), spec().getExecutionMs());
      assertTrue(
          spec().getVariables().stream()
              .noneMatch(it -> it.getName().equals("MILLRACE_CLIENT_ZONE")));
    }
    qsub("--", "x");
    assertEquals(0, spec().getExecutionMs());
    int sent = site.sent.size();
    for (String wrong : List.of("9913", "2460", "31", "123", "02301200", "1200.60", "x", "12:00")) {
      FakeInvocation refused = qsub("-a", wrong, "--", "x");
      assertTrue(refused.errors().startsWith("qsub: illegal -a value\nusage: qsub"), wrong);
    }
    assertEquals(sent, site.sent.size());
  }

  @Test
  void arraysAreSubmittedWhole() throws Exception {
    qsub("-J", "1-10:3%2", "--", "x");
    ArrayState array = submission().getJobs().get(0).getArray();
    assertEquals(List.of(new IndexRange(1, 10)), array.getLeft());
    assertEquals(3, array.getStep());
    assertEquals(2, array.getMost());
    int sent = site.sent.size();
    for (String wrong : List.of("abc", "5-1", "1-1", "1", "1-5:0", "1-5%0", "1-99999999", "-1-5")) {
      FakeInvocation refused = qsub("-J", wrong, "--", "x");
      assertTrue(refused.errors().startsWith("qsub: illegal -J value\nusage: qsub"), wrong);
    }
    String part = qsub("-W", "depend=afterok:1[3]", "--", "x").errors();
    String said = "cannot have dependancy on subjob or range\nqsub: illegal -W value\nusage: qsub";
    assertTrue(part.startsWith(said), part);
    String once = qsub("-r", "n", "-J", "1-5", "--", "x").errors();
    assertTrue(once.startsWith("qsub:  cannot submit non-rerunable Array Job\nusage: "), once);
    String twice = qsub("-J", "1-5%2", "-W", "max_run_subjobs=2", "--", "x").errors();
    assertTrue(twice.startsWith("qsub: multiple max_run_subjobs values found\nusage: "), twice);
    assertEquals(
        "qsub: Attribute has to be set on an array job\n",
        qsub("-W", "max_run_subjobs=3", "--", "x").errors());
    assertEquals(sent, site.sent.size());
    qsub("-J", "1-5", "-W", "depend=afterok:1[],max_run_subjobs=3", "--", "x");
    NewJob job = submission().getJobs().get(0);
    assertEquals(3, job.getArray().getMost());
    assertEquals(List.of(new WaitedJob(1L, 0, true)), job.getDepend().get(0).getJobs());
  }

  @Test
  void zPrintsNothing() throws Exception {
    assertEquals("", qsub("-z", "--", "/bin/true").output());
    assertEquals(0, site.status);
  }
}
