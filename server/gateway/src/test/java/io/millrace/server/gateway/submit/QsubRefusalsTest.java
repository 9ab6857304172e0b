package io.millrace.server.gateway.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.request.QsubOptions;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What {@code qsub} refuses by name, and what it takes in its place. */
class QsubRefusalsTest extends QsubFixture {
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
  void aPriorityIs1023AtMostAnd0WhereNothingIsSaid() throws Exception {
    for (String wrong : List.of("1024", "-1025", "x")) {
      String errors = qsub("-p", wrong, "--", "x").errors();
      assertTrue(errors.startsWith("qsub: illegal -p value\nusage: "), errors);
      assertEquals(2, site.status);
    }
    assertEquals(List.of(), site.sent);
    qsub("-p", "1023", "--", "x");
    assertEquals(1023, spec().getPriority());
    qsub("--", "x");
    assertEquals(0, spec().getPriority());
  }

  @Test
  void aScriptIsCalledWhatAJobMayBeCalled() throws Exception {
    for (String wrong : List.of("a b", "a\u001b[2J", "a\nb", "x".repeat(231), "a,b")) {
      files.put(wrong, "true\n".getBytes(StandardCharsets.UTF_8));
      assertEquals(
          "qsub: cannot form a valid job name from the script name\n", qsub(wrong).errors());
      assertEquals(1, site.status);
    }
    assertEquals(List.of(), site.sent);
    qsub("-N", "it", "a b");
    assertEquals("it", spec().getName());
    files.put("named", "#PBS -N other\n".getBytes(StandardCharsets.UTF_8));
    qsub("named");
    assertEquals("other", spec().getName());
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
  void refusalsOfTheShardHaveItsTextAndCode() throws Exception {
    site.refuse(15021, "Queue is not enabled");
    assertEquals("qsub: Queue is not enabled\n", qsub("--", "/bin/true").errors());
    assertEquals(173, site.status);
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
}
