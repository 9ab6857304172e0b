package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.schemas.fact.RunFinished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Everything that {@code up} started is killed while jobs run on. */
@Order(3)
@Beside
class SurvivalIT {

  private static final int JOBS = 4;
  private static final Duration PATIENCE = Duration.ofSeconds(180);

  @Test
  void jobsGoOnAndAreReportedOnce() throws Exception {
    try (Site site = Site.prepare("survival")) {
      run(site, site.user("mrsurvive"));
    }
  }

  private static void run(Site site, Account user) throws Exception {
    site.up("--no-keeper --shards 2 --resources ncpus=8").must();
    Path work = site.folderOf(user, "work");
    Map<String, Integer> expected = new TreeMap<>();
    String early = submit(site, user, work, "early", 0);
    expected.put(early, 40);
    for (int i = 1; i < JOBS; i++) {
      expected.put(submit(site, user, work, "late" + i, i), 40 + i);
    }
    for (String id : expected.keySet()) {
      Path begun = work.resolve("begin-" + id);
      Site.await(Duration.ofSeconds(60), id + " runs", () -> Files.exists(begun));
    }

    Map<String, ProcessHandle> parts = site.processes();
    assertEquals(Set.of("broker", "server", "gateway", "accounting", "executor"), parts.keySet());
    Site.kill(parts.values());
    assertEquals(Map.of(), site.processes());

    // One job ends while no executor runs.
    Files.createFile(work.resolve("go-early"));
    Site.await(PATIENCE, early + " ended", () -> Files.exists(work.resolve("end-" + early)));
    long ended = process(work, early);
    Site.await(
        PATIENCE,
        early + " is gone",
        () -> ProcessHandle.of(ended).map(Machine::gone).orElse(true));
    for (String id : expected.keySet()) {
      if (!id.equals(early)) {
        assertTrue(ProcessHandle.of(process(work, id)).isPresent(), id + " lives");
      }
    }

    site.up("--keeper").must();
    assertEquals(1, unpacked(site), "what the dead server had unpacked is gone");
    Files.createFile(work.resolve("go-late1"));
    Files.createFile(work.resolve("go-late2"));
    Files.createFile(work.resolve("go-late3"));
    for (String id : expected.keySet()) {
      site.awaitState(id, "F");
    }
    Map<String, JsonNode> jobs = site.jobs();
    for (Map.Entry<String, Integer> job : expected.entrySet()) {
      JsonNode found = jobs.get(job.getKey());
      assertEquals(job.getValue(), found.path("Exit_status").asInt(), found.toString());
      assertEquals(1, found.path("run_count").asInt(), found.toString());
      assertEquals("1\n", Files.readString(work.resolve("end-" + job.getKey())));
    }
    assertEquals(JOBS, Files.readAllLines(work.resolve("lines")).size());
    oneEndEach(site, expected.keySet());
    accountsAgree(site, expected);
    areKept(site);
  }

  /**
   * From the second up on parts that die are started again, without a third one. Here the one that
   * starts soonest and the keeper itself; each one, and often, in {@link KeeperIT}.
   */
  private static void areKept(Site site) throws Exception {
    Map<String, ProcessHandle> before = site.processes();
    assertTrue(before.containsKey("keeper"), before.toString());
    before.keySet().retainAll(Set.of("gateway", "keeper"));
    for (Map.Entry<String, ProcessHandle> part : before.entrySet()) {
      Site.kill(List.of(part.getValue()));
      Site.await(PATIENCE, part.getKey() + " is back", () -> isAnother(site, part));
    }
    Site.await(PATIENCE, "all serve", () -> serves(site));
    site.qmgr("set server comment = kept");
  }

  private static boolean isAnother(Site site, Map.Entry<String, ProcessHandle> part)
      throws IOException {
    ProcessHandle now = site.processes().get(part.getKey());
    return now != null && !now.equals(part.getValue()) && !Machine.gone(now);
  }

  private static boolean serves(Site site) throws IOException, InterruptedException {
    // The launcher takes a second of processor time, and is asked when the gateway answers.
    return site.run("qstat -B").status() == 0 && site.launcher("status", "").status() == 0;
  }

  /** Process id that a job wrote when it began. */
  private static long process(Path work, String id) throws IOException {
    return Long.parseLong(Files.readString(work.resolve("begin-" + id)).strip());
  }

  /** Checks that each job was queued, started and ended once in the accounting files. */
  private static void accountsAgree(Site site, Map<String, Integer> expected) throws Exception {
    Path live = site.home().accounting();
    Site.await(PATIENCE, "the last end is told", () -> ends(live) == expected.size());
    Path again = site.folder().resolve("accounts");
    site.launcher("accounting", "--into " + again).must();
    assertEquals(sorted(again), sorted(live));
    for (Map.Entry<String, Integer> job : expected.entrySet()) {
      List<String> its =
          sorted(live).stream().filter(line -> line.contains(";" + job.getKey() + ";")).toList();
      assertEquals(
          List.of("E", "Q", "S"), its.stream().map(it -> it.split(";")[1]).sorted().toList());
      assertTrue(
          its.stream().anyMatch(it -> it.contains(" Exit_status=" + job.getValue() + " ")),
          its.toString());
    }
  }

  private static long ends(Path folder) throws IOException {
    return sorted(folder).stream()
        .map(line -> line.split(";"))
        // The last line may still be being written.
        .filter(part -> part.length > 3 && part[1].equals("E"))
        .count();
  }

  private static List<String> sorted(Path folder) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    lines.sort(null);
    return lines;
  }

  /** Number of RocksDB libraries in the folder where the server unpacks them. */
  private static long unpacked(Site site) throws Exception {
    try (Stream<Path> files = Files.list(site.home().temporary("server"))) {
      return files.filter(file -> file.getFileName().toString().contains("rocksdb")).count();
    }
  }

  private static String submit(Site site, Account user, Path work, String name, int number)
      throws Exception {
    String script =
        String.join(
            "\n",
            "cd $PBS_O_WORKDIR",
            "echo $$ >b-$PBS_JOBID; mv b-$PBS_JOBID begin-$PBS_JOBID",
            "echo $PBS_JOBID >>lines",
            "n=0; while [ ! -e go-"
                + name
                + " ] && [ $n -lt 9000 ]; do n=$((n+1)); sleep 0.1; done",
            "echo $MILLRACE_RUN >e-$PBS_JOBID; mv e-$PBS_JOBID end-$PBS_JOBID",
            "exit " + (40 + number));
    Path file = Files.writeString(work.resolve(name + ".sh"), script + "\n");
    user.own(site.folder(), file);
    return site.run(user, work, "umask 022; qsub -N " + name + " " + file).must().strip();
  }

  private static void oneEndEach(Site site, Set<String> ids) throws Exception {
    Map<String, Integer> ends = new TreeMap<>();
    for (Object fact : TopicContents.read(site.client(KafkaPrincipal.MONITOR), "ledger")) {
      if (fact instanceof RunFinished end) {
        ends.merge(end.getJobId().toString(), 1, Integer::sum);
      }
    }
    for (String id : ids) {
      assertEquals(1, ends.get(id), id + " in " + ends);
    }
    assertTrue(List.copyOf(ends.keySet()).size() >= ids.size(), ends.toString());
  }
}
