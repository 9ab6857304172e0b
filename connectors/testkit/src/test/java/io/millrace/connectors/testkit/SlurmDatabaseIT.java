package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.command.ProcessRunner;
import io.millrace.connectors.bridge.run.OutsideRun;
import io.millrace.connectors.bridge.run.OutsideRunState;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.OutsideUsage;
import io.millrace.connectors.testkit.PeerAdministrator.AdministratorOrder;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The same with a Slurm that keeps its accounting in a database. */
class SlurmDatabaseIT extends SlurmContractIT {

  @Override
  Map<String, String> environment() {
    return Map.of("MILLRACE_SLURM_DATABASE", "1");
  }

  /** The database is all the accounting there is. */
  @Override
  List<String> keys() throws IOException {
    return super.keys().stream().filter(it -> !it.startsWith("accounting =")).toList();
  }

  @Test
  void whatAJobHasUsedComesBack() throws Exception {
    try (Site site = new Site(runner())) {
      String script = "x=$(head -c 60000000 /dev/zero | tr '\\0' x); sleep 4; exit 4";
      OutsideEnd end = site.end(submit(site, script));
      assertEquals(OutsideCause.EXITED, end.cause(), end::toString);
      assertEquals(4, end.status());
      OutsideUsage used = end.usage().orElseThrow();
      assertTrue(used.memKb() > 55_000 && used.memKb() < 1_000_000, used::toString);
      assertTrue(used.vmemKb() >= used.memKb(), used::toString);
      assertTrue(used.cputMs() > 20 && used.cputMs() < 120_000, used::toString);
      assertTrue(used.walltimeMs() >= 3000, used::toString);
    }
  }

  @Test
  void whoHasCancelledAJobIsSaid() throws Exception {
    try (Site site = new Site(runner())) {
      OutsideTag tag = submit(site, "sleep 300");
      OutsideRun run = site.until(tag, it -> it.state() == OutsideRunState.RUNNING);
      administrator().give(AdministratorOrder.CANCEL, run.id().orElseThrow().number());
      OutsideEnd end = site.end(tag);
      assertEquals(OutsideCause.CANCELLED, end.cause(), end::toString);
      assertEquals("Slurm: CANCELLED by root", end.words());
    }
  }

  /** Nothing but the database knows of it: it was cancelled before it began, and is forgotten. */
  @Override
  @Test
  void aLostAnswerIsFoundInAccounting() throws Exception {
    OutsideAnswer brief = system("set", "MinJobAge", "2");
    assertTrue(brief.isGood(), brief::trouble);
    administrator().give(AdministratorOrder.CLOSE_QUEUE, 0);
    BlindRunner runner = new BlindRunner();
    try (Site site = new Site(runner)) {
      OutsideTag tag = submit(site, "exit 1");
      site.bridge.step();
      long number = Long.parseLong(queue("%i", tag).strip());
      administrator().give(AdministratorOrder.CANCEL, number);
      Awaitility.await().atMost(Duration.ofSeconds(180)).until(() -> queue("%i", tag).isEmpty());
      assertEquals(OutsideRunState.ABOUT_TO_SUBMIT, site.bridge.run(tag).orElseThrow().state());
      runner.blind = false;
      OutsideEnd end = site.end(tag);
      assertEquals(OutsideCause.CANCELLED, end.cause(), end::toString);
      assertEquals("Slurm: CANCELLED by root", end.words());
      OutsideRun run = site.bridge.run(tag).orElseThrow();
      assertEquals(number, run.id().orElseThrow().number());
      assertEquals(1, run.attempts());
    } finally {
      administrator().give(AdministratorOrder.OPEN_QUEUE, 0);
      system("set", "MinJobAge", "300");
    }
  }

  /** What the real queue says of the jobs with a mark, also of those that are over. */
  private static String queue(String form, OutsideTag tag) throws InterruptedException {
    return asked("/usr/bin/squeue", "--noheader", "--states=all", "--format=" + form + " %k")
        .lines()
        .filter(it -> it.strip().endsWith(" " + tag))
        .map(it -> it.strip().split(" ")[0])
        .findFirst()
        .orElse("");
  }

  private static String asked(String... words) throws InterruptedException {
    OutsideAnswer answer =
        new ProcessRunner()
            .run(
                new OutsideCommand(
                    List.of(words), new byte[0], Map.of(), Duration.ofSeconds(30), 100_000));
    return Optional.of(answer).filter(OutsideAnswer::isGood).map(OutsideAnswer::out).orElse("");
  }

  /** Both places of the tag outlive the queue, which forgets jobs. */
  @Test
  void theDatabaseKeepsTheTagInBothPlaces() throws Exception {
    OutsideTag tag;
    OutsideRun run;
    try (Site site = new Site(runner())) {
      tag = submit(site, "exit 0");
      assertEquals(0, site.end(tag).status());
      run = site.bridge.run(tag).orElseThrow();
    }
    String wanted = run.id().orElseThrow().number() + "|" + tag + "|" + tag + "|COMPLETED\n";
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> told(run), wanted::equals);
  }

  private static String told(OutsideRun run) throws InterruptedException {
    long number = run.id().orElseThrow().number();
    return asked(
        "/usr/bin/sacct",
        "--noheader",
        "--allocations",
        "--parsable2",
        "--format=JobIDRaw,Comment,WCKey,State",
        "--jobs=" + number);
  }
}
