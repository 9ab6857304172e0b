package io.millrace.server.gateway.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.pbs.reasons.ReasonCode;
import io.millrace.schemas.pbs.resources.RequestClass;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Reason;
import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.FakeSite;
import io.millrace.server.gateway.command.Jobs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The forms of qstat: what stands in their columns, what is cut, and what excludes each other. */
class QstatFormsTest {

  private static final long DAY_MS = 86_400_000;

  private FakeSite site;
  private Job running;

  @BeforeEach
  void aJob() {
    site = new FakeSite();
    running = Jobs.fromScript(123456789, JobStatus.RUNNING);
    running.getSpec().setName("a-name-of-twenty-two");
    running.getSpec().setOwner("somebodyelse12345");
    running.getSpec().setQueue("averylongqueue16");
    running.setId("123456789.server.example.org");
    running.setSessionId(12345678);
    site.jobs.put(running.getNumber(), running);
  }

  private String lines(String... line) throws Exception {
    FakeInvocation told = site.run("pbsu1", line);
    assertEquals("", told.errors());
    return told.output();
  }

  private String last(String... line) throws Exception {
    String all = lines(line);
    return all.substring(all.lastIndexOf("-----\n") + "-----\n".length());
  }

  @Test
  void withoutHistoryThereIsNoneToAskFor() throws Exception {
    site.put(ObjectKind.SERVER, "server", "job_history_enable", "False");
    for (List<String> line :
        List.of(List.of("qstat", "-x"), List.of("qstat", "-H", "1"), List.of("qselect", "-x"))) {
      FakeInvocation told = site.run("pbsu1", line.toArray(String[]::new));
      String none = line.get(0) + ": PBS is not configured to maintain job history\n";
      assertEquals(none, told.errors());
      assertEquals("", told.output());
      assertEquals(0, site.status);
    }
    assertTrue(last("qstat").contains("123456789"));
  }

  @Test
  void longValuesAreCut() throws Exception {
    assertEquals(
        "123456789.server* a-name-of-twent* somebodyelse123*         0 R averylongqueue16\n",
        last("qstat"));
    assertEquals(
        "123456789.server.example.org   a-name-of-twen* somebodyelse12*         0 R"
            + " averylongqueue*\n",
        last("qstat", "-w"));
    assertEquals(
        "123456789.serv* somebod* averylo* a-name-of* 12345*   1   1    --  00:10 R 00:00\n",
        last("qstat", "-a"));
    assertEquals(
        "123456789.server.example.org   somebodyelse12* averylongqueue* a-name-of-twen* 12345678"
            + "    1     1    --  00:10 R 00:00\n",
        last("qstat", "-aw"));
  }

  @Test
  void headsAreAsWideAsTheirRows() throws Exception {
    for (String form : new String[] {"-x", "-w", "-p", "-wp"}) {
      String[] lines = lines("qstat", form).split("\n");
      assertEquals(
          lines[0].indexOf(" S Queue"), lines[1].indexOf(" - -"), "the state's column of " + form);
      assertEquals(lines[0].indexOf(" S Queue"), lines[2].indexOf(" R av"), form);
    }
    for (String form : new String[] {"-a", "-aw", "-T", "-Tw"}) {
      List<String> lines = lines("qstat", form).lines().toList();
      String titles = lines.get(lines.size() - 3);
      assertEquals(titles.length() + 1, lines.get(lines.size() - 1).length(), form);
      assertEquals(titles.indexOf(" S Time"), lines.get(lines.size() - 1).indexOf(" R "), form);
      assertEquals(titles.indexOf("Memory"), lines.get(lines.size() - 4).indexOf("Req'd"));
      assertEquals(form.contains("T"), lines.get(lines.size() - 5).endsWith("Est"), form);
    }
  }

  @Test
  void percentOfWhatWasAskedFor() throws Exception {
    running.setStartedMs(FakeSite.NOW_MS - 150_000);
    assertTrue(lines("qstat", "-p").contains("  % done  S"));
    assertTrue(last("qstat", "-p").contains("      25  R "), last("qstat", "-p"));
    running.getSpec().setResourceList(Jobs.attributes("cput", "00:10:00", "walltime", "01:00:00"));
    running.setUsed(new Usage(570L, 1L, 1L, 600L, 1, 0));
    assertTrue(last("qstat", "-p").contains("      95  R "), last("qstat", "-p"));
    running.setStatus(JobStatus.QUEUED);
    assertTrue(last("qstat", "-p").contains("     --  Q "), last("qstat", "-p"));
  }

  @Test
  void processorTimeComesBeforeWalltime() throws Exception {
    running.getSpec().setResourceList(Jobs.attributes("cput", "02:00:00", "walltime", "10:00:00"));
    assertTrue(last("qstat", "-a").endsWith("  --  02:00 R   -- \n"), last("qstat", "-a"));
    running.setUsed(new Usage(3660L, 1L, 1L, 7200L, 1, 0));
    assertTrue(last("qstat", "-a").endsWith("  --  02:00 R 01:01\n"), last("qstat", "-a"));
  }

  @Test
  void sizesInTheUnitAskedFor() throws Exception {
    running.getSpec().setResourceList(Jobs.attributes("mem", "20480mb"));
    assertTrue(last("qstat", "-a").contains("   20gb   --  R"), last("qstat", "-a"));
    assertTrue(last("qstat", "-M").contains(" 2560mw   --  R"), last("qstat", "-M"));
    running.getSpec().setResourceList(Jobs.attributes("mem", "1500mb"));
    assertTrue(last("qstat", "-G").contains("    2gb   --  R"), last("qstat", "-G"));
  }

  @Test
  void manyHostsTakeSeveralLines() throws Exception {
    String hosts =
        IntStream.range(10, 30)
            .mapToObj(i -> "n" + i + ".dom.ain/0*2")
            .collect(Collectors.joining("+"));
    String bare = hosts.replace(".dom.ain", "");
    running.setAllocation(new Allocation(List.of(), hosts, "(n10:ncpus=2)", null));
    List<String> lines = last("qstat", "-n").lines().skip(1).toList();
    assertEquals(3, lines.size());
    assertEquals(bare, lines.stream().map(String::strip).collect(Collectors.joining()));
    assertTrue(lines.stream().allMatch(it -> it.startsWith("   n") && it.length() <= 3 + 77));
    assertTrue(last("qstat", "-n1").endsWith(" R 00:00 " + bare + "\n"));
    running.setAllocation(new Allocation(List.of(), "10.0.0.1/0", "(n10:ncpus=2)", null));
    assertTrue(last("qstat", "-n1").endsWith(" 10.0.0.1/0\n"));
  }

  @Test
  void commentsAreCutToTheLine() throws Exception {
    for (int length : new int[] {74, 75, 114, 115}) {
      String comment = "c".repeat(length);
      running.setComment(comment);
      String narrow = length <= 74 ? comment : "c".repeat(70) + "...";
      String wide = length <= 114 ? comment : "c".repeat(110) + "...";
      assertTrue(last("qstat", "-s").endsWith("\n   " + narrow + "\n"));
      assertTrue(last("qstat", "-sw").endsWith("\n   " + wide + "\n"));
      assertTrue(last("qstat", "-s1").endsWith(" R 00:00    " + narrow + "\n"));
      assertTrue(last("qstat", "-ns1").endsWith(" R 00:00 vm/0\n   " + narrow + "\n"));
    }
  }

  @Test
  void expectedStartsInTheirOrder() throws Exception {
    waiting(1, 4, 2 * DAY_MS, ReasonCode.TOTAL_INSUFFICIENT);
    waiting(2, 5, 60_000, ReasonCode.RUN_LIMIT);
    waiting(3, 6, 60_000, ReasonCode.WOULD_DELAY);
    waiting(4, 7, -1_000, ReasonCode.TOTAL_INSUFFICIENT);
    waiting(5, 8, 30 * DAY_MS, ReasonCode.NODE_INSUFFICIENT);
    waiting(6, 9, 60 * DAY_MS, ReasonCode.NODE_INSUFFICIENT);
    waiting(7, 10, 3000 * DAY_MS, ReasonCode.NODE_INSUFFICIENT);
    String order =
        last("qstat", "-T")
            .lines()
            .map(it -> it.substring(0, it.indexOf('.')) + it.substring(it.lastIndexOf(' ', 77)))
            .collect(Collectors.joining(","));
    assertEquals(
        "123456789 --,2 15:37,1 15,5 Dec,6 2027,7 >5yrs,3 --,4 --", order.replace("  ", " "));
    assertTrue(last("qstat", "-T").contains(" Q Su 15\n"));
    assertTrue(lines("qstat", "-T", "2").endsWith(" Q 15:37\n"));
  }

  @Test
  void aStartIsEstimatedWhereItIsPromised() throws Exception {
    waiting(2, 5, 60_000, ReasonCode.TOTAL_INSUFFICIENT);
    site.reasons.values().forEach(it -> it.getReason().setSubject("ncpus"));
    assertTrue(!lines("qstat", "-f", "2").contains("estimated"));
    site.put(ObjectKind.SCHEDULER, "default", "policy", "easy");
    assertTrue(lines("qstat", "-f", "2").contains("    estimated.start_time = Fri Nov 20 15:37:"));
    assertTrue(
        lines("qstat", "-f", "-F", "json", "2")
            .contains("\"estimated\":\t{\n\t\t\t\t\"start_time\":\t\"Fri Nov 20 15:37:"));
  }

  @Test
  void theNodesOfAPromiseStandBesideItsStart() throws Exception {
    waiting(2, 5, 60_000, ReasonCode.TOTAL_INSUFFICIENT);
    waiting(3, 5, 60_000, ReasonCode.TOTAL_INSUFFICIENT);
    site.reasons.values().forEach(it -> it.getReason().setSubject("ncpus"));
    site.put(ObjectKind.SCHEDULER, "default", "policy", "easy");
    promise(RequestClass.PROMISES, "2,7", List.of());
    promise(RequestClass.promise(2), "", List.of(share("n1", 2), share("n2", 1)));
    promise(RequestClass.promise(3), "", List.of(share("n3", 1)));
    String promised = lines("qstat", "-f", "2");
    assertTrue(promised.contains("    estimated.exec_vnode = (n1:ncpus=2)+(n2:ncpus=1)\n"));
    assertTrue(promised.contains("    estimated.start_time = Fri Nov 20 15:38:"));
    assertTrue(!lines("qstat", "-f", "3").contains("exec_vnode"));
    site.reasons.get(RequestClass.promise(2)).getReason().setUntilMs(FakeSite.NOW_MS - 1);
    assertTrue(!lines("qstat", "-f", "2").contains("exec_vnode"));
  }

  private static NodeShare share(String node, long ncpus) {
    return new NodeShare(node, node, 1, Map.of("ncpus", ncpus));
  }

  private void promise(String key, String subject, List<NodeShare> shares) {
    ClassReason reason = new ClassReason();
    reason.setClassKey(key);
    reason.setCode("PROMISED");
    reason.setSubject(subject);
    reason.setUntilMs(FakeSite.NOW_MS + 120_000);
    reason.setShares(shares);
    site.reasons.put(key, new Reason("default", reason, null));
  }

  @Test
  void manyJobsAreAllListedOnceAndTheEarliestSorted() throws Exception {
    site.jobs.clear();
    long all = StartOrder.SORTED_MAX + 50;
    for (long number = 1; number <= all; number++) {
      Job job = Jobs.fromScript(number, JobStatus.RUNNING);
      job.setStartedMs(FakeSite.NOW_MS - number);
      site.jobs.put(number, job);
    }
    List<Long> listed =
        last("qstat", "-T")
            .lines()
            .map(it -> Long.parseLong(it.substring(0, it.indexOf('.'))))
            .toList();
    List<Long> expected = new ArrayList<>();
    LongStream.range(0, StartOrder.SORTED_MAX).forEach(i -> expected.add(all - i));
    LongStream.rangeClosed(1, 50).forEach(expected::add);
    assertEquals(expected, listed);
  }

  private void waiting(long number, int ncpus, long inMs, ReasonCode code) {
    Job job = Jobs.fromScript(number, JobStatus.QUEUED);
    job.getSpec().getRequest().setWalltimeS((long) ncpus);
    site.jobs.put(number, job);
    ClassReason reason = new ClassReason();
    reason.setClassKey(RequestClass.key(job.getSpec()));
    reason.setCode(code.name());
    reason.setUntilMs(FakeSite.NOW_MS + inMs);
    site.reasons.put(reason.getClassKey(), new Reason("default", reason, null));
  }

  @Test
  void limitsOfQueues() throws Exception {
    site.put(
        ObjectKind.QUEUE,
        "workq",
        "resources_max.mem",
        "20480mb",
        "resources_max.walltime",
        "24:00:00",
        "resources_max.nodect",
        "16",
        "max_running",
        "8",
        "enabled",
        "True");
    String row = "workq            %6s    --    24:00:00   16     0     0    8   E S\n";
    assertTrue(lines("qstat", "-q").contains(String.format(row, "20gb")), lines("qstat", "-q"));
    assertTrue(lines("qstat", "-qM").contains(String.format(row, "2560mw")));
  }

  @Test
  void runningJobsAndTheOthers() throws Exception {
    site.jobs.put(1L, Jobs.fromScript(1, JobStatus.QUEUED));
    site.jobs.put(2L, Jobs.fromScript(2, JobStatus.EXITING));
    assertEquals(1, last("qstat", "-r").lines().count());
    assertEquals(2, last("qstat", "-i").lines().count());
    assertEquals(3, last("qstat", "-t").lines().count());
    assertEquals(1, last("qstat", "-u", "nobody,somebodyelse12345").lines().count());
  }

  @Test
  void aUserOfAHostIsOneWhoseJobCameFromThere() throws Exception {
    running.getSpec().setOwner("ann");
    running.getSpec().setSubmitHost("login1.site");
    for (String users : List.of("ann", "ann@login1.site", "ann@*.site", "bob,ann@login1.site")) {
      assertEquals(1, last("qstat", "-u", users).lines().count(), users);
    }
    for (String users : List.of("ann@login2.site", "bob@login1.site", "ann@login2.site,bob")) {
      assertEquals("", lines("qstat", "-u", users), users);
    }
  }

  @Test
  void expressQueriesAreSortedAndNameJobs() throws Exception {
    site.jobs.put(7L, Jobs.fromScript(7, JobStatus.QUEUED));
    site.jobs.put(10L, Jobs.fromScript(10, JobStatus.QUEUED));
    List<String> lines = last("qstat", "-E", "10", "7.vm").lines().toList();
    assertTrue(lines.get(0).startsWith("7.vm") && lines.get(1).startsWith("10.vm"), "" + lines);
    assertEquals(3, last("qstat", "-E").lines().count());
    FakeInvocation refused = site.run("pbsu1", "qstat", "-E", "7", "workq");
    assertEquals("qstat: Express option can only be used with job ids\n", refused.errors());
    assertEquals(1, site.status);
  }

  @Test
  void aJobThatIsNamedIsShownWhateverIsAskedFor() throws Exception {
    site.jobs.put(7L, Jobs.fromScript(7, JobStatus.QUEUED));
    Job ended = Jobs.fromScript(8, JobStatus.FINISHED);
    site.jobs.put(8L, ended);
    assertTrue(last("qstat", "-r", "7").startsWith("7.vm "));
    assertTrue(last("qstat", "-H", "7").startsWith("7.vm "));
    assertTrue(last("qstat", "-u", "nobody", "7").startsWith("7.vm "));
    assertTrue(last("qstat", "-J", "7").startsWith("7.vm "));
    site.jobs.put(9L, Jobs.fromScript(9, JobStatus.RUNNING));
    assertTrue(last("qstat", "-i", "9").startsWith("9.vm "));
    assertTrue(lines("qstat", "-r", "7").startsWith("\nvm: \n"), "in the other table");
    assertTrue(last("qstat", "-i", "-x", "8").startsWith("8.vm "));
    String told = site.run("pbsu1", "qstat", "-a", "8").errors();
    assertTrue(told.startsWith("qstat: 8.vm Job has finished, use -x or -H "), told);
    assertEquals(
        1, last("qstat", "-r", "7", "@").lines().filter(it -> it.startsWith("7.")).count());
  }

  @Test
  void formsThatExcludeEachOther() throws Exception {
    for (String options :
        List.of(
            "-ai",
            "-rH",
            "-aq",
            "-GM",
            "-1",
            "-fq",
            "-F json",
            "-fF dsv -a",
            "-1a",
            "-nf -F dsv",
            "-aQ",
            "-a -B",
            "-QB",
            "-BQ",
            "-qQ",
            "-n1Q")) {
      FakeInvocation refused = refused(options);
      assertTrue(refused.errors().startsWith("qstat: conflicting options.\nusage:"), options);
    }
    assertTrue(
        refused("-fwF json")
            .errors()
            .startsWith("qstat: conflicting options.\nqstat: option w cannot be used with -F\n"));
    for (String options : List.of("-f -D x", "-fF json -D x", "-f -D x -F dsv", "-fF xml")) {
      assertTrue(refused(options).errors().startsWith("usage:"), options);
    }
    // What comes behind -Q or -B, or stands beside -w, is passed over.
    for (String options : List.of("-Qa", "-Q -u x", "-Qr", "-wQ", "-awQ")) {
      String[] words = ("qstat " + options).split(" ");
      assertEquals(lines("qstat", "-Q"), lines(words), options);
    }
    assertEquals(lines("qstat", "-B"), lines("qstat", "-Ba"));
    assertEquals(lines("qstat", "-Qf"), lines("qstat", "-Qaf"));
    for (String options : List.of("-Qq", "-Bq", "-qn", "-q -u x", "-qwQ", "-qns1T")) {
      String[] words = ("qstat " + options).split(" ");
      assertEquals(lines("qstat", "-q"), lines(words), options);
    }
    // What asks for the table wins over the full listing.
    assertTrue(lines("qstat", "-fa").startsWith("\nvm: \n"));
    assertTrue(lines("qstat", "-f", "-n").startsWith("\nvm: \n"));
    assertTrue(lines("qstat", "-nfw").startsWith("Job Id: "));
    assertTrue(lines("qstat", "-f", "-F", "DSV", "-D", ";").contains(";Job_Name=a-name"));
    assertTrue(lines("qstat", "-F", "default").startsWith("Job id "));
  }

  private FakeInvocation refused(String options) throws Exception {
    String[] words = ("qstat " + options).split(" ");
    FakeInvocation told = site.run("pbsu1", words);
    assertEquals(2, site.status, options + ": " + told.output());
    assertEquals("", told.output());
    return told;
  }
}
