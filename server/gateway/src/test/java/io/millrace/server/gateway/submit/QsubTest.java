package io.millrace.server.gateway.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.Topics;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.JobSpec;
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
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class QsubTest {

  private final FakeSite site = new FakeSite();
  private final Map<String, byte[]> files = new HashMap<>();

  private FakeInvocation qsub(String... args) throws Exception {
    return qsubReading("", args);
  }

  private FakeInvocation qsubReading(String stdin, String... args) throws Exception {
    List<String> line = new java.util.ArrayList<>(List.of("qsub"));
    line.addAll(List.of(args));
    return site.run(new FakeInvocation("pbsu1", line, files, site.id()).stdin(stdin));
  }

  private SubmitJobs submission() {
    return (SubmitJobs) site.sent.get(site.sent.size() - 1).command();
  }

  private JobSpec spec() {
    return submission().getJobs().get(0).getSpec();
  }

  @Test
  void directivesAreUnderTheCommandLine() throws Exception {
    String script =
        "#!/bin/sh\n#PBS -N fromscript -p 7  # a remark\n#PBS -l ncpus=1,walltime=00:10:00\n\n"
            + "sleep 300\n#PBS -N toolate\n";
    files.put("job.sh", script.getBytes(StandardCharsets.UTF_8));
    assertEquals("1.vm\n", qsub("-l", "walltime=60", "-h", "job.sh").output());
    assertEquals("fromscript", spec().getName());
    assertEquals(7, spec().getPriority());
    assertEquals(60, spec().getRequest().getWalltimeS());
    assertEquals("1:ncpus=1", resource("select"));
    assertEquals("u", submission().getJobs().get(0).getHolds());
    assertEquals("-l walltime=60 -h job.sh", spec().getSubmitArguments());
    assertEquals(
        script,
        StandardCharsets.UTF_8.decode(submission().getScripts().get(0).getText()).toString());
    assertEquals(submission().getScripts().get(0).getHash(), spec().getScriptHash());
  }

  private void preset(String options) {
    site.put(
        ObjectKind.SERVER, "server", "default_queue", "workq", "default_qsub_arguments", options);
  }

  @Test
  void whatTheServerPresetsIsUnderTheScript() throws Exception {
    preset("-r n -N preset -A 'our account' -l walltime=5,ncpus=2 -W umask=27");
    files.put("job.sh", "#PBS -N fromscript -l walltime=7\n".getBytes(StandardCharsets.UTF_8));
    assertEquals("1.vm\n", qsub("-l", "ncpus=3", "job.sh").output());
    assertEquals("fromscript", spec().getName());
    assertEquals("our account", spec().getAccount());
    assertFalse(spec().getRerunnable());
    assertEquals(7, spec().getRequest().getWalltimeS());
    assertEquals("1:ncpus=3", resource("select"));
    assertEquals(List.of(new Attribute("umask", "27")), spec().getExtra());
    assertEquals("-l ncpus=3 job.sh", spec().getSubmitArguments());
    qsub("-r", "y", "--", "/bin/true");
    assertTrue(spec().getRerunnable());
    assertEquals("preset", spec().getName());
    assertEquals(5, spec().getRequest().getWalltimeS());
  }

  @Test
  void whatHasNotTheFormOfANameOrDestinationIsSaid() throws Exception {
    for (String wrong : List.of("a:b", "a@b", "a,b", "job#1", "x*", "a=b", "\u00e9", "a b")) {
      String errors = qsub("-N", wrong, "--", "x").errors();
      assertTrue(errors.startsWith("qsub: illegal -N value\nusage: "), errors);
      assertEquals(2, site.status);
    }
    assertEquals("qsub: Job name is too long \n", qsub("-N", "x".repeat(231), "--", "x").errors());
    assertEquals(2, site.status);
    for (String wrong : List.of("nonexistent_queue", "a#b", "q@", "a b")) {
      assertEquals(
          "qsub: illegally formed destination: " + wrong + "\n",
          qsub("-q", wrong, "--", "x").errors());
      assertEquals(2, site.status);
    }
    assertEquals(List.of(), site.sent);
    qsub("-N", "1a-b_c+d.e", "--", "x");
    assertEquals("1a-b_c+d.e", spec().getName());
    qsub("-N", "x".repeat(230), "--", "x");
    assertEquals(230, spec().getName().length());
  }

  @Test
  void whatCannotBePresetIsSaid() throws Exception {
    preset("job.sh");
    assertEquals(
        "qsub: default_qsub_arguments: options only: job.sh\n", qsub("--", "/bin/true").errors());
    assertEquals(2, site.status);
    assertEquals(List.of(), site.sent);
    preset("-C x -J 1-3 -N preset"); // what qmgr refuses
    assertEquals("1.vm\n", qsub("--", "/bin/true").output());
    assertEquals("preset", spec().getName());
    assertNull(submission().getJobs().get(0).getArray());
    preset("-? -S bash -c u -p 7 -r n -l ncpus=2"); // the first three as well
    FakeInvocation run = qsub("--", "/bin/true");
    assertEquals("2.vm\n", run.output());
    assertEquals("", run.errors());
    assertEquals(7, spec().getPriority());
    assertEquals("1:ncpus=2", resource("select"));
  }

  private FakeInvocation script(String text) throws Exception {
    files.put("job.sh", text.getBytes(StandardCharsets.UTF_8));
    return qsub("job.sh");
  }

  @Test
  void noDirectiveBeforeTheFirstCommandIsLost() throws Exception {
    script("#!/bin/sh\n  # modules\n: nothing\n\t#PBS -p 7\n#PBS-l ncpus=2\n#PBS -N a\ntrue\n");
    assertEquals(7, spec().getPriority());
    assertEquals("1:ncpus=2", resource("select"));
    assertEquals("a", spec().getName());
    script("#PBS -l select=1:\\\n ncpus=2 \\ \n-N b\n#PBS -p 8\ntrue\n");
    assertEquals(1, site.status);
    script("#PBS -l select=1:\\\nncpus=2 \\ \n-N b\n#PBS -p 8 \\");
    assertEquals("1:ncpus=2", resource("select"));
    assertEquals("b", spec().getName());
    assertEquals(8, spec().getPriority());
    script("  : ends it\n#PBS -p 9\n");
    assertEquals(0, spec().getPriority());
  }

  @Test
  void aDirectiveIsReadByItself() throws Exception {
    String errors = script("#PBS -N a b\n#PBS -p 7\ntrue\n").errors();
    assertEquals("qsub: directive error: -N a b\n", errors);
    assertEquals(1, site.status);
    errors = script("#PBS -p 7 -N\n#PBS -h\ntrue\n").errors();
    String missing = "qsub: directive error: option requires an argument -- 'N'\n";
    assertTrue(errors.startsWith(missing), errors);
    assertTrue(site.sent.isEmpty());
  }

  @Test
  void aScriptWithLineEndsOfWindowsIsRefused() throws Exception {
    String text = "#PBS -N a\ntrue\r\n";
    assertEquals("qsub: script contains cr, lf\n", script(text).errors());
    assertEquals(1, site.status);
    assertEquals("qsub: script contains cr, lf\n", qsubReading(text).errors());
    assertEquals(1, site.status);
    assertTrue(site.sent.isEmpty());
    assertEquals("1.vm\n", script("true\rfalse\n").output());
  }

  private String resource(String name) {
    return spec().getResourceList().stream()
        .filter(a -> a.getName().equals(name))
        .map(Attribute::getValue)
        .findFirst()
        .orElse(null);
  }

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
  void aResourceWithoutAValueIsRefusedByName() throws Exception {
    for (String name : List.of("ncpus", "select", "walltime", "mem=1gb,place")) {
      String errors = qsub("-l", name, "--", "/bin/true").errors();
      String last = name.substring(name.indexOf(',') + 1);
      String said = "qsub: Illegal attribute or resource value Resource_List." + last + "\n";
      assertEquals(said, errors);
      assertEquals(166, site.status);
    }
    for (String nameless : List.of("ncpus=1,", "=5", ",", " ", "ncpus=1,,mem=1gb")) {
      String errors = qsub("-l", nameless, "--", "/bin/true").errors();
      assertEquals("qsub: illegal -l value\n" + QsubOptions.USAGE, errors, nameless);
      assertEquals(2, site.status);
    }
    String unknown = qsub("-l", "1abc=5", "--", "/bin/true").errors();
    assertEquals("qsub: Unknown resource Resource_List.1abc\n", unknown);
    assertTrue(site.sent.isEmpty());
    assertEquals("1.vm\n", qsub("-l", "", "--", "/bin/true").output());
  }

  @Test
  void whatIsNoIntervalOfCheckpointsIsIllegal() throws Exception {
    for (String wrong : List.of("u", "x", "", "c=", "n=5", "cw")) {
      String errors = qsub("-c", wrong, "--", "true").errors();
      assertEquals("qsub: illegal -c value\n" + QsubOptions.USAGE, errors, wrong);
      assertEquals(2, site.status);
    }
    String altering = site.run("pbsu1", "qalter", "-c", "u", "1").errors();
    assertTrue(altering.startsWith("qalter: illegal -c value\nusage: "), altering);
    String refused = qsub("-c", "c=10", "--", "true").errors();
    assertEquals("qsub: option -c c=10 is not supported: there are no checkpoints\n", refused);
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
  void refusalsOfTheShardHaveItsTextAndCode() throws Exception {
    site.refuse(15021, "Queue is not enabled");
    assertEquals("qsub: Queue is not enabled\n", qsub("--", "/bin/true").errors());
    assertEquals(173, site.status);
  }

  @Test
  void aScriptThatIsTooLargeIsRefusedInOneLine() throws Exception {
    files.put("big.sh", new byte[Topics.SCRIPT_BYTES_MAX + 1]);
    FakeInvocation refused = qsub("big.sh");
    assertEquals(
        "qsub: script big.sh is too large: a script has at most 1048576 bytes\n", refused.errors());
    assertEquals(1, site.status);
    FakeInvocation input = qsubReading("x".repeat(Topics.SCRIPT_BYTES_MAX + 1));
    assertTrue(input.errors().contains("standard input is too large"), input.errors());
    assertTrue(site.sent.isEmpty());
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
  void optionsOfPbsThatAreNotOfferedAreRefusedByName() throws Exception {
    String[][] lines = {
      {"-X"},
      {"-c", "s"},
      {"-R", "o"},
      {"-u", "x"},
      {"-W", "depend=runone:1"},
      {"-W", "run_count=22"}
    };
    for (String[] line : lines) {
      FakeInvocation refused = qsub(line);
      assertTrue(
          refused.errors().startsWith("qsub: option " + line[0]), line[0] + refused.errors());
      assertTrue(refused.errors().contains("is not supported: "), refused.errors());
      assertEquals(2, site.status);
    }
    assertEquals(
        "qsub: Reservation may not be created from an array job\n",
        qsub("-J", "1-3", "-Wcreate_resv_from_job=1", "--", "true").errors());
    assertEquals(15182 % 256, site.status);
    assertTrue(
        qsub("-Wcreate_resv_from_job=x", "--", "true").errors().startsWith("qsub: illegal -W"));
    assertEquals(
        "qsub: option -W resv_start is not supported: no reservation is made before the job runs\n",
        qsub("-Wresv_start=1", "--", "true").errors());
    assertEquals(2, site.status);
    assertTrue(site.sent.isEmpty());
  }

  @Test
  void aReservationIsMadeOfTheRunOfAJobThatAsksForIt() throws Exception {
    qsub("-Wcreate_resv_from_job=1", "--", "true");
    assertTrue(spec().getReserveRun());
    site.sent.clear();
    qsub("-W", "create_resv_from_job=False", "--", "true");
    assertFalse(spec().getReserveRun());
  }

  @Test
  void whatJobsHaveAnyhowMayBeAskedFor() throws Exception {
    String me = site.run("ann", "qsub", "-c", "n", "-u", "bob@far,ann", "--", "true").output();
    assertEquals("1.vm\n", me);
    files.put("job.sh", "#PBS -c n\n#PBS -u pbsu1\ntrue\n".getBytes(StandardCharsets.UTF_8));
    qsub("job.sh");
    assertEquals(0, site.status);
    assertEquals(2, site.sent.size());
  }

  @Test
  void boundsThatNothingHoldsAreRefusedByName() throws Exception {
    for (String name :
        List.of("pmem", "pvmem", "file", "nice", "min_walltime", "max_walltime", "soft_walltime")) {
      FakeInvocation refused = qsub("-l", "ncpus=1," + name + "=10", "--", "true");
      String said = "qsub: option -l " + name + " is not supported: ";
      assertTrue(refused.errors().startsWith(said), refused.errors());
      assertEquals(2, site.status);
    }
    assertTrue(site.sent.isEmpty());
  }

  @Test
  void processorTimeMayBeBounded() throws Exception {
    qsub("-l", "cput=90,pcput=1:00", "--", "true");
    Map<String, String> asked = new HashMap<>();
    spec().getResourceList().forEach(it -> asked.put(it.getName(), it.getValue()));
    assertEquals("00:01:30", asked.get("cput"));
    assertEquals("00:01:00", asked.get("pcput"));
  }

  private Map<String, String> passed() {
    Map<String, String> passed = new HashMap<>();
    spec().getExtra().forEach(it -> passed.put(it.getName(), it.getValue()));
    return passed;
  }

  @Test
  void whatNoShardReckonsWithIsPassedOn() throws Exception {
    String script = "#PBS -m ae -M ann,bob@there\n#PBS -W umask=0027\ntrue\n";
    files.put("job.sh", script.getBytes(StandardCharsets.UTF_8));
    qsub("-k", "oed", "-m", "b", "-W", "sandbox=private,stagein=a@h:/b,c@h:d", "job.sh");
    assertEquals(
        Map.of(
            "Keep_Files", "oed",
            "Mail_Points", "b",
            "Mail_Users", "ann,bob@there",
            "umask", "27",
            "sandbox", "PRIVATE",
            "stagein", "a@h:/b,c@h:d"),
        passed());
    qsub("--", "x");
    assertEquals(Map.of(), passed());
  }

  @Test
  void wrongValuesOfThoseAreIllegal() throws Exception {
    String[][] lines = {
      {"-k", "x"},
      {"-k", "on"},
      {"-k", "d"},
      {"-m", "z"},
      {"-m", "an"},
      {"-m", "j"},
      {"-m", ""},
      {"-M", ""},
      {"-M", "a@"},
      {"-M", "a,,b"},
      {"-M", "a,"},
      {"-M", "a" + ",a".repeat(2048)},
      {"-W", "umask=8"},
      {"-W", "umask=7777"},
      {"-W", "sandbox=x"},
      {"-W", "block=maybe"},
      {"-W", "stagein=a"},
      {"-W", "stageout=a@h"},
      {"-W", "stageout=a:b"},
      {"-W", "stagein=a@h:b,"},
      {"-W", "stagein=\"a,b@h:c\""},
      {"-W", "stageout=a@h:b\\,c"},
      {"-W", "group_list=a@h,b@h"}
    };
    for (String[] line : lines) {
      String errors = qsub(line[0], line[1], "--", "x").errors();
      assertTrue(errors.startsWith("qsub: illegal " + line[0] + " value\nusage: qsub"), line[1]);
      assertEquals(2, site.status);
    }
    assertEquals(
        "qsub: mail option 'j' can not be used without array job\n",
        qsub("-m", "abj", "--", "x").errors());
    assertEquals(
        "qsub: Bad GID for job execution\n",
        qsub("-W", "group_list=nosuchgroup", "--", "x").errors());
    assertEquals(197, site.status);
    assertTrue(site.sent.isEmpty());
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
  void wrongDependenciesAreIllegal() throws Exception {
    for (String value :
        List.of(
            "depend=",
            "depend=bogus:1",
            "depend=afterok",
            "depend=afterok:",
            "depend=afterok:x",
            "depend=afterok:1,",
            "depend=afterok:1.elsewhere",
            "depend=on:x",
            "depend=on:1:2",
            "afterok:1",
            "=1")) {
      FakeInvocation refused = qsub("-W", value, "--", "x");
      assertTrue(refused.errors().startsWith("qsub: illegal -W value\nusage: qsub"), value);
      assertEquals(2, site.status);
    }
    assertEquals("qsub: Error (15002) submitting job\n", qsub("-W", "nosuch=1").errors());
    assertTrue(site.sent.isEmpty());
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

  private static NewJob job(SubmitJobs command, int index) {
    return command.getJobs().get(index);
  }

  @Test
  void bulkSubmitsALinePerJobInChunks() throws Exception {
    StringBuilder lines = new StringBuilder("# a sweep\n\n");
    for (int i = 1; i <= 250; i++) {
      lines.append("-p ").append(i % 7).append(" -N j").append(i).append(" -- /bin/echo ");
      lines.append(i).append('\n');
    }
    files.put("jobs", lines.toString().getBytes(StandardCharsets.UTF_8));
    FakeInvocation first = qsub("-l", "ncpus=1", "--bulk", "jobs");
    assertEquals("", first.errors());
    assertEquals(0, site.status);
    assertEquals(250, first.output().lines().count());
    assertEquals(3, site.sent.size());
    SubmitJobs chunk = (SubmitJobs) site.sent.get(0).command();
    assertEquals(100, chunk.getJobs().size());
    assertEquals("j1", job(chunk, 0).getSpec().getName());
    assertEquals(List.of("/bin/echo", "100"), job(chunk, 99).getSpec().getArgv());
    FakeInvocation again = qsub("-l", "ncpus=1", "--bulk", "jobs");
    assertTrue(again.errors().contains("all 250 jobs of jobs were submitted before"), "said");
    assertEquals(3, site.sent.size());
  }

  @Test
  void bulkRefusesAlsoWhatIsPresetOrInAScript() throws Exception {
    files.put("jobs", "-- /bin/true\n".getBytes(StandardCharsets.UTF_8));
    preset("-W block=true");
    assertTrue(qsub("--bulk", "jobs").errors().contains("-W block=true waits for one job"));
    assertEquals(1, site.status);
    preset("-N preset");
    files.put("job.sh", "#PBS -I\n".getBytes(StandardCharsets.UTF_8));
    files.put("jobs", "job.sh\n".getBytes(StandardCharsets.UTF_8));
    assertTrue(qsub("--bulk", "jobs").errors().contains("an interactive job is submitted by"));
    assertEquals(1, site.status);
    assertEquals(List.of(), site.sent);
  }

  @Test
  void bulkGoesOnWhereItWasBrokenOffUnderTheSameIds() throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int i = 1; i <= 300; i++) {
      lines.append("-- /bin/echo ").append(i).append('\n');
    }
    files.put("jobs", lines.toString().getBytes(StandardCharsets.UTF_8));
    qsub("--bulk", "jobs");
    // The progress file as a crash left it: the last answer was never written down.
    String progress = new String(files.get("jobs.progress"), StandardCharsets.UTF_8);
    String cut = progress.substring(0, progress.indexOf("done 2 "));
    files.put("jobs.progress", cut.getBytes(StandardCharsets.UTF_8));
    FakeInvocation again = qsub("--bulk", "jobs");
    assertEquals(0, site.status);
    assertEquals(4, site.sent.size());
    assertEquals(site.sent.get(2).id(), site.sent.get(3).id());
    assertEquals(100, again.output().lines().count());
    assertTrue(again.output().startsWith("201.vm\n"), again.output());
  }

  @Test
  void bulkRefusesAFileThatChangedUnderIt() throws Exception {
    files.put("jobs", "-- /bin/echo 1\n".getBytes(StandardCharsets.UTF_8));
    qsub("--bulk", "jobs");
    files.put("jobs", "-- /bin/echo 2\n".getBytes(StandardCharsets.UTF_8));
    FakeInvocation changed = qsub("--bulk", "jobs");
    assertTrue(changed.errors().contains("changed in lines 1-1"), changed.errors());
    assertEquals(1, site.status);
  }

  @Test
  void bulkStopsAtAWrongLineAndNamesIt() throws Exception {
    files.put("jobs", "-- true\n-p 9999 -- true\n".getBytes(StandardCharsets.UTF_8));
    FakeInvocation wrong = qsub("--bulk", "jobs");
    assertTrue(wrong.errors().contains("jobs line 2: "), wrong.errors());
    assertEquals(2, site.status);
    assertTrue(site.sent.isEmpty());
  }

  @Test
  void bulkRetriesARefusedChunkUnderANewId() throws Exception {
    files.put("jobs", "-- true\n".getBytes(StandardCharsets.UTF_8));
    site.refuse(15021, "Queue is not enabled");
    FakeInvocation refused = qsub("--bulk", "jobs");
    assertEquals("qsub: jobs lines 1-1: Queue is not enabled\n", refused.errors());
    assertEquals(173, site.status);
    site.answer(null);
    assertEquals("1.vm\n", qsub("--bulk", "jobs").output());
    assertNotEquals(site.sent.get(0).id(), site.sent.get(1).id());
  }

  @Test
  void bulkKeepsJobsOfDifferentShardsApart() throws Exception {
    site.put(ObjectKind.QUEUE, "wq1", "partition", "P1");
    site.put(ObjectKind.PARTITION, "P1", "shard", "5", "scheduler", "s1");
    files.put(
        "jobs", "-q workq -- a\n-q wq1 -- b\n-q workq -- c\n".getBytes(StandardCharsets.UTF_8));
    qsub("--bulk", "jobs");
    assertEquals(2, site.sent.size());
    assertEquals(0, site.sent.get(0).shard());
    assertEquals(2, ((SubmitJobs) site.sent.get(0).command()).getJobs().size());
    assertEquals(5, site.sent.get(1).shard());
  }

  @Test
  void bulkIgnoresANoteThatACrashCutShortAndNotesOnBehindIt() throws Exception {
    files.put("jobs", "-- a\n-- b\n".getBytes(StandardCharsets.UTF_8));
    qsub("--bulk", "jobs");
    String progress = new String(files.get("jobs.progress"), StandardCharsets.UTF_8);
    // The machine stopped while the chunk was being noted: it was not sent then.
    String cut = progress.substring(0, progress.indexOf("sent 0 ") + 12);
    files.put("jobs.progress", cut.getBytes(StandardCharsets.UTF_8));
    qsub("--bulk", "jobs");
    assertEquals(0, site.status);
    assertEquals(2, site.sent.size());
    FakeInvocation third = qsub("--bulk", "jobs");
    assertTrue(third.errors().contains("all 2 jobs of jobs were submitted before"), "said");
    assertEquals(2, site.sent.size(), "what the second run noted is found");
  }

  @Test
  void bulkReadsNoLineThatIsTooLongOrNoText() throws Exception {
    files.put("jobs", ("-- a\n-- " + "x".repeat(1 << 20)).getBytes(StandardCharsets.UTF_8));
    FakeInvocation longLine = qsub("--bulk", "jobs");
    assertEquals("qsub: jobs line 2 has more than 262144 bytes\n", longLine.errors());
    files.put("jobs", new byte[] {'-', '-', ' ', (byte) 0xff, '\n'});
    FakeInvocation noText = qsub("--bulk", "jobs");
    assertEquals("qsub: jobs line 1 is not UTF-8 text\n", noText.errors());
    assertEquals(2, site.status);
  }

  @Test
  void bulkMakesSmallerChunksOfJobsWithMuchInThem() throws Exception {
    String line = "-v BIG=" + "x".repeat(100_000) + " -- true\n";
    files.put("jobs", line.repeat(20).getBytes(StandardCharsets.UTF_8));
    FakeInvocation done = qsub("--bulk", "jobs");
    assertEquals("", done.errors());
    assertEquals(20, done.output().lines().count());
    for (FakeSite.Sent sent : site.sent) {
      int bytes = io.millrace.schemas.WireCodec.local().encode(sent.command()).length;
      assertTrue(bytes <= io.millrace.schemas.Topics.COMMAND_BYTES_MAX, "" + bytes);
    }
  }
}
