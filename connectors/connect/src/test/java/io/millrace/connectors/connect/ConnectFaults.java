package io.millrace.connectors.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.local.FakeShards;
import io.millrace.connectors.testkit.PeerAdministrator.AdministratorOrder;
import io.millrace.schemas.command.ReportRunFinished;
import io.millrace.schemas.output.ObservedJob;
import io.millrace.schemas.output.ObservedNode;
import io.millrace.schemas.output.StartRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/**
 * What becomes of orders when commands, daemons and the worker fail, and what is shown of jobs that
 * are not from here.
 */
abstract class ConnectFaults extends ConnectSite {

  /** PBS's status of a run that is lost with its host. */
  private static final int LOST = -4;

  private static final int FEW = 9;
  private static final int SECONDS = 8;

  /** Words that submit a job of somebody else's, of so many seconds; the number is printed. */
  abstract List<String> ofSomebodyElse(int seconds);

  static void assertOnce(int count, Path counts) throws IOException {
    List<String> lines = Files.readAllLines(counts);
    assertEquals(count, lines.size(), lines::toString);
    assertEquals(count, lines.stream().distinct().count(), lines::toString);
  }

  /** Each second submission, and each third answer about the queue. */
  @Test
  void answersThatAreLostCutOrLateHaveNothingBeginTwice() throws Exception {
    Path counts = cluster.own().resolve("answers");
    List<String> ids = new ArrayList<>();
    cluster.commands().failing();
    List<String> failed;
    try {
      for (int i = 0; i < FEW; i++) {
        ids.add(ordered("echo " + i + " >> " + counts + "; exit " + i));
      }
      for (int i = 0; i < FEW; i++) {
        assertEnds(i, ids.get(i));
      }
    } finally {
      failed = cluster.commands().failed();
    }
    assertOnce(FEW, counts);
    assertTrue(failed.containsAll(Set.of("lost", "cut", "late", "asked")), failed::toString);
  }

  /** The master, the host's daemon and the worker, one after another, while jobs are there. */
  @Test
  void daemonsAndTheWorkerAreKilledAndEachScriptBeginsOnce() throws Exception {
    Path counts = cluster.own().resolve("daemons");
    List<String> ids = new ArrayList<>();
    for (String killed : List.of("master", "host", "worker", "both")) {
      for (int i = 0; i < 4; i++) {
        int number = ids.size();
        ids.add(
            ordered(
                "echo " + number + " >> " + counts + "; sleep " + SECONDS + "; exit " + number));
      }
      String begun = Integer.toString(ids.size() - 3);
      soon(() -> Files.exists(counts) && Files.readAllLines(counts).contains(begun));
      if (killed.equals("worker") || killed.equals("both")) {
        worker.kill();
      }
      if (!killed.equals("worker")) {
        cluster.kill(killed.equals("both") ? "master" : killed);
      }
      if (killed.equals("worker") || killed.equals("both")) {
        worker.start(STANDALONE, cluster.connectors());
      }
    }
    for (int i = 0; i < ids.size(); i++) {
      String id = ids.get(i);
      shards.awaitReports(
          FakeShards.SHARD, SOON, all -> all.stream().anyMatch(it -> isEnd(it, id)) || again());
      if (!isBrokenOff(end(id))) {
        assertEnds(i, id);
      }
    }
    assertOnce(ids.size(), counts);
  }

  /** Whether the system itself has broken a run's script off, as its master forgot the job. */
  private boolean isBrokenOff(ReportRunFinished end) {
    return breaksOff() && end.getExitStatus() == LOST;
  }

  private static boolean isEnd(SpecificRecord report, String id) {
    return report instanceof ReportRunFinished end && end.getJobId().equals(id);
  }

  /** What a killed daemon has not got is handed over again; no run has ended by that. */
  private boolean again() {
    try {
      cluster.redeliver();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  /** The kit itself: a submission that is made twice, without claims, does not pass it. */
  @Test
  void aPlantedMistakeIsFound() throws Exception {
    Path counts = cluster.own().resolve("planted");
    cluster.commands().begunTwice();
    assertEnds(0, ordered("echo once >> " + counts));
    // The first copy can be over before the command has made the second.
    soon(() -> Files.readAllLines(counts).size() == 2);
    cluster.awaitEmpty();
    assertThrows(AssertionError.class, () -> assertOnce(1, counts));
    assertEquals(List.of("once", "once"), Files.readAllLines(counts));
  }

  /** Of a campaign's attempt its tag says which one it is. */
  @Test
  void aTaskOfACampaignHasItsTag() throws Exception {
    String id = id();
    StartRun order = job(id, "exit 3");
    order.getSpec().setCampaign("77.5.1");
    shards.order(order);
    assertEnds(3, id);
    String tag = "mr." + RealCluster.RUNS + "." + id.replaceFirst("\\..*", "") + ".1.77.5.1.";
    try (Stream<Path> folders = Files.list(cluster.own())) {
      assertEquals(1, folders.filter(it -> it.getFileName().toString().startsWith(tag)).count());
    }
  }

  /**
   * As the system has them: it waits, is held, runs on a host, which has less free, and is gone.
   */
  @Test
  void jobsOfOthersAndHostsAreShownAsTheyAreThere() throws Exception {
    long before = node().getHeld();
    must(AdministratorOrder.CLOSE_QUEUE, 0);
    long number;
    try {
      OutsideAnswer answer = told(ofSomebodyElse(600));
      assertTrue(answer.isGood(), answer::toString);
      number = Long.parseLong(answer.out().strip());
      // After a kill Slurm can give a number again.
      soon(() -> is(number, "Q") && shown(number).orElseThrow().getAccount().equals("mrbob"));
      must(AdministratorOrder.HOLD, number);
      soon(() -> is(number, "H"));
      must(AdministratorOrder.RELEASE, number);
    } finally {
      must(AdministratorOrder.OPEN_QUEUE, 0);
    }
    soon(() -> is(number, "R") && shown(number).orElseThrow().getPlace().contains(host));
    soon(() -> node().getHeld() > before && node().getJobs() > 0);
    must(AdministratorOrder.CANCEL, number);
    soon(() -> is(number, "F"));
    assertNotEquals(0, shown(number).orElseThrow().getEndedMs());
    soon(() -> node().getHeld() == before);
  }

  private Optional<ObservedJob> shown(long number) throws Exception {
    return topics.job(RealCluster.SHOWN, number);
  }

  private boolean is(long number, String state) throws Exception {
    return shown(number).filter(it -> it.getState().equals(state)).isPresent();
  }

  private ObservedNode node() throws Exception {
    return topics.node(RealCluster.SHOWN, host).orElseThrow();
  }
}
