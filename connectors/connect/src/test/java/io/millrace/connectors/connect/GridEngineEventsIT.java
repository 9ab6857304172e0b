package io.millrace.connectors.connect;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.command.ProcessRunner;
import io.millrace.connectors.bridge.run.SteadyClock;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.forward.observe.ClusterLook;
import io.millrace.connectors.forward.observe.ClusterPicture;
import io.millrace.connectors.forward.observe.Shown;
import io.millrace.connectors.gridengine.SgeKind;
import io.millrace.connectors.testkit.PeerAdministrator;
import io.millrace.connectors.testkit.PeerScript;
import io.millrace.schemas.output.ObservedJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * How late begins and ends of jobs in a real Grid Engine are in what is shown of it: by its
 * reporting file, by qevent, and by questions alone, beside each other.
 */
@Tag("night")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GridEngineEventsIT {

  private static final String ROOT = "/var/lib/gridengine";
  private static final String REPORTING = "reporting = " + ROOT + "/default/common/reporting";
  private static final String EVENTS = "events = /usr/lib/gridengine/qevent";
  private static final int JOBS = 12;
  private static final Duration PATIENCE = Duration.ofMinutes(6);

  private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(3);
  private PeerScript script;
  private Path folder;

  @BeforeAll
  void up() throws Exception {
    assumeTrue(System.getProperty("user.name").equals("root"), "only root can start it");
    script = PeerScript.of("gridengine.sh", Map.of());
    OutsideAnswer up = script.call("up");
    assumeTrue(up.status() != PeerScript.ABSENT, up::trouble);
    assertTrue(up.isGood(), up::trouble);
    folder = Files.createTempDirectory("millrace-events");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
  }

  @AfterAll
  void down() throws Exception {
    threads.shutdownNow();
    if (script != null) {
      script.call("down");
    }
  }

  private ClusterFile file(String name, List<String> more) throws Exception {
    List<String> lines =
        new ArrayList<>(
            List.of(
                "name = " + name, "system = gridengine", "mode = observe", "sge_root = " + ROOT));
    lines.addAll(more);
    return ClusterFile.read(
        Files.write(folder.resolve(name + ".properties"), lines), List.of(new SgeKind()));
  }

  private static String command(String... words) throws InterruptedException {
    OutsideAnswer answer =
        new ProcessRunner()
            .run(
                new OutsideCommand(
                    List.of(words),
                    new byte[0],
                    PeerAdministrator.GRID_ENGINE.environment(),
                    Duration.ofSeconds(60),
                    1 << 20));
    assertTrue(answer.isGood(), answer::toString);
    return answer.out();
  }

  /** One who looks, each second, and when he was shown what. */
  private final class Observer {
    final Map<String, Long> seen = new TreeMap<>();
    private final ProcessRunner runner = new ProcessRunner();
    private final ClusterLook look;

    Observer(String name, List<String> more) throws Exception {
      OutsideSystem system = new SgeKind().open(file(name, more), runner);
      ClusterPicture picture = new ClusterPicture(name, "gridengine", true);
      look = new ClusterLook(name, system, picture, "", new SteadyClock());
      threads.scheduleWithFixedDelay(this::look, 0, 1, TimeUnit.SECONDS);
    }

    private void look() {
      try {
        for (Shown each : look.look().shown()) {
          if (each.record().orElse(null) instanceof ObservedJob job) {
            see(job.getId() + " " + job.getState());
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    /** An end is shown as such before it is known how it ended. */
    private synchronized void see(String what) {
      seen.putIfAbsent(what.replaceFirst("[EF]$", "end"), System.currentTimeMillis());
    }

    synchronized boolean has(String what) {
      return seen.containsKey(what);
    }

    synchronized long at(String what) {
      return seen.get(what);
    }
  }

  /** Numbers of jobs each of which writes when it begins and ends. */
  private List<Long> jobs(String name) throws Exception {
    Path job =
        Files.writeString(
            folder.resolve("job-" + name),
            "#!/bin/bash\ndate +%%s%%3N > %1$s/%2$s-$JOB_ID-R\nsleep 20\ndate +%%s%%3N > %1$s/%2$s-$JOB_ID-end\n"
                .formatted(folder, name));
    List<Long> numbers = new ArrayList<>();
    for (int i = 0; i < JOBS; i++) {
      String said =
          command(
              "/usr/sbin/runuser",
              "-u",
              "mralice",
              "--",
              "/usr/bin/qsub",
              "-terse",
              "-o",
              "/dev/null",
              "-e",
              "/dev/null",
              "-wd",
              "/",
              job.toString());
      numbers.add(Long.parseLong(said.strip()));
      String begun = name + "-" + numbers.get(i) + "-R";
      await().atMost(PATIENCE).until(() -> Files.exists(folder.resolve(begun)));
    }
    return numbers;
  }

  /** Half of them were shown so soon, nine tenths so soon, and all; in milliseconds. */
  private String late(String name, Observer by, List<Long> jobs, String state) throws Exception {
    List<Long> late = new ArrayList<>();
    for (long job : jobs) {
      String was = Files.readString(folder.resolve(name + "-" + job + "-" + state)).strip();
      if (by.has(job + " " + state)) {
        late.add(by.at(job + " " + state) - Long.parseLong(was));
      }
    }
    late.sort(null);
    int shown = late.size();
    return shown == 0
        ? "none shown"
        : "%d of %d p50 %d p90 %d max %d"
            .formatted(
                shown, JOBS, late.get(shown / 2), late.get(shown * 9 / 10), late.get(shown - 1));
  }

  private void measure(String name) throws Exception {
    Map<String, Observer> all = new LinkedHashMap<>();
    all.put("reporting", new Observer(name + "-r", List.of(REPORTING)));
    all.put("events", new Observer(name + "-e", List.of(EVENTS)));
    all.put("questions", new Observer(name + "-q", List.of()));
    try {
      List<Long> jobs = jobs(name);
      for (String each : List.of("reporting", "events")) {
        Observer observer = all.get(each);
        await(each)
            .atMost(PATIENCE)
            .until(() -> jobs.stream().allMatch(it -> observer.has(it + " end")));
        assertTrue(jobs.stream().allMatch(it -> observer.has(it + " R")), each);
      }
      for (Map.Entry<String, Observer> each : all.entrySet()) {
        System.out.printf(
            "%s, by %s: begins %s, ends %s ms%n",
            name,
            each.getKey(),
            late(name, each.getValue(), jobs, "R"),
            late(name, each.getValue(), jobs, "end"));
      }
    } finally {
      all.values().forEach(it -> it.runner.close());
    }
    assertEquals(
        List.of(),
        ProcessHandle.current()
            .descendants()
            .filter(it -> it.info().command().orElse("").endsWith("qevent"))
            .toList());
  }

  private void flush(String time) throws Exception {
    Path file = folder.resolve("global");
    Files.writeString(
        file,
        command("/usr/bin/qconf", "-sconf", "global")
            .replaceAll("\\\\\n *", "")
            .replaceAll("(?m)^#.*\n", "")
            .replaceAll("flush_time=\\S*", "flush_time=" + time));
    command("/usr/bin/qconf", "-Mconf", file.toString());
  }

  @Test
  void theCheckFindsAllWell() throws Exception {
    List<CheckLine> lines =
        new SgeKind().check(file("c9", List.of(REPORTING, EVENTS)), new ProcessRunner());
    assertEquals(List.of(), lines.stream().filter(it -> !it.good()).toList());
    assertTrue(lines.toString().contains("by /usr/lib/gridengine/qevent"), lines::toString);
    List<CheckLine> wrong =
        new SgeKind().check(file("c8", List.of("events = /usr/bin/qstat")), new ProcessRunner());
    assertEquals(1, wrong.stream().filter(it -> !it.good()).count(), wrong::toString);
  }

  @Test
  void howLateBeginsAndEndsAre() throws Exception {
    measure("flushed");
    flush("00:00:15");
    try {
      measure("usual");
    } finally {
      flush("00:00:01");
    }
  }
}
