package io.millrace.connectors.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.testkit.HostileWords;
import io.millrace.connectors.testkit.PeerAdministrator.AdministratorOrder;
import io.millrace.schemas.Seeds;
import io.millrace.schemas.command.ReportRunFinished;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.output.ObservedJob;
import io.millrace.schemas.output.StartRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What orders come to, and what is shown, when a worker of Kafka Connect serves a real system. */
abstract class ConnectContract extends ConnectOrders {

  private static final int DELETED = 256 + 15;
  private static final int MANY = 60;
  private static final int KILLS = 3;

  @Test
  void aScriptRunsThereAsItsAccountAndItsStatusComesBack() throws Exception {
    String id = ordered("id -un; echo " + variables() + " $PBS_JOBID; exit 7");
    long number = number(id);
    assertEnds(7, id);
    assertEquals("mralice\n" + number + " 4 " + id + "\n", Files.readString(output(id)));
    soon(() -> shown(number).map(it -> it.getState().equals("F")).orElse(false));
    ObservedJob shown = shown(number).orElseThrow();
    assertEquals(7, shown.getExitStatus(), shown::toString);
    assertTrue(topics.node(RealCluster.SHOWN, host).orElseThrow().getNcpus() >= 2);
  }

  private Optional<ObservedJob> shown(long number) throws Exception {
    return topics.job(RealCluster.SHOWN, number);
  }

  /** Two hundred words, in twenty jobs that are called by some of them. */
  @Test
  void wordsOfUsersComeThroughAsTheyAre() throws Exception {
    List<String> words =
        HostileWords.all(Seeds.TODAY).stream().filter(it -> it.length() < 1_000).toList();
    Map<String, String> wanted = new LinkedHashMap<>();
    for (int i = 0; i < words.size(); i += 10) {
      List<String> some = words.subList(i, Math.min(i + 10, words.size()));
      String id = id();
      StartRun order = job(id, "");
      List<String> argv = new ArrayList<>();
      argv.addAll(List.of("/bin/bash", "-c", "printf '%s\\0' \"$@\" \"${V0}\"", "x"));
      argv.addAll(some);
      order.getSpec().setArgv(argv);
      order.getSpec().setName(some.get(0));
      order.getSpec().setVariables(List.of(new Attribute("V0", some.get(0))));
      shards.order(order);
      wanted.put(id, String.join("\0", some) + "\0" + some.get(0) + "\0");
    }
    for (Map.Entry<String, String> each : wanted.entrySet()) {
      assertEnds(0, each.getKey());
      assertEquals(each.getValue(), Files.readString(output(each.getKey())));
    }
  }

  @Test
  void aQueueThatIsNotThereIsARefusal() {
    String id = id();
    astray.order(astray.start(id, "exit 1", output(id)));
    ReportRunFinished end = astray.awaitEnd(id);
    assertEquals(-1, end.getExitStatus(), end::toString);
    assertTrue(end.getMessage().startsWith("cluster k3: "), end::toString);
  }

  @Test
  void whoHasNoAccountIsRefusedAndOthersGoOn() {
    Map<String, String> owners =
        Map.of(
            "stranger", "has no account in cluster k1", RealCluster.GHOST, "there is no account");
    owners.forEach(
        (owner, why) -> {
          String id = id();
          StartRun order = job(id, "exit 1");
          order.getSpec().setOwner(owner);
          shards.order(order);
          ReportRunFinished end = end(id);
          assertEquals(-10, end.getExitStatus(), end::toString);
          assertTrue(end.getMessage().contains(why), end::toString);
        });
    assertEnds(0, ordered("exit 0"));
  }

  /** Closed queue, and a deletion of what waits. */
  @Test
  void whatWaitsThereIsDeleted() throws Exception {
    must(AdministratorOrder.CLOSE_QUEUE, 0);
    try {
      String id = ordered("exit 1");
      waits(id);
      delete(id);
      assertEnds(DELETED, id);
    } finally {
      must(AdministratorOrder.OPEN_QUEUE, 0);
    }
  }

  @Test
  void aRunningJobIsDeleted() {
    String id = ordered("sleep 300");
    number(id);
    delete(id);
    assertEnds(DELETED, id);
  }

  /** A hold from here while it waits, and another one of an administrator. */
  @Test
  void whatIsHeldWaitsUntilItIsReleased() throws Exception {
    must(AdministratorOrder.CLOSE_QUEUE, 0);
    String here = ordered("exit 3");
    String there = ordered("exit 4");
    long number;
    try {
      waits(here);
      number = waits(there);
      must(AdministratorOrder.HOLD, number);
      signal(here, 1, "suspend");
      soon(() -> heldFromHere(here));
    } finally {
      must(AdministratorOrder.OPEN_QUEUE, 0);
    }
    assertEnds(5, ordered("exit 5"));
    assertTrue(WAITS.matcher(said(there, WAITS)).lookingAt());
    must(AdministratorOrder.RELEASE, number);
    assertEnds(4, there);
    signal(here, 2, "resume");
    assertEnds(3, here);
  }

  /** Whether the worker says so in its log. */
  private boolean heldFromHere(String id) throws IOException {
    return worker.log().lines().filter(it -> it.contains(id) && it.contains("suspend: ")).count()
        > 0;
  }

  @Test
  void whatAnAdministratorCancelsSaysSo() throws Exception {
    String id = ordered("sleep 300");
    must(AdministratorOrder.CANCEL, number(id));
    ReportRunFinished end = end(id);
    assertTrue(Set.of(DELETED, 256 + 9).contains(end.getExitStatus()), end::toString);
  }

  /** Whether the system does it or refuses: the script begins once, and its end is its own. */
  @Test
  void whatAnAdministratorHasRunAgainBeginsOnce() throws Exception {
    String id = ordered("echo begun; sleep 5; exit 5");
    administrator().give(AdministratorOrder.REQUEUE, number(id));
    ReportRunFinished end = end(id);
    assertEquals("begun\n", Files.readString(output(id)));
    assertTrue(end.getExitStatus() == 5 || end.getExitStatus() < 0 || end.getExitStatus() > 255);
  }

  @Test
  void whatIsSuspendedThereIsNotOver() throws Exception {
    String id = ordered("sleep 20; exit 4");
    long number = number(id);
    must(AdministratorOrder.SUSPEND, number);
    try {
      said(id, Pattern.compile(".* is suspended there"));
    } finally {
      must(AdministratorOrder.RESUME, number);
    }
    assertEnds(4, id);
  }

  /** A Grid Engine lets owners suspend and sends no signals, and a Slurm the reverse. */
  @Test
  void whatOwnersMayDoIsDoneAndWhatNotIsNot() throws Exception {
    Path over = cluster.own().resolve("over");
    String text =
        "trap 'exit 6' USR1; echo ready; until [ -e %s ]; do sleep 0.2; done; exit 7"
            .formatted(over);
    String suspended = ordered(text);
    String signalled = ordered(text);
    number(suspended);
    number(signalled);
    soon(() -> Files.exists(output(signalled)) && Files.size(output(signalled)) > 0);
    signal(suspended, 1, "suspend");
    signal(signalled, 1, "10");
    if (suspends()) {
      said(suspended, Pattern.compile(".* is suspended there"));
      signal(suspended, 2, "resume");
      refused(signalled, "signal 10");
    } else {
      refused(suspended, "suspend");
      assertEnds(6, signalled);
    }
    Files.createFile(over);
    assertEnds(7, suspended);
    assertEnds(suspends() ? 7 : 6, signalled);
  }

  @Test
  void aHostThatIsDrainedIsShownSo() throws Exception {
    String free = state();
    must(AdministratorOrder.DRAIN, 0);
    try {
      soon(() -> !state().equals(free));
    } finally {
      must(AdministratorOrder.UNDRAIN, 0);
    }
    soon(() -> state().equals(free));
  }

  private String state() throws Exception {
    return topics.node(RealCluster.SHOWN, host).orElseThrow().getState();
  }

  @Test
  void statusesAndSignalsComeBackAsTheyAre() {
    Map<String, Integer> all = new LinkedHashMap<>();
    for (int status : List.of(0, 1, 9, 73, 99, 100, 126, 128)) {
      all.put(ordered("exit " + status), status);
    }
    all.put(ordered("kill -SEGV $$"), 256 + 11);
    all.forEach((id, status) -> assertEnds(status, id));
  }

  /** Slurm counts whole minutes, and looks at limits twice in one. */
  @Test
  void whatLastsTooLongIsEndedThereAndSaysSo() {
    String id = id();
    StartRun order = job(id, "sleep 600");
    order.getSpec().getRequest().setWalltimeS(3);
    shards.order(order);
    assertEnds(-29, id);
  }

  @Test
  void manyAtOnceBeginOnceEach() throws Exception {
    Path counts = cluster.own().resolve("many");
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      ids.add(ordered("echo " + i + " >> " + counts + "; exit " + i % 7));
    }
    for (int i = 0; i < MANY; i++) {
      assertEnds(i % 7, ids.get(i));
    }
    assertOnce(MANY, counts);
  }

  @Test
  void aLostAnswerIsFoundByItsTag() throws Exception {
    Path counts = cluster.own().resolve("found");
    cluster.commands().loseOne();
    String id = ordered("echo once >> " + counts + "; sleep 3; exit 2");
    assertEnds(2, id);
    assertTrue(cluster.commands().isLost());
    assertEquals(List.of("once"), Files.readAllLines(counts));
  }

  @Test
  void filesComeAndGoWithAJob() throws Exception {
    Path source = Files.writeString(cluster.own().resolve("source"), "data");
    Path taken = cluster.own().resolve("taken");
    String id = id();
    StartRun order = job(id, "cat in > out; echo more >> out; exit 6");
    order
        .getSpec()
        .setExtra(
            List.of(
                new Attribute("sandbox", "PRIVATE"),
                new Attribute("stagein", "in@localhost:" + source),
                new Attribute("stageout", "out@localhost:" + taken)));
    shards.order(order);
    assertEnds(6, id);
    assertEquals("datamore\n", Files.readString(taken));
  }

  @Test
  void aWorkerThatIsKilledLosesNothingAndBeginsNothingTwice() throws Exception {
    Path counts = cluster.own().resolve("killed");
    List<String> ids = new ArrayList<>();
    for (int kill = 0; kill < KILLS; kill++) {
      for (int i = 0; i < 4; i++) {
        ids.add(ordered("echo " + ids.size() + " >> " + counts + "; sleep 2; exit " + ids.size()));
      }
      String begun = Integer.toString(ids.size() - 2);
      soon(() -> Files.exists(counts) && Files.readAllLines(counts).contains(begun));
      worker.kill();
      worker.start(STANDALONE, cluster.connectors());
    }
    for (int i = 0; i < ids.size(); i++) {
      assertEnds(i, ids.get(i));
    }
    assertOnce(ids.size(), counts);
    for (String name : List.of(RealCluster.RUNS, RealCluster.SHOWN)) {
      soon(() -> worker.ask("GET", "/connectors/" + name + "/status", "").contains("RUNNING"));
    }
  }

  /** What runs stays, what is ordered meanwhile waits here, and what is deleted never leaves. */
  @Test
  void whatRunsStaysWhileTheMasterIsAway() throws Exception {
    String runs = ordered("sleep 45; exit 3");
    number(runs);
    cluster.masterDown();
    String waits;
    String deleted;
    List<String> subjobs;
    try {
      said(runs, Pattern.compile(".* is not heard of since .*"));
      waits = ordered("exit 4");
      int array = ++jobs;
      subjobs = IntStream.range(0, 6).mapToObj(it -> array + "[" + it + "].vm").toList();
      subjobs.forEach(it -> shards.order(job(it, "sleep 1; exit $PBS_ARRAY_INDEX")));
      deleted = ordered("touch " + cluster.own() + "/never; exit 4");
      said(deleted, Pattern.compile("Not submitted to cluster k1 yet.*"));
      delete(deleted);
    } finally {
      cluster.masterUp();
    }
    assertEnds(DELETED, deleted);
    assertEnds(3, runs);
    assertEnds(4, waits);
    assertTasksOfOneJob(subjobs);
    cluster.awaitEmpty();
    assertTrue(!Files.exists(cluster.own().resolve("never")));
  }

  /** Due together, they went together. */
  private void assertTasksOfOneJob(List<String> subjobs) {
    List<Long> numbers = new ArrayList<>();
    for (int i = 0; i < subjobs.size(); i++) {
      assertEnds(i, subjobs.get(i));
      numbers.add(number(subjobs.get(i)));
    }
    assertTrue(Set.copyOf(numbers).size() < subjobs.size(), numbers::toString);
  }
}
