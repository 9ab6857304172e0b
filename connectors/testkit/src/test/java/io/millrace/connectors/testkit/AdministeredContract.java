package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.run.OutsideRun;
import io.millrace.connectors.bridge.run.OutsideRunState;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideAction;
import io.millrace.connectors.bridge.system.OutsideAmounts;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideHost;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideShare;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.SomeAmounts;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.connectors.testkit.PeerAdministrator.AdministratorOrder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What becomes of runs when an administrator of the real system does something there. */
abstract class AdministeredContract extends OutsideContract {

  private static final Duration PATIENCE = Duration.ofSeconds(180);
  private static final int MANY = 60;

  private static final Set<OutsideRunState> HEARD_OF_ITS_END =
      EnumSet.of(OutsideRunState.ENDING, OutsideRunState.ENDED);

  abstract PeerAdministrator administrator();

  /** Whether the job's owner may send signals there. */
  abstract boolean passesSignals();

  /** Adds two hosts of three processors each to the system, and tells the queue that has them. */
  abstract String pair() throws Exception;

  /** Has that queue take jobs, or none: open, it takes those of other tests that are to wait. */
  void paired(boolean open) throws Exception {}

  /** Their names. */
  abstract List<String> hosts();

  /** Those that a submission says, where it can say some. */
  List<String> named() {
    return hosts();
  }

  private void must(AdministratorOrder order, long number) throws InterruptedException {
    OutsideAnswer answer = administrator().give(order, number);
    assertTrue(answer.isGood(), answer::toString);
  }

  private static long number(OutsideRun run) {
    return run.id().orElseThrow().number();
  }

  final OutsideRun runs(Site site, OutsideTag tag) {
    return site.until(tag, it -> it.state() == OutsideRunState.RUNNING);
  }

  static OutsideSubmission order(OutsideTag tag, String account, String script) {
    return order(tag, account, script, 1, Optional.of(600L));
  }

  private static OutsideSubmission order(
      OutsideTag tag, String account, String script, int slots, Optional<Long> wall) {
    return new OutsideSubmission(
        tag,
        account,
        "kit",
        new OutsideSubmission.OutsidePlace(Optional.empty(), List.of()),
        SomeAmounts.of(slots, 0, wall),
        new OutsideSubmission.SubmittedScript(
            ("#!/bin/bash\n" + script + "\n").getBytes(StandardCharsets.UTF_8),
            List.of(),
            Map.of(),
            "/"));
  }

  /** A run on both hosts of the pair, with so many processors on each. */
  private OutsideTag spread(Site site, List<String> named, int slots, String script)
      throws Exception {
    OutsideTag tag = tag();
    OutsideShare share = new OutsideShare(slots, 0, 1);
    site.bridge.order(
        new OutsideSubmission(
            tag,
            ACCOUNT,
            "pair",
            new OutsideSubmission.OutsidePlace(Optional.of(queue), named),
            new OutsideAmounts(List.of(share, share), Optional.of(600L)),
            order(tag, ACCOUNT, script).work()));
    return tag;
  }

  private String queue = "";

  /** What such a job has of its hosts nobody else gets until it is over, however that comes. */
  @Test
  void aJobOfTwoHostsKnowsThemAndHoldsBoth() throws Exception {
    queue = queue.isEmpty() ? pair() : queue;
    paired(true);
    try (Site site = new Site(runner())) {
      String until =
          "cat \"${0%/*}/hosts\"; until [ -e \"${0%/*}/go\" ]; do sleep 0.2; done; exit 5";
      OutsideTag first = spread(site, List.of(), 2, until);
      runs(site, first);
      OutsideTag beside = spread(site, named(), 1, "exit 4");
      OutsideEnd there = site.end(beside);
      assertEquals(4, there.status(), () -> "there is room for that: " + there);
      OutsideTag waits = spread(site, named(), 2, "sleep 300");
      Duration moment = Duration.ofSeconds(5);
      site.until(
          waits,
          it ->
              it.state() == OutsideRunState.WAITING
                  && it.since().plus(moment).isBefore(Instant.now()));
      assertEquals(hosts(), output(first).lines().map(it -> it.split("[ .]")[0]).sorted().toList());
      touch(first, "go");
      OutsideEnd end = site.end(first);
      assertEquals(OutsideCause.EXITED, end.cause(), end::toString);
      assertEquals(5, end.status());
      runs(site, waits);
      site.bridge.delete(waits);
      assertTrue(
          Set.of(OutsideCause.CANCELLED, OutsideCause.SIGNALLED).contains(site.end(waits).cause()));
      assertEquals(6, site.end(spread(site, List.of(), 2, "exit 6")).status());
    } finally {
      paired(false);
    }
  }

  @Test
  void whatAnAdministratorCancelsSaysSo() throws Exception {
    try (Site site = new Site(runner())) {
      OutsideTag tag = submit(site, "sleep 300");
      must(AdministratorOrder.CANCEL, number(runs(site, tag)));
      OutsideEnd end = site.end(tag);
      assertTrue(
          Set.of(OutsideCause.CANCELLED, OutsideCause.SIGNALLED).contains(end.cause()),
          end::toString);
    }
  }

  @Test
  void whatWaitsThereIsDeleted() throws Exception {
    must(AdministratorOrder.CLOSE_QUEUE, 0);
    try (Site site = new Site(runner())) {
      OutsideTag tag = submit(site, "exit 1");
      site.until(tag, it -> it.state() == OutsideRunState.WAITING);
      site.bridge.delete(tag);
      OutsideEnd end = site.end(tag);
      assertTrue(
          Set.of(OutsideCause.CANCELLED, OutsideCause.NOT_BEGUN).contains(end.cause()),
          end::toString);
    } finally {
      must(AdministratorOrder.OPEN_QUEUE, 0);
    }
  }

  @Test
  void whatWasNotSubmittedYetIsDeletedHere() throws Exception {
    try (Site site = new Site(runner())) {
      OutsideTag tag = submit(site, "exit 1");
      site.bridge.delete(tag);
      assertEquals(OutsideCause.CANCELLED, site.end(tag).cause());
      assertEquals(0, site.bridge.run(tag).orElseThrow().attempts());
    }
  }

  @Test
  void whatAnAdministratorHoldsWaitsUntilItIsReleased() throws Exception {
    try (Site site = new Site(runner())) {
      must(AdministratorOrder.CLOSE_QUEUE, 0);
      OutsideTag held;
      try {
        held = submit(site, "exit 3");
        OutsideRun waits = site.until(held, it -> it.state() == OutsideRunState.WAITING);
        must(AdministratorOrder.HOLD, number(waits));
      } finally {
        must(AdministratorOrder.OPEN_QUEUE, 0);
      }
      assertEquals(4, site.end(submit(site, "exit 4")).status());
      OutsideRun still = site.bridge.run(held).orElseThrow();
      assertEquals(OutsideRunState.WAITING, still.state());
      must(AdministratorOrder.RELEASE, number(still));
      assertEquals(3, site.end(held).status());
    }
  }

  /** A run that waits there, where nothing begins until the trial is over. */
  final void waiting(Site site, OutsideTag tag, String script, WaitingTrial trial)
      throws Exception {
    must(AdministratorOrder.CLOSE_QUEUE, 0);
    try {
      site.bridge.order(order(tag, ACCOUNT, script));
      OutsideRun waits = site.until(tag, it -> it.state() == OutsideRunState.WAITING);
      trial.of(number(waits));
    } finally {
      must(AdministratorOrder.OPEN_QUEUE, 0);
    }
  }

  /** What is tried with a job that waits. */
  interface WaitingTrial {
    void of(long number) throws Exception;
  }

  @Test
  void whatIsHeldFromHereWaitsUntilItIsReleased() throws Exception {
    try (Site site = new Site(runner())) {
      OutsideTag held = tag();
      waiting(
          site,
          held,
          "exit 3",
          number -> {
            Controlled said = site.bridge.control(held, OutsideAction.HOLD);
            assertInstanceOf(Controlled.Done.class, said);
            site.until(held, it -> site.bridge.isHeld(held));
          });
      assertEquals(4, site.end(submit(site, "exit 4")).status());
      assertTrue(site.bridge.isHeld(held));
      Controlled said = site.bridge.control(held, OutsideAction.RELEASE);
      assertInstanceOf(Controlled.Done.class, said);
      assertEquals(3, site.end(held).status());
      assertFalse(site.bridge.isHeld(held));
    }
  }

  /** The words with which an order was refused. */
  static String refusal(Controlled said) {
    return assertInstanceOf(Controlled.ControlRefused.class, said).words();
  }

  @Test
  void whatIsSuspendedThereIsNotOver() throws Exception {
    try (Site site = new Site(runner())) {
      OutsideTag tag = submit(site, "sleep 4; exit 4");
      long number = number(runs(site, tag));
      must(AdministratorOrder.SUSPEND, number);
      try {
        site.until(tag, it -> it.state() == OutsideRunState.SUSPENDED);
      } finally {
        must(AdministratorOrder.RESUME, number);
      }
      OutsideEnd end = site.end(tag);
      assertEquals(OutsideCause.EXITED, end.cause(), end::toString);
      assertEquals(4, end.status());
    }
  }

  /** Of several hosts it may be one alone. */
  @Test
  void aHostThatIsDrainedGetsNoRuns() throws Exception {
    Set<String> before = usable();
    assertFalse(before.isEmpty());
    must(AdministratorOrder.DRAIN, 0);
    try {
      Awaitility.await().atMost(PATIENCE).until(() -> !usable().containsAll(before));
    } finally {
      must(AdministratorOrder.UNDRAIN, 0);
    }
    Awaitility.await().atMost(PATIENCE).until(() -> usable().containsAll(before));
  }

  /** Names of the hosts that get runs. */
  private Set<String> usable() throws Exception {
    var told = kind().open(file(), runner()).inventory();
    assertInstanceOf(Told.Answered.class, told, told::toString);
    return ((Told.Answered<OutsideInventory>) told)
        .value().hosts().stream()
            .filter(OutsideHost::usable)
            .map(OutsideHost::name)
            .collect(Collectors.toSet());
  }

  /** Whether the system does it or refuses: the script begins once, and its end is its own. */
  @Test
  void whatAnAdministratorHasRunAgainBeginsOnce() throws Exception {
    try (Site site = new Site(runner())) {
      OutsideTag tag = submit(site, "echo begun; sleep 5; exit 5");
      administrator().give(AdministratorOrder.REQUEUE, number(runs(site, tag)));
      OutsideEnd end = site.end(tag);
      assertEquals("begun\n", output(tag));
      boolean own = end.cause() == OutsideCause.EXITED && end.status() == 5;
      assertTrue(own || end.cause() != OutsideCause.EXITED, end::toString);
    }
  }

  /** Among them those that a Grid Engine takes for orders. */
  @Test
  void statusesComeBackAsTheyAre() throws Exception {
    try (Site site = new Site(runner())) {
      Map<OutsideTag, Integer> all = new LinkedHashMap<>();
      for (int status : List.of(0, 1, 9, 73, 99, 100, 126, 128)) {
        all.put(submit(site, "exit " + status), status);
      }
      for (Map.Entry<OutsideTag, Integer> each : all.entrySet()) {
        OutsideEnd end = site.end(each.getKey());
        assertEquals(OutsideCause.EXITED, end.cause(), end::toString);
        assertEquals(each.getValue(), end.status(), end::toString);
      }
    }
  }

  @Test
  void aScriptThatASignalEndsSaysWhich() throws Exception {
    try (Site site = new Site(runner())) {
      OutsideEnd end = site.end(submit(site, "kill -SEGV $$"));
      assertEquals(OutsideCause.SIGNALLED, end.cause(), end::toString);
      assertEquals(11, end.signal());
    }
  }

  /** Slurm counts whole minutes, and looks at limits twice in one. */
  @Test
  void whatLastsTooLongIsEndedThereAndSaysSo() throws Exception {
    try (Site site = new Site(runner())) {
      OutsideTag tag = tag();
      site.bridge.order(order(tag, ACCOUNT, "sleep 600", 1, Optional.of(3L)));
      assertEquals(OutsideCause.TIME_LIMIT, site.end(tag).cause());
    }
  }

  @Test
  void severalProcessorsAreOneJob() throws Exception {
    try (Site site = new Site(runner())) {
      OutsideTag tag = tag();
      String script = "echo ${SLURM_CPUS_PER_TASK:-$NSLOTS}";
      site.bridge.order(order(tag, ACCOUNT, script, 3, Optional.empty()));
      assertEquals(0, site.end(tag).status());
      assertEquals("3\n", output(tag));
    }
  }

  /** Nothing leaves in the name of an account that is not there; others go on. */
  @Test
  void anAccountThatIsNotThereKeepsNobodyElseWaiting() throws Exception {
    try (Site site = new Site(runner())) {
      OutsideTag nobodys = tag();
      site.bridge.order(order(nobodys, "mrnosuch", "exit 1"));
      assertEquals(0, site.end(submit(site, "exit 0")).status());
      OutsideRun waits = site.bridge.run(nobodys).orElseThrow();
      assertEquals(OutsideRunState.ORDERED, waits.state());
      assertEquals(0, waits.attempts());
      String trouble = site.bridge.trouble().orElse("");
      assertTrue(trouble.startsWith("in the name of mrnosuch: "), trouble);
    }
  }

  @Test
  void aSignalReachesTheScript() throws Exception {
    try (Site site = new Site(runner())) {
      String script =
          "trap 'exit 6' USR1; echo ready; for i in {1..300}; do sleep 0.2; done; exit 7";
      OutsideTag tag = submit(site, script);
      runs(site, tag);
      Awaitility.await()
          .atMost(PATIENCE)
          .ignoreException(NoSuchFileException.class)
          .until(() -> output(tag).equals("ready\n"));
      Controlled said = site.bridge.signal(tag, 10);
      if (passesSignals()) {
        assertInstanceOf(Controlled.Done.class, said, said::toString);
        assertEquals(6, site.end(tag).status());
      } else {
        assertInstanceOf(Controlled.ControlRefused.class, said, said::toString);
        site.bridge.delete(tag);
        site.end(tag);
      }
    }
  }

  /** The answer of the first submission is lost, and the queue is not told until it is over. */
  final class BlindRunner implements CommandRunner {
    volatile boolean blind = true;
    private boolean lost;

    @Override
    public OutsideAnswer run(OutsideCommand command) throws InterruptedException {
      boolean submits = command.words().stream().anyMatch(submitting()::contains);
      boolean looks = command.words().stream().anyMatch(it -> it.matches(".*/(squeue|qstat)"));
      if (looks && blind) {
        return timedOut(command);
      }
      OutsideAnswer answer = runner().run(command);
      if (submits && !lost) {
        lost = true;
        return timedOut(command);
      }
      return answer;
    }

    private static OutsideAnswer timedOut(OutsideCommand command) {
      return new OutsideAnswer(OutsideAnswer.ProcessEnding.TIMED_OUT, -1, "", "", command.limit());
    }
  }

  /** It is over before any queue has shown it. */
  @Test
  void aLostAnswerIsFoundInAccounting() throws Exception {
    BlindRunner runner = new BlindRunner();
    try (Site site = new Site(runner)) {
      OutsideTag tag = submit(site, "echo begun; exit 4");
      OutsideRun found = site.until(tag, it -> it.id().isPresent());
      assertEquals(1, found.attempts());
      runner.blind = false;
      assertEquals(4, site.end(tag).status());
      assertEquals("begun\n", output(tag));
      assertEquals(1, site.bridge.run(tag).orElseThrow().attempts());
    }
  }

  /** The keys of a cluster file without accounting. */
  abstract List<String> keysWithoutAccounting() throws IOException;

  /** Whether the queue shows for a while how jobs have ended. */
  abstract boolean showsEnds();

  /** Nor does the wrapper say it, where the queue alone can: its folder takes no file. */
  @Test
  void theEndComesOfTheQueueAlone() throws Exception {
    ClusterFile file = file(keysWithoutAccounting());
    try (Site site = new Site(runner(), Duration.ofSeconds(1), file)) {
      String last = showsEnds() ? "chmod 555 \"${0%/*}\"; exit 4" : "exit 4";
      OutsideTag tag = submit(site, "echo begun; " + last);
      OutsideEnd end = site.end(tag);
      assertEquals(OutsideCause.EXITED, end.cause(), end::toString);
      assertEquals(4, end.status());
      assertEquals(showsEnds(), !end.words().startsWith("file of the wrapper"), end::toString);
      assertEquals("begun\n", output(tag));
    }
  }

  @Test
  void manyAtOnceBeginOnceEach() throws Exception {
    Path counts = Path.of(file().text("spool"), ACCOUNT, "many");
    try (Site site = new Site(runner())) {
      Map<OutsideTag, Integer> all = new LinkedHashMap<>();
      for (int i = 0; i < MANY; i++) {
        all.put(submit(site, "echo " + i + " >> " + counts + "; exit " + i % 7), i % 7);
      }
      for (Map.Entry<OutsideTag, Integer> each : all.entrySet()) {
        assertEquals(each.getValue(), site.end(each.getKey()).status(), each::toString);
      }
      assertEquals(MANY, Files.readAllLines(counts).stream().distinct().count());
      assertEquals(MANY, Files.readAllLines(counts).size());
    }
  }

  /**
   * The queue is asked when the job is submitted, and for a minute not again. Where the accounting
   * has the end as soon as it is heard, the run is over in the same step.
   */
  @Test
  void itsBeginAndItsEndAreHeardBetweenTwoQuestions() throws Exception {
    try (Site site = new Site(runner(), Duration.ofSeconds(60))) {
      OutsideTag tag = submit(site, "date +%s%3N; sleep 3; date +%s%3N; exit 4");
      site.until(tag, it -> it.state() == OutsideRunState.RUNNING);
      long begun = System.currentTimeMillis();
      site.until(tag, it -> HEARD_OF_ITS_END.contains(it.state()));
      long ending = System.currentTimeMillis();
      String[] times = output(tag).split("\n");
      long beginLate = begun - Long.parseLong(times[0]);
      long endLate = ending - Long.parseLong(times[1]);
      System.out.println("heard after its begin " + beginLate + " ms, end " + endLate + " ms");
      assertTrue(endLate < 30_000, () -> "the end was heard by a question: " + endLate + " ms");
      OutsideEnd end = site.end(tag);
      assertEquals(OutsideCause.EXITED, end.cause(), end::toString);
      assertEquals(4, end.status());
    }
  }
}
