package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterCheck;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.command.ProcessRunner;
import io.millrace.connectors.bridge.run.BridgeParts;
import io.millrace.connectors.bridge.run.BridgeTerms;
import io.millrace.connectors.bridge.run.OutsideBridge;
import io.millrace.connectors.bridge.run.OutsideRun;
import io.millrace.connectors.bridge.run.OutsideRunState;
import io.millrace.connectors.bridge.run.RunJournal;
import io.millrace.connectors.bridge.run.SharedRunFolders;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideAction;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.SomeAmounts;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.schemas.Seeds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What each outside system must do, tried with the real one, which the test starts and stops. */
@Tag("night")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OutsideContract {

  private static final Duration PATIENCE = Duration.ofSeconds(180);
  static final String ACCOUNT = "mralice";

  private PeerScript script;
  private Path home;
  private int jobs;

  abstract OutsideKind kind();

  /** Name of the script that starts the system. */
  abstract String script();

  /** The keys of this kind. */
  abstract List<String> keys() throws IOException;

  abstract Set<String> submitting();

  /** Starts what is asked of the system, where nothing else is put in its place. */
  CommandRunner runner() {
    return new ProcessRunner();
  }

  /** What its script finds around it. */
  Map<String, String> environment() {
    return Map.of();
  }

  final OutsideAnswer system(String verb, String... more) throws InterruptedException {
    OutsideAnswer answer = script.call(verb, more);
    if (!answer.isGood() && answer.status() != PeerScript.ABSENT) {
      throw new AssertionError(verb + ": " + answer.trouble());
    }
    return answer;
  }

  @BeforeAll
  void start() throws Exception {
    assumeTrue(System.getProperty("user.name").equals("root"), "only root can start it");
    script = PeerScript.of(script(), environment());
    OutsideAnswer up = system("up");
    if (up.status() == PeerScript.ABSENT) {
      System.err.println("NOT RUN: " + getClass().getSimpleName() + ": " + up.trouble());
    }
    assumeTrue(up.status() != PeerScript.ABSENT, up::trouble);
    home = Files.createTempDirectory("millrace-outside");
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
    new ProcessRunner()
        .run(
            new OutsideCommand(
                List.of("/usr/bin/install", "-d", "-o", ACCOUNT, "-m", "755", home + "/" + ACCOUNT),
                new byte[0],
                Map.of(),
                Duration.ofSeconds(20),
                1000));
  }

  @AfterAll
  void stop() throws Exception {
    if (script != null) {
      script.call("down");
    }
  }

  final ClusterFile file() throws Exception {
    return file(keys());
  }

  /** The same with other keys of this kind. */
  final ClusterFile file(List<String> keys) throws Exception {
    List<String> lines =
        new ArrayList<>(
            List.of(
                "name = c1",
                "system = " + kind().name(),
                "spool = " + home,
                "as = sudo",
                "user.alice = " + ACCOUNT));
    lines.addAll(keys);
    Path properties = home.resolve("c1.properties");
    Files.write(properties, lines);
    return ClusterFile.read(properties, List.of(kind()));
  }

  /** A bridge to the real system. */
  final class Site implements AutoCloseable {
    private final ClusterFile file;
    private final RunJournal journal;
    final OutsideBridge bridge;

    Site(CommandRunner runner) throws Exception {
      this(runner, Duration.ofSeconds(1));
    }

    /**
     * @param queryLeast shortest time between two questions for the queue
     */
    Site(CommandRunner runner, Duration queryLeast) throws Exception {
      this(runner, queryLeast, file());
    }

    /** The same of another cluster file. */
    Site(CommandRunner runner, Duration queryLeast, ClusterFile file) throws Exception {
      this.file = file;
      journal = RunJournal.open(Files.createTempDirectory(home, "journal"));
      BridgeTerms terms =
          new BridgeTerms(
              queryLeast,
              Duration.ofSeconds(60),
              Duration.ofSeconds(20),
              Duration.ofSeconds(5),
              Duration.ofSeconds(10),
              500,
              500,
              10_000,
              1);
      bridge =
          new OutsideBridge(
              new BridgeParts(
                  kind().open(file, runner),
                  new SharedRunFolders(home.toString(), runner, file.commands(Map.of())),
                  journal,
                  terms,
                  Clock.systemUTC()));
    }

    OutsideRun until(OutsideTag tag, Predicate<OutsideRun> wanted) {
      Awaitility.await(tag.toString())
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(200))
          .until(
              () -> {
                bridge.step();
                return wanted.test(bridge.run(tag).orElseThrow());
              });
      return bridge.run(tag).orElseThrow();
    }

    OutsideEnd end(OutsideTag tag) {
      return until(tag, it -> it.state() == OutsideRunState.ENDED).end().orElseThrow();
    }

    @Override
    public void close() throws IOException {
      journal.close();
    }
  }

  final OutsideTag submit(Site site, String script, String... arguments) throws IOException {
    OutsideTag tag = tag();
    order(site, tag, script, Optional.empty(), arguments);
    return tag;
  }

  final OutsideTag tag() {
    return new OutsideTag("c1", Integer.toString(++jobs), 1);
  }

  private void order(
      Site site, OutsideTag tag, String script, Optional<String> queue, String... arguments)
      throws IOException {
    site.bridge.order(
        new OutsideSubmission(
            tag,
            ACCOUNT,
            "a 'name' \"$(id)\" -x\nline",
            new OutsideSubmission.OutsidePlace(queue, List.of()),
            SomeAmounts.of(1, 0, Optional.of(600L)),
            new OutsideSubmission.SubmittedScript(
                ("#!/bin/bash\n" + script + "\n").getBytes(StandardCharsets.UTF_8),
                List.of(arguments),
                Map.of("WORD", "a 'b' $(id)"),
                "/")));
  }

  final String output(OutsideTag tag) throws IOException {
    return Files.readString(home.resolve(ACCOUNT).resolve(tag.toString()).resolve("stdout"));
  }

  /** Makes a file in the folder of a run. */
  final void touch(OutsideTag tag, String name) throws IOException {
    Files.createFile(home.resolve(ACCOUNT).resolve(tag.toString()).resolve(name));
  }

  @Test
  void theCheckFindsAllWell() throws Exception {
    List<CheckLine> lines = new ClusterCheck(file(), runner(), "root").lines();
    assertEquals(List.of(), lines.stream().filter(it -> !it.good()).toList());
    assertTrue(lines.size() >= 6, lines::toString);
  }

  @Test
  void aJobRunsAsItsAccountAndItsEndComesBack() throws Exception {
    try (Site site = new Site(runner())) {
      OutsideTag tag =
          submit(site, "id -un; printf '<%s>' \"$WORD\" \"$@\"; exit 7", "x y", "'$(id)");
      OutsideEnd end = site.end(tag);
      assertEquals(OutsideCause.EXITED, end.cause(), end::toString);
      assertEquals(7, end.status());
      assertEquals(ACCOUNT + "\n<a 'b' $(id)><x y><'$(id)>", output(tag));
    }
  }

  @Test
  void aQueueThatIsNotThereIsARefusal() throws Exception {
    try (Site site = new Site(runner())) {
      OutsideTag tag = new OutsideTag("c1", Integer.toString(++jobs), 1);
      order(site, tag, "true", Optional.of("nosuch"));
      assertEquals(OutsideCause.REFUSED, site.end(tag).cause());
    }
  }

  @Test
  void aRunningJobIsDeleted() throws Exception {
    try (Site site = new Site(runner())) {
      OutsideTag tag = submit(site, "sleep 300");
      site.until(tag, it -> it.state() == OutsideRunState.RUNNING);
      site.bridge.delete(tag);
      OutsideEnd end = site.end(tag);
      assertTrue(
          end.cause() == OutsideCause.CANCELLED || end.cause() == OutsideCause.SIGNALLED,
          end::toString);
    }
  }

  @Test
  void aJobIsHeldReleasedAndRuns() throws Exception {
    try (Site site = new Site(runner())) {
      OutsideTag tag = submit(site, "exit 0");
      site.until(tag, it -> it.id().isPresent());
      Controlled held = site.bridge.control(tag, OutsideAction.HOLD);
      assertFalse(held instanceof Controlled.ControlUnclear, held::toString);
      Controlled released = site.bridge.control(tag, OutsideAction.RELEASE);
      assertFalse(released instanceof Controlled.ControlUnclear, released::toString);
      assertEquals(OutsideCause.EXITED, site.end(tag).cause());
    }
  }

  /** Loses the answer of its first submission. */
  private CommandRunner losing() {
    boolean[] lost = new boolean[1];
    return command -> {
      OutsideAnswer answer = runner().run(command);
      if (!lost[0] && command.words().stream().anyMatch(submitting()::contains)) {
        lost[0] = true;
        return new OutsideAnswer(
            OutsideAnswer.ProcessEnding.TIMED_OUT, -1, "", "", command.limit());
      }
      return answer;
    };
  }

  @Test
  void aLostAnswerIsFoundByItsTag() throws Exception {
    try (Site site = new Site(losing())) {
      OutsideTag tag = submit(site, "echo once >> " + home + "/" + ACCOUNT + "/count; sleep 3");
      OutsideEnd end = site.end(tag);
      assertEquals(OutsideCause.EXITED, end.cause());
      assertEquals(1, site.bridge.run(tag).orElseThrow().attempts());
      assertEquals("once\n", Files.readString(home.resolve(ACCOUNT).resolve("count")));
    }
  }

  /** Whether subjobs go as tasks of one job. */
  boolean takesArrays() {
    return false;
  }

  private List<OutsideTag> subjobs(Site site, int count, String script) throws IOException {
    String array = Integer.toString(++jobs);
    List<OutsideTag> tags = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      OutsideTag tag = new OutsideTag("c1", array + "-" + i, 1);
      order(site, tag, script, Optional.empty(), Integer.toString(i));
      tags.add(tag);
    }
    return tags;
  }

  private void assertOneJob(Site site, List<OutsideTag> tags) {
    List<OutsideId> ids =
        tags.stream().map(it -> site.bridge.run(it).orElseThrow().id().orElseThrow()).toList();
    assertEquals(tags.size(), Set.copyOf(ids).size(), ids::toString);
    long numbers = ids.stream().mapToLong(OutsideId::number).distinct().count();
    assertEquals(takesArrays() ? 1 : tags.size(), numbers, ids::toString);
  }

  @Test
  void subjobsAreTasksEachWithItsOwnEnd() throws Exception {
    try (Site site = new Site(runner())) {
      List<OutsideTag> tags = subjobs(site, 6, "echo \"begun $1\"; exit \"$1\"");
      for (int i = 0; i < tags.size(); i++) {
        OutsideEnd end = site.end(tags.get(i));
        assertEquals(OutsideCause.EXITED, end.cause(), end::toString);
        assertEquals(i, end.status());
        assertEquals("begun " + i + "\n", output(tags.get(i)));
      }
      assertOneJob(site, tags);
    }
  }

  @Test
  void oneTaskIsDeletedAndTheOthersGoOn() throws Exception {
    try (Site site = new Site(runner())) {
      List<OutsideTag> tags = subjobs(site, 3, "[ \"$1\" != 1 ] || sleep 300; sleep 20; exit 4");
      tags.forEach(tag -> site.until(tag, it -> it.state() == OutsideRunState.RUNNING));
      site.bridge.delete(tags.get(1));
      OutsideEnd end = site.end(tags.get(1));
      assertTrue(
          end.cause() == OutsideCause.CANCELLED || end.cause() == OutsideCause.SIGNALLED,
          end::toString);
      assertEquals(4, site.end(tags.get(0)).status());
      assertEquals(4, site.end(tags.get(2)).status());
      assertOneJob(site, tags);
    }
  }

  @Test
  void theLostAnswerOfAnArrayIsFoundByItsMark() throws Exception {
    Path counts = home.resolve(ACCOUNT).resolve("array");
    try (Site site = new Site(losing())) {
      List<OutsideTag> tags = subjobs(site, 4, "echo \"$1\" >> " + counts + "; sleep 3");
      for (OutsideTag tag : tags) {
        assertEquals(OutsideCause.EXITED, site.end(tag).cause());
        assertEquals(1, site.bridge.run(tag).orElseThrow().attempts());
      }
      assertOneJob(site, tags);
      List<String> begun = new ArrayList<>(Files.readAllLines(counts));
      begun.sort(Comparator.naturalOrder());
      assertEquals(List.of("0", "1", "2", "3"), begun);
    }
  }

  /** Two hundred words, in twenty jobs that are called by some of them. */
  @Test
  void wordsOfUsersComeThroughAsTheyAre() throws Exception {
    List<String> words =
        HostileWords.all(Seeds.TODAY).stream().filter(it -> it.length() < 1_000).toList();
    try (Site site = new Site(runner())) {
      Map<OutsideTag, List<String>> told = new LinkedHashMap<>();
      for (int i = 0; i < words.size(); i += 10) {
        List<String> some = words.subList(i, Math.min(i + 10, words.size()));
        Map<String, String> variables = new LinkedHashMap<>();
        some.forEach(it -> variables.put("V" + variables.size(), it));
        OutsideTag tag = new OutsideTag("c1", Integer.toString(++jobs), 1);
        String script =
            "printf '%s\\0' \"$@\"; for i in {0..9}; do v=V$i; printf '%s\\0' \"${!v}\"; done";
        site.bridge.order(
            new OutsideSubmission(
                tag,
                ACCOUNT,
                some.get(0),
                new OutsideSubmission.OutsidePlace(Optional.empty(), List.of()),
                SomeAmounts.of(1, 0, Optional.of(600L)),
                new OutsideSubmission.SubmittedScript(
                    ("#!/bin/bash\n" + script + "\n").getBytes(StandardCharsets.UTF_8),
                    some,
                    variables,
                    "/")));
        told.put(tag, some);
      }
      for (Map.Entry<OutsideTag, List<String>> each : told.entrySet()) {
        assertEquals(0, site.end(each.getKey()).status(), each::toString);
        List<String> twice = new ArrayList<>(each.getValue());
        twice.addAll(each.getValue());
        while (twice.size() < each.getValue().size() + 10) {
          twice.add(""); // variables that are not there
        }
        assertEquals(String.join("\0", twice) + "\0", output(each.getKey()));
      }
    }
  }

  @Test
  void theInventory() throws Exception {
    var told = kind().open(file(), runner()).inventory();
    assertInstanceOf(Told.Answered.class, told, told::toString);
  }

  /** A way to the system on which answers are lost. */
  interface AnswerFaults {
    CommandRunner runner();

    /** How many faults there were. */
    int count();
  }

  AnswerFaults faults() {
    CommandFaults faults =
        new CommandFaults(runner(), Clock.systemUTC(), 20261125L, wait -> {}, submitting());
    return new AnswerFaults() {
      @Override
      public CommandRunner runner() {
        return faults;
      }

      @Override
      public int count() {
        return faults.count();
      }
    };
  }

  /** Each tenth answer is lost, others are cut or late: no script begins twice, none is lost. */
  @Test
  void onceWithFaults() throws Exception {
    AnswerFaults faults = faults();
    Path counts = home.resolve(ACCOUNT).resolve("counts");
    List<OutsideTag> tags = new ArrayList<>();
    try (Site site = new Site(faults.runner())) {
      for (int i = 0; i < 15; i++) {
        tags.add(submit(site, "echo \"$1\" >> " + counts, Integer.toString(i)));
      }
      Awaitility.await()
          .atMost(PATIENCE.multipliedBy(3))
          .pollInterval(Duration.ofMillis(200))
          .until(
              () -> {
                site.bridge.step();
                return tags.stream()
                    .allMatch(
                        it -> site.bridge.run(it).orElseThrow().state() == OutsideRunState.ENDED);
              });
      int count = faults.count();
      assertTrue(count > 3, "faults: " + count);
      List<String> begun = new ArrayList<>(Files.readAllLines(counts));
      begun.sort(Comparator.comparingInt(Integer::parseInt));
      List<String> all = new ArrayList<>();
      for (int i = 0; i < tags.size(); i++) {
        all.add(Integer.toString(i));
      }
      assertEquals(all, begun);
    }
  }
}
