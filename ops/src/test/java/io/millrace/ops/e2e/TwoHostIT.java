package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.ops.home.ClientSettings;
import io.millrace.schemas.hostkey.HostKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** Jobs with tasks on two hosts. What happened is read from files that the tasks wrote. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Networks
@Order(3)
class TwoHostIT {
  private static final Duration SOON = Duration.ofSeconds(180);
  private static final List<String> HOSTS = List.of("mh-one", "mh-two");
  private static final int CALLS = 30;

  private Site site;
  private Hosts hosts;
  private Account user;
  private Capture capture;
  private HostTrial trial;

  @BeforeAll
  void up() throws Exception {
    site = Site.prepare("twohost");
    hosts = Hosts.apart(site.folder());
    hosts.connect(HOSTS.toArray(String[]::new));
    site.up("--no-keeper --shards 2 " + hosts.upOptions()).must();
    capture = hosts.capture(HOSTS.get(0));
    trial = new HostTrial(site, hosts);
    for (String host : HOSTS) {
      site.run("qmgr -c 'create node " + host + "'").must();
      start(host);
    }
    user = site.user("mrtwohost");
  }

  private void start(String host) throws Exception {
    hosts.start(site, host, "ncpus=8,mem=8gb", site.folder().resolve("spool-" + host));
  }

  @AfterAll
  void down() throws Exception {
    try {
      if (capture != null) {
        capture.close();
      }
      if (hosts != null) {
        hosts.close();
      }
    } finally {
      site.close();
    }
  }

  /** A job with one cpu on each host; its script is in a folder of its own. */
  private final class Case {
    private final Path work;
    private final String id;

    Case(String name, String options, String script) throws Exception {
      work = site.folderOf(user, name);
      Path file = Files.writeString(work.resolve("script"), "cd $PBS_O_WORKDIR\n" + script);
      user.own(site.folder(), file);
      id =
          site.run(
                  user,
                  work,
                  "qsub -N "
                      + name
                      + " -v PATH,MILLRACE_CLIENT_TIMEOUT_S=300 -l select=2:ncpus=1"
                      + " -l place=scatter "
                      + options
                      + " script")
              .must()
              .strip();
    }

    JsonNode ended() throws Exception {
      Site.await(SOON, id + " is over; see " + work, () -> state().equals("F"));
      return site.job(id);
    }

    private String state() throws IOException, InterruptedException {
      return site.state(id);
    }

    /** Processor time shown by qstat; 0 while it shows none. */
    long cputS() throws IOException, InterruptedException {
      String cput = site.job(id).path("resources_used").path("cput").asText();
      return cput.isEmpty() ? 0 : seconds(cput);
    }

    List<String> lines(String file) throws IOException {
      Path path = work.resolve(file);
      return Files.exists(path) ? Files.readAllLines(path) : List.of();
    }

    void awaitLines(String file, int count) throws InterruptedException {
      Site.await(SOON, count + " lines in " + file + " of " + work, () -> count(file) >= count);
    }

    private int count(String file) throws IOException {
      return lines(file).size();
    }

    String output(String letter) throws IOException {
      String number = id.substring(0, id.indexOf('.'));
      return Files.readString(work.resolve(work.getFileName() + "." + letter + number));
    }

    /** Checks that no process whose number is in the file is alive. */
    void nobodyLives(String file) throws IOException {
      for (String pid : lines(file)) {
        assertFalse(Files.exists(Path.of("/proc/" + pid)), "process " + pid + " of " + id);
      }
    }
  }

  /** Since the executor's login: what the host and the broker say to each other. */
  @Test
  @Order(0)
  void nothingIsReadOnTheNetwork() throws Exception {
    Assumptions.assumeTrue(capture != null, "TwoHostIT: SKIPPED: no network namespaces");
    Case job =
        new Case("captured", "-v WORD=capturedvariable", "echo capturedscript >done; exit 3\n");
    assertEquals(3, job.ended().path("Exit_status").asInt());
    assertEquals(List.of("capturedscript"), job.lines("done"));
    assertTrue(capture.bytes() > 10_000, capture.bytes() + " bytes");
    Path settings = site.home().hostClient(HOSTS.get(0));
    String password = ClientSettings.password(settings);
    String key = ClientSettings.read(settings).get(HostKey.PROPERTY).toString();
    for (String word : List.of("capturedvariable", "capturedscript", password, key, "n=executor")) {
      assertFalse(capture.has(word), word);
    }
  }

  /** Somebody has all of one host, and tries what he can with the run of another. */
  @Test
  @Order(1)
  void aHostSpeaksForItselfAndReadsItsOwnOrders() throws Exception {
    Case job =
        new Case(
            "attacked",
            "-v WORD=attackedvariable",
            "echo attackedscript; touch begun; until [ -e go ]; do sleep 0.1; done; exit 3\n");
    Site.await(SOON, "it runs", () -> Files.exists(job.work.resolve("begun")));
    String first = site.job(job.id).path("exec_host").asText().replaceFirst("/.*", "");
    String second = HOSTS.get(0).equals(first) ? HOSTS.get(1) : HOSTS.get(0);
    trial.attack(second, first, job.id, List.of("attackedvariable", "attackedscript"));
    assertEquals("R", site.state(job.id));
    Files.createFile(job.work.resolve("go"));
    assertEquals(3, job.ended().path("Exit_status").asInt());
    assertEquals(1, site.job(job.id).path("run_count").asInt());
  }

  @Test
  @Order(2)
  void aProgramRunsOnEachHost() throws Exception {
    Case job =
        new Case(
            "each",
            "",
            """
            cat $PBS_NODEFILE >nodes
            pbsdsh -- sh -c "echo \\$PBS_NODENUM \\$PBS_NODEFILE \\$PBS_JOBID >>$PWD/places
              echo out \\$PBS_NODENUM; echo err \\$PBS_NODENUM >&2"
            pbsdsh -n 1 sh -c 'exit 5'
            echo "status $?" >>statuses
            pbsdsh -h mh-two sh -c 'kill -USR1 $$'
            echo "status $?" >>statuses
            pbsdsh -n 1 sh -c 'while read -r _ _ _ _ _ _ _ _ _ _ _ _ _ used _ </proc/$$/stat
              [ $used -lt 150 ]; do :; done'
            pbsdsh -n 1 sh -c 'exec /no/such/program'
            pbsdsh -n 1 /no/such/program
            echo "status $?" >>statuses
            """);
    JsonNode shown = job.ended();
    assertEquals(0, shown.path("Exit_status").asInt());
    assertEquals(HOSTS, job.lines("nodes"));
    List<String> places = new ArrayList<>(new TreeSet<>(job.lines("places")));
    assertEquals(2, places.size(), places.toString());
    for (int i = 0; i < 2; i++) {
      assertTrue(places.get(i).startsWith(i + " "), places.toString());
      assertTrue(places.get(i).contains("/spool-" + HOSTS.get(i) + "/"), places.toString());
      assertTrue(places.get(i).endsWith(" " + job.id), places.toString());
    }
    assertEquals(List.of("status 5", "status 138", "status 254"), job.lines("statuses"));
    String out = job.output("o");
    assertTrue(out.startsWith("out 0\nout 1\npbsdsh: task 0x00000000 exit status 5\n"), out);
    String err = job.output("e");
    assertTrue(err.startsWith("err 0\nerr 1\n"), err);
    assertTrue(err.contains("cannot execute /no/such/program"), err);
    String cput = shown.path("resources_used").path("cput").asText();
    assertFalse(cput.equals("00:00:00"), "the processor time of the other host counts: " + cput);
  }

  @Test
  @Order(3)
  @Tag("night")
  void tasksSurviveTheDeathOfServerAndHostsAndAreNotStartedAgain() throws Exception {
    Case job =
        new Case(
            "killed",
            "",
            """
            pbsdsh -- sh -c "echo begin \\$PBS_NODENUM >>$PWD/begun
              until [ -e $PWD/go ]; do sleep 0.05; done
              echo end \\$PBS_NODENUM >>$PWD/done; echo told \\$PBS_NODENUM; exit 3"
            echo "status $?" >>statuses
            """);
    job.awaitLines("begun", 2);
    site.kill("server");
    Site.kill(HOSTS.stream().map(hosts::process).toList());
    site.up(hosts.upOptions()).must();
    for (String host : HOSTS) {
      start(host);
    }
    Polling.stays(
        Duration.ofSeconds(2), "no task begins again", () -> job.lines("begun").size() == 2);
    Files.createFile(job.work.resolve("go"));
    job.ended();
    assertEquals(List.of("begin 0", "begin 1"), job.lines("begun").stream().sorted().toList());
    assertEquals(List.of("end 0", "end 1"), job.lines("done").stream().sorted().toList());
    assertEquals(List.of("status 3"), job.lines("statuses"));
    assertTrue(job.output("o").startsWith("told 0\n"), job.output("o"));
    assertEquals(1, site.job(job.id).path("run_count").asInt());
  }

  @Test
  @Order(4)
  void nothingOfAJobStaysWhenItEnds() throws Exception {
    String stubborn =
        "pbsdsh -o -- sh -c \"trap '' TERM HUP; echo \\$\\$ >>$PWD/pids; while :; do sleep 0.1;"
            + " done\"\nuntil [ -e pids ] && [ $(wc -l <pids) = 2 ]; do sleep 0.05; done\n";
    Case script = new Case("script", "", stubborn + "exit 4");
    assertEquals(4, script.ended().path("Exit_status").asInt());
    assertEquals(2, script.lines("pids").size());
    script.nobodyLives("pids");

    // Its limit is lowered once both tasks run, so that it ends no sooner.
    Case limit = new Case("limit", "-l walltime=1:00:00", stubborn + "sleep 600");
    limit.awaitLines("pids", 2);
    site.run(user, limit.work, "qalter -l walltime=1 " + limit.id).must();
    assertEquals(-29, limit.ended().path("Exit_status").asInt());
    assertEquals(2, limit.lines("pids").size());
    limit.nobodyLives("pids");

    Case deleted = new Case("deleted", "", stubborn + "touch ready; sleep 600");
    Site.await(SOON, "both run", () -> Files.exists(deleted.work.resolve("ready")));
    site.run(user, deleted.work, "qdel " + deleted.id).must();
    assertEquals(271, deleted.ended().path("Exit_status").asInt());
    deleted.nobodyLives("pids");
  }

  @Test
  @Order(5)
  void signalsReachEachHost() throws Exception {
    Case job =
        new Case(
            "signal",
            "",
            """
            trap : USR1
            # Ended by the signal, pbsdsh would end the job before its tasks have written.
            (trap '' USR1
            exec pbsdsh -- sh -c "trap 'echo heard \\$PBS_NODENUM >>$PWD/heard; exit 0' USR1
              echo \\$PBS_NODENUM >>$PWD/begun; while :; do sleep 0.05; done")
            echo "status $?" >>statuses
            """);
    job.awaitLines("begun", 2);
    Polling.stays(Duration.ofMillis(500), "both run", () -> job.lines("begun").size() == 2);
    site.run(user, job.work, "qsig -s USR1 " + job.id).must();
    job.awaitLines("heard", 2);
    job.ended();
    assertEquals(List.of("heard 0", "heard 1"), job.lines("heard").stream().sorted().toList());
  }

  @Test
  @Order(6)
  void onlyAJobHasHosts() throws Exception {
    Path work = site.folderOf(user, "outside");
    Shell.Answer outside = site.run(user, work, "pbsdsh hostname");
    assertEquals("pbsdsh: not executing under PBS\n", outside.err());
    assertEquals(1, outside.status());
    Case job = new Case("mine", "", "touch ready; until [ -e go ]; do sleep 0.05; done");
    Site.await(SOON, "it runs", () -> Files.exists(job.work.resolve("ready")));
    String claim =
        "PBS_ENVIRONMENT=PBS_BATCH PBS_JOBID=%s MILLRACE_RUN=1 PBS_NODEFILE=%s pbsdsh true"
            .formatted(job.id, Files.writeString(work.resolve("nodes"), "mh-one\n"));
    if (Account.superuser()) {
      Shell.Answer stranger = site.run(site.user("mrtwohost2"), site.folder(), claim);
      assertEquals("pbsdsh: spawn failed on node 0 err Unauthorized Request \n", stranger.err());
    }
    site.run(user, job.work, claim).must();
    Shell.Answer wrongRun = site.run(user, job.work, claim.replace("RUN=1", "RUN=2"));
    assertEquals(
        "pbsdsh: spawn failed on node 0 err Request invalid for state of job\n", wrongRun.err());
    Files.createFile(job.work.resolve("go"));
    job.ended();
    site.run(user, job.work, claim + "; [ $? = 1 ]").must();
  }

  @Test
  @Tag("night") // it measures
  @Order(7)
  void aTaskTakesSoLong() throws Exception {
    Case job =
        new Case(
            "times",
            "",
            """
            for i in $(seq %d); do
              begin=$(date +%%s%%N)
              pbsdsh -n 1 true
              echo $((($(date +%%s%%N) - begin) / 1000)) >>micros
            done
            """
                .formatted(CALLS));
    job.ended();
    List<Integer> micros = job.lines("micros").stream().map(Integer::valueOf).sorted().toList();
    assertEquals(CALLS, micros.size());
    System.out.printf(
        "e2e: %d calls of pbsdsh -n 1 true: median %.1f ms, longest %.1f ms%n",
        CALLS, micros.get(CALLS / 2) / 1000.0, micros.get(CALLS - 1) / 1000.0);
  }

  /**
   * The script only waits, so what is shown is used by the task on the other host and comes with
   * heartbeats.
   */
  @Test
  @Tag("night")
  @Order(8)
  void aJobThatRunsShowsWhatItHasUsedOnAllItsHosts() throws Exception {
    Case job = new Case("burns", "", "pbsdsh -n 1 sh -c 'while :; do :; done'");
    Site.await(SOON, "processor time of " + job.id, () -> job.cputS() >= 1);
    long first = job.cputS();
    Site.await(SOON, "more of it than " + first, () -> job.cputS() > first);
    JsonNode shown = site.job(job.id);
    assertEquals("R", shown.path("job_state").asText());
    JsonNode used = shown.path("resources_used");
    assertEquals(2, used.path("ncpus").asInt());
    assertTrue(used.path("mem").asText().matches("[1-9]\\d*kb"), used.toString());
    assertTrue(seconds(used.path("walltime").asText()) > 0, used.toString());
    String listed = site.run("qstat -f " + job.id).must();
    assertTrue(listed.contains("    resources_used.cput = 00:0"), listed);
    String separated = site.run("qstat -f -F dsv " + job.id).must();
    assertTrue(separated.contains("|resources_used.cput=00:0"), separated);
    String row = site.run("qstat " + job.id).must();
    assertTrue(row.matches("(?s).*burns .* 00:0\\d:\\d\\d R workq.*"), row);
    site.run(user, job.work, "qdel " + job.id).must();
    JsonNode after = job.ended().path("resources_used");
    assertTrue(seconds(after.path("cput").asText()) > first, after.toString());
  }

  @Test
  @Tag("night")
  @Order(9)
  void theProcessorTimeOfAllHostsIsBoundedTogether() throws Exception {
    Case job =
        new Case("bounded", "-l cput=3", "pbsdsh -n 1 sh -c 'while :; do :; done'\nsleep 600");
    assertEquals(-28, job.ended().path("Exit_status").asInt());
    String err = job.output("e");
    assertTrue(err.matches("(?s).*=>> PBS: job killed: cput \\d+ exceeded limit 3\n.*"), err);
  }

  @Test
  @Tag("night")
  @Order(10)
  void whoWasRevokedIsNotHeardAndWhoIsAddedAgainIs() throws Exception {
    String host = HOSTS.get(1);
    site.run("qmgr -c 'set server max_unheard = 20'").must();
    trial.revoke(host, HOSTS.get(0));
    hosts.process(host).destroyForcibly();
    site.launcher("keys", "host add " + host).must();
    start(host);
    Site.await(SOON, "it serves again", () -> trial.nodeState(host).equals("free"));
    Case job = new Case("after", "", "pbsdsh -- sh -c 'echo $PBS_NODENUM >>lines'");
    assertEquals(0, job.ended().path("Exit_status").asInt());
    site.run("qmgr -c 'unset server max_unheard'").must();
  }

  private static long seconds(String duration) {
    String[] parts = duration.split(":");
    return Long.parseLong(parts[0]) * 3600
        + Long.parseLong(parts[1]) * 60
        + Long.parseLong(parts[2]);
  }
}
