package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A hundred real scripts of an ordinary user on two hosts, from {@code up} to the last file. */
@Order(3)
@Tag("night")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Networks
class ShellIT {

  private static final Duration HUNDRED_QSUBS = Duration.ofSeconds(180);
  private static final Duration ALL_JOBS = Duration.ofSeconds(150);
  private static final Duration REASON = Duration.ofSeconds(120);
  private static final String KILLED = "271";

  /**
   * JOB_EXEC_KILL_WALLTIME: exit status of a job over its walltime. (The recorded job 58 with 271
   * was deleted before its mom had checked the limit.)
   */
  private static final String OVER_WALLTIME = "-29";

  private Site site;
  private Hosts hosts;
  private Account user;
  private Path work;
  private final Map<String, String> ids = new LinkedHashMap<>();
  private Map<String, JsonNode> jobs;

  @BeforeAll
  void run() throws Exception {
    site = Site.prepare("shell");
    hosts = Hosts.apart(site.folder());
    hosts.connect("mr-one", "mr-two");
    site.up("--shards 2 " + hosts.upOptions()).must();
    for (String host : List.of("mr-one", "mr-two")) {
      site.run("qmgr -c 'create node " + host + "'").must();
      hosts.start(site, host, "ncpus=8,mem=8gb", site.folder().resolve("spool-" + host));
    }
    user = site.user("mrshell");
    work = site.folderOf(user, "work");
    submit();
    drive();
  }

  private void submit() throws IOException, InterruptedException {
    Path script = work.resolve("hundred");
    try (InputStream in = getClass().getResourceAsStream("/e2e/hundred.sh")) {
      Files.write(script, in.readAllBytes());
    }
    user.own(site.folder(), work);
    String line = "export LINES_FILE=$PWD/lines; bash ./hundred";
    String out = site.run(user, work, HUNDRED_QSUBS, line).must();
    for (String submitted : out.lines().toList()) {
      ids.put(submitted.split(" ")[0], submitted.split(" ")[1]);
    }
    assertEquals(100, ids.size());
    assertEquals(100, new HashSet<>(ids.values()).size(), "each job has an id of its own");
  }

  /** What happens to jobs while they wait and run. */
  private void drive() throws IOException, InterruptedException {
    site.awaitState(ids.get("deleted"), "R");
    as("qdel " + ids.get("deleted")).must();
    site.awaitState(ids.get("rerun"), "R");
    if (Account.superuser()) {
      Shell.Answer refused = as("qrerun " + ids.get("rerun"));
      assertEquals("qrerun: Unauthorized Request  " + ids.get("rerun") + "\n", refused.err());
      assertEquals(159, refused.status());
    }
    site.run("qrerun " + ids.get("rerun")).must();
    StringBuilder held = new StringBuilder("qrls");
    for (int i = 1; i <= 8; i++) {
      assertEquals("H", site.state(ids.get("held" + i)));
      held.append(' ').append(ids.get("held" + i));
    }
    as(held.toString()).must();
    Site.await(ALL_JOBS, "all jobs are finished", this::allFinished);
    jobs = site.jobs();
  }

  private boolean allFinished() throws IOException, InterruptedException {
    return site.run("qstat").must().isEmpty();
  }

  @AfterAll
  void end() throws Exception {
    try {
      if (hosts != null) {
        site.run("qdel $(qselect)");
        hosts.close();
      }
    } finally {
      site.close();
    }
  }

  private Shell.Answer as(String line) throws IOException, InterruptedException {
    return site.run(user, work, line);
  }

  private JsonNode job(String label) {
    return jobs.get(ids.get(label));
  }

  private static String used(JsonNode job, String resource) {
    return job.path("resources_used").path(resource).asText();
  }

  private static long seconds(String time) {
    String[] parts = time.split(":");
    return Long.parseLong(parts[0]) * 3600
        + Long.parseLong(parts[1]) * 60
        + Long.parseLong(parts[2]);
  }

  private String file(String name) throws IOException {
    return Files.readString(work.resolve(name));
  }

  private String number(String label) {
    return ids.get(label).substring(0, ids.get(label).indexOf('.'));
  }

  @Test
  void everyJobIsInTheHistoryOnceWithItsExitStatus() throws Exception {
    List<String> listed =
        as("qstat -xw").must().lines().skip(2).map(line -> line.split(" ")[0]).toList();
    assertEquals(List.copyOf(ids.values()), listed);
    Map<String, String> wrong = new TreeMap<>();
    ids.forEach(
        (label, id) -> {
          String status = jobs.get(id).path("Exit_status").asText();
          if (!status.equals(expected(label))
              || !jobs.get(id).path("job_state").asText().equals("F")) {
            wrong.put(label, status);
          }
        });
    assertEquals(Map.of(), wrong);
  }

  private static String expected(String label) {
    return switch (label) {
      case "failing", "paths", "directory", "joinoe", "joineo" -> "3";
      case "walltime" -> OVER_WALLTIME;
      case "deleted" -> KILLED;
      default -> "0";
    };
  }

  @Test
  void everyScriptRanOnce() throws Exception {
    Set<String> ran = new HashSet<>();
    for (String line : Files.readAllLines(work.resolve("lines"))) {
      assertTrue(line.endsWith(" 1"), line);
      assertTrue(ran.add(line), line + " twice");
    }
    assertEquals(86, ran.size());
    for (int i = 1; i <= 78; i++) {
      assertEquals("plain plain" + i + "\n", file("plain" + i + ".o" + number("plain" + i)));
    }
  }

  @Test
  void outputIsWhereItWasWantedAndBelongsToTheUser() throws Exception {
    assertEquals("to out\n", file("failing.o" + number("failing")));
    assertEquals("to err\n", file("failing.e" + number("failing")));
    assertEquals("to out\n", file("kept/stdout"));
    assertEquals("to err\n", file("kept/stderr"));
    assertEquals("to out\n", file("kept/" + ids.get("directory") + ".OU"));
    assertEquals("to err\n", file("kept/" + ids.get("directory") + ".ER"));
    assertEquals("to out\nto err\n", file("joinoe.o" + number("joinoe")));
    assertFalse(Files.exists(work.resolve("joinoe.e" + number("joinoe"))));
    assertEquals("to out\nto err\n", file("joineo.e" + number("joineo")));
    assertFalse(Files.exists(work.resolve("joineo.o" + number("joineo"))));
    for (Path file :
        List.of(work.resolve("kept/stdout"), work.resolve("plain1.o" + number("plain1")))) {
      assertEquals(user.name(), Files.getOwner(file).getName(), file.toString());
    }
  }

  @Test
  void theEnvironmentOfTheSubmissionArrives() throws Exception {
    String rest = " " + work + " %s workq " + user.name() + "\n" + user.home() + "\n";
    assertEquals("COLOUR=green SIZE=1" + rest.formatted("v"), file("v.o" + number("v")));
    assertEquals("COLOUR=green SIZE=9" + rest.formatted("V"), file("V.o" + number("V")));
  }

  @Test
  void scriptDirectivesStandardInputAndCommand() throws Exception {
    assertEquals("cpus 2\nlate\n", file("directed.o" + number("directives")));
    assertEquals("account7", job("directives").path("Account_Name").asText());
    assertEquals("00:05:00", job("directives").path("Resource_List").path("walltime").asText());
    assertEquals("from standard input\n", file("stdin.o" + number("stdin")));
    assertEquals("two $HOME words here\n", file("command.o" + number("command")));
  }

  @Test
  void twoChunksAreOnTwoHosts() throws Exception {
    assertEquals("mr-one\nmr-two\nnode 0 of 2\n", file("chunks.o" + number("chunks")));
    String vnode = job("chunks").path("exec_vnode").asText();
    assertEquals(Set.of("(mr-one:ncpus=1)", "(mr-two:ncpus=1)"), Set.of(vnode.split("\\+")), vnode);
    assertEquals("2", job("chunks").path("Resource_List").path("nodect").asText());
  }

  @Test
  void aRerunJobRanTwiceAndEndedOnce() throws Exception {
    assertEquals("2", job("rerun").path("run_count").asText());
    assertEquals("run 2\n", file("rerun.o" + number("rerun")));
    String story = as("tracejob " + ids.get("rerun")).must();
    assertEquals(2, count(story, "Job Run at request of"), story);
    assertEquals(1, count(story, "exit status 0"), story);
  }

  private static int count(String text, String word) {
    return text.split(word, -1).length - 1;
  }

  @Test
  void overWalltimeAndDeletedJobsAreEndedEarlyAndSaidSo() throws Exception {
    long walltime = seconds(used(job("walltime"), "walltime"));
    assertTrue(walltime >= 1 && walltime < 300, "walltime " + walltime);
    assertTrue(
        file("walltime.e" + number("walltime")).contains("walltime"),
        file("walltime.e" + number("walltime")));
    assertTrue(seconds(used(job("deleted"), "walltime")) < 300);
    String story = as("tracejob " + ids.get("deleted")).must();
    assertTrue(story.contains("exit status 271"), story);
    assertTrue(story.contains("to be deleted at request of " + user.name()), story);
  }

  @Test
  void everyRunHasItsResourcesUsed() {
    for (String label : ids.keySet()) {
      JsonNode used = job(label).path("resources_used");
      assertTrue(used.path("walltime").asText().matches("\\d\\d:\\d\\d:\\d\\d"), label + used);
      assertTrue(used.path("cput").asText().matches("\\d\\d:\\d\\d:\\d\\d"), label + used);
      assertTrue(used.path("mem").asText().matches("\\d+kb"), label + used);
    }
    assertEquals("2", used(job("chunks"), "ncpus"));
  }

  @Test
  void whyNamesWhatAJobWaitsFor() throws Exception {
    String big = as("qsub -N big -l ncpus=64 -- /bin/true").must().strip();
    String wide = as("qsub -N wide -l ncpus=12 -- /bin/true").must().strip();
    String held = as("qsub -N stays -h -- /bin/true").must().strip();
    Site.await(REASON, "a reason for " + big, () -> said(big).contains("NEVER_FITS"));
    assertTrue(said(big).contains("it needs ncpus 64"), said(big));
    assertTrue(said(big).contains("no more than ncpus 16"), said(big));
    Site.await(REASON, "a reason for " + wide, () -> said(wide).contains("NEVER"));
    assertTrue(said(wide).contains("12"), said(wide));
    assertTrue(said(wide).contains("8"), said(wide));
    assertTrue(said(held).contains("held"), said(held));
    String full = as("qstat -f " + big).must();
    assertTrue(full.contains("comment = Can Never Run"), full);
    as("qdel " + big + " " + wide + " " + held).must();
    aQueueWithANodeAndDefaultsOfItsOwn();
  }

  /** A node is bound to one queue, and later to none again. */
  private void aQueueWithANodeAndDefaultsOfItsOwn() throws Exception {
    site.run("qmgr -c 'create queue few queue_type=e,enabled=t,started=t'").must();
    site.run("qmgr -c 'set node mr-two queue=few'").must();
    site.run("qmgr -c 'set queue few default_chunk.mem=100mb'").must();
    assertTrue(as("qstat -Qf few").must().contains("hasnodes = True"));
    String two = as("qsub -q few -l select=2 -l place=scatter -- /bin/true").must().strip();
    Site.await(REASON, "a reason for " + two, () -> said(two).contains("PLACE_NEVER"));
    assertEquals("200mb", site.job(two).path("Resource_List").path("mem").asText());
    String one = as("qsub -q few -- /bin/true").must().strip();
    site.awaitState(one, "F");
    assertEquals("(mr-two:ncpus=1:mem=102400kb)", site.job(one).path("exec_vnode").asText());
    site.run("qmgr -c 'unset node mr-two queue'").must();
    site.awaitState(two, "F");
    site.run("qmgr -c 'set queue few resources_available.ncpus=1'").must();
    String more = as("qsub -q few -l ncpus=2 -- /bin/true").must().strip();
    String limit = "resources_available.ncpus [o:PBS_ALL=1] of queue few";
    Site.await(REASON, "a reason for " + more, () -> said(more).contains(limit));
    as("qdel " + more).must();
  }

  private String said(String id) throws IOException, InterruptedException {
    return as("why " + id).must();
  }
}
