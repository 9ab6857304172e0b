package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.run.OutsideRun;
import io.millrace.connectors.bridge.run.OutsideRunState;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideAmounts;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideHolding;
import io.millrace.connectors.bridge.system.OutsideHost;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsidePlaces;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.connectors.testkit.PeerAdministrator.AdministratorOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What becomes of runs when an administrator of the real system does something there. */
abstract class AdministeredContract extends OutsideContract {

  private static final Duration PATIENCE = Duration.ofSeconds(180);
  private static final int MANY = 60;

  abstract PeerAdministrator administrator();

  /** Whether the job's owner may send signals there. */
  abstract boolean passesSignals();

  private void must(AdministratorOrder order, long number) throws InterruptedException {
    OutsideAnswer answer = administrator().give(order, number);
    assertTrue(answer.isGood(), answer::toString);
  }

  private static long number(OutsideRun run) {
    return run.id().orElseThrow().number();
  }

  private OutsideRun runs(Site site, OutsideTag tag) {
    return site.until(tag, it -> it.state() == OutsideRunState.RUNNING);
  }

  private static OutsideSubmission order(OutsideTag tag, String account, String script) {
    return order(tag, account, script, 1, Optional.of(600L));
  }

  private static OutsideSubmission order(
      OutsideTag tag, String account, String script, int slots, Optional<Long> wall) {
    return new OutsideSubmission(
        tag,
        account,
        "kit",
        OutsideSubmission.OutsidePlace.of(Optional.empty()),
        new OutsideAmounts(slots, 0, wall),
        new OutsideSubmission.SubmittedScript(
            ("#!/bin/bash\n" + script + "\n").getBytes(StandardCharsets.UTF_8),
            List.of(),
            Map.of(),
            "/"));
  }

  /**
   * Of the resource ngpus, of which the host has two: a second run waits for those of the first.
   */
  final void whatElseJobsAskForIsCounted() throws Exception {
    OutsideSystem system = kind().open(file(), runner());
    List<OutsideHost> hosts =
        ((Told.Answered<OutsideInventory>) system.inventory()).value().hosts();
    assertEquals(List.of(Map.of("ngpus", 2L)), hosts.stream().map(OutsideHost::resources).toList());
    try (Site site = new Site(runner())) {
      OutsideTag first = tag();
      site.bridge.order(asking(first, "sleep 600", 2));
      OutsideRun runs = runs(site, first);
      OutsideJob job =
          ((Told.Answered<List<OutsideJob>>) system.snapshot())
              .value().stream()
                  .filter(it -> it.id().equals(runs.id().orElseThrow()))
                  .findFirst()
                  .orElseThrow();
      String host = OutsidePlaces.name(hosts.get(0).name());
      assertEquals(
          List.of(OutsideHolding.of(host, Map.of("ncpus", 1L, "ngpus", 2L))), job.holdings());
      OutsideTag second = tag();
      site.bridge.order(asking(second, "exit 4", 1));
      site.until(second, it -> it.state() == OutsideRunState.WAITING);
      assertEquals(OutsideRunState.RUNNING, site.bridge.run(first).orElseThrow().state());
      site.bridge.delete(first);
      site.end(first);
      assertEquals(4, site.end(second).status());
    }
  }

  private static OutsideSubmission asking(OutsideTag tag, String script, long gpus) {
    OutsideSubmission plain = order(tag, ACCOUNT, script);
    return new OutsideSubmission(
        tag,
        ACCOUNT,
        plain.name(),
        plain.place(),
        new OutsideAmounts(1, 0, Optional.of(600L), Map.of("ngpus", gpus)),
        plain.work());
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

  @Test
  void aHostThatIsDrainedGetsNoRuns() throws Exception {
    must(AdministratorOrder.DRAIN, 0);
    try {
      awaitUsable(false);
    } finally {
      must(AdministratorOrder.UNDRAIN, 0);
    }
    awaitUsable(true);
  }

  private void awaitUsable(boolean wanted) {
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () ->
                kind().open(file(), runner()).inventory()
                        instanceof Told.Answered<OutsideInventory> told
                    && !told.value().hosts().isEmpty()
                    && told.value().hosts().stream().allMatch(it -> it.usable() == wanted));
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
}
