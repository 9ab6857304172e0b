package io.millrace.connectors.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.local.FakeShards;
import io.millrace.connectors.testkit.PeerAdministrator.AdministratorOrder;
import io.millrace.schemas.command.ReportNodeUp;
import io.millrace.schemas.command.ReportRunAnswered;
import io.millrace.schemas.command.ReportRunFinished;
import io.millrace.schemas.command.ReportRunOutside;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.output.StartRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/**
 * What orders about runs come to, and where runs and their ends come from, some of it with a sink
 * that has settings of its own.
 */
abstract class ConnectOrders extends ConnectFaults {

  private static final int LIMIT = -29;
  private static final Pattern NUMBERED = Pattern.compile("Job \\d+");
  private static final List<String> HOSTS = List.of("mrhost1", "mrhost2");

  private boolean placing;

  /** Words that show a job there as it is. */
  abstract List<String> showing(long number);

  /** What they print of its time limit. */
  abstract Pattern limit();

  /** A word of the refusal to make a job longer that runs. */
  abstract String noLonger();

  /** The settings with which a sink hears of begins and ends between two questions. */
  abstract Map<String, String> hearing();

  /** The settings of a sink that has no accounting to read; empty for those that it has not. */
  abstract Map<String, String> withoutAccounting() throws Exception;

  /** The status of a script that has ended with 4 when nothing but the queue can say so. */
  abstract int endOfTheQueueAlone();

  /** Has the queue forget what is over soon, or not any more. */
  abstract void forgetSoon(boolean soon) throws Exception;

  /** The queue of two hosts that takes jobs from here only. */
  abstract String placed();

  /** Variables that say in which queue and on which host a script runs. */
  abstract String place();

  private AddedSink sink(String name, LyingCommands lying, Map<String, String> more)
      throws Exception {
    return sink(name, host, lying, more);
  }

  private AddedSink sink(String name, String host, LyingCommands lying, Map<String, String> more)
      throws Exception {
    return new AddedSink(
        worker, cluster, host, cluster.added(name, lying, more), SOON.multipliedBy(2));
  }

  private String ordered(AddedSink sink, String text) {
    String id = id();
    sink.shards.order(sink.shards.start(id, text, output(id)));
    return id;
  }

  private static void assertEnds(int status, FakeShards of, String id) {
    ReportRunFinished end = of.awaitEnd(id);
    assertEquals(status, end.getExitStatus(), end::toString);
  }

  /** What the system has answered to an order, once it has. */
  private ReportRunAnswered answered(String id, String order) {
    List<SpecificRecord> all =
        shards.awaitReports(
            FakeShards.SHARD, SOON, it -> answers(it, id, order).findAny().isPresent());
    return answers(all, id, order).findFirst().orElseThrow();
  }

  private static Stream<ReportRunAnswered> answers(
      List<SpecificRecord> all, String id, String order) {
    return all.stream()
        .filter(ReportRunAnswered.class::isInstance)
        .map(ReportRunAnswered.class::cast)
        .filter(it -> it.getJobId().equals(id) && it.getOrder().equals(order));
  }

  /** The words with which an order was refused there, once it was. */
  String refused(String id, String order) {
    ReportRunAnswered answer = answered(id, order);
    assertTrue(answer.getRefused(), answer::toString);
    return answer.getText();
  }

  @Test
  void whatIsHeldFromHereWaitsUntilItIsReleased() throws Exception {
    Pattern held = Pattern.compile("Job .* is held there");
    must(AdministratorOrder.CLOSE_QUEUE, 0);
    String id = ordered("exit 3");
    try {
      waits(id);
      signal(id, 1, "hold");
      said(id, held);
    } finally {
      must(AdministratorOrder.OPEN_QUEUE, 0);
    }
    assertEnds(4, ordered("exit 4"));
    said(id, held);
    assertFalse(Files.exists(output(id)), "it is held");
    signal(id, 2, "release");
    assertEnds(3, id);
  }

  /** So that it ends by that one. */
  @Test
  void whatWaitsThereGetsAnotherWalltime() throws Exception {
    must(AdministratorOrder.CLOSE_QUEUE, 0);
    String id = id();
    try {
      shards.order(lasting(id, "sleep 300", 600));
      long number = waits(id);
      String before = limit(number);
      signal(id, 1, "limit3");
      soon(() -> !limit(number).equals(before));
    } finally {
      must(AdministratorOrder.OPEN_QUEUE, 0);
    }
    assertEnds(LIMIT, id);
  }

  private StartRun lasting(String id, String text, long seconds) {
    StartRun order = job(id, text);
    order.getSpec().getRequest().setWalltimeS(seconds);
    return order;
  }

  private String limit(long number) throws InterruptedException {
    String shown = told(showing(number)).out();
    Matcher limit = limit().matcher(shown);
    assertTrue(limit.find(), shown);
    return limit.group(1);
  }

  /** A longer walltime of what runs, and of signals and suspension the one that is not offered. */
  @Test
  void refusalsAreToldInTheWordsOfTheCluster() {
    String id = id();
    shards.order(lasting(id, "sleep 25; exit 7", 600));
    number(id);
    signal(id, 1, "limit60000");
    String words = refused(id, "limit");
    assertTrue(words.contains(noLonger()), words);
    said(id, Pattern.compile("limit was not carried out there: " + Pattern.quote(words)));
    String order = suspends() ? "10" : "suspend";
    signal(id, 2, order);
    String also = refused(id, suspends() ? "signal " + order : order);
    assertFalse(also.isBlank());
    assertEnds(7, id);
  }

  /**
   * The queue is not told until its number is known, so that its tag stands in accounting only.
   * What anybody can write into accounting the queue has to confirm afterwards.
   */
  @Test
  void aLostAnswerIsFoundInAccounting() throws Exception {
    LyingCommands lying = cluster.commandsOf("k4");
    try (AddedSink sink = sink("k4", lying, Map.of())) {
      lying.loseOneInTheDark();
      String id = ordered(sink, "echo begun; exit 4");
      sink.shards.awaitReports(FakeShards.SHARD, SOON, all -> isFound(all, id));
      assertTrue(lying.isLost());
      soon(() -> !lying.questions().isEmpty());
      lying.answering();
      assertEnds(4, sink.shards, id);
      assertEquals("begun\n", Files.readString(output(id)));
    } finally {
      lying.answering();
    }
  }

  /** Whether a number has been told, or its end. */
  private static boolean isFound(List<SpecificRecord> all, String id) {
    return all.stream()
        .anyMatch(
            it ->
                it instanceof ReportRunOutside said
                        && said.getJobId().equals(id)
                        && NUMBERED.matcher(said.getText()).lookingAt()
                    || it instanceof ReportRunFinished end && end.getJobId().equals(id));
  }

  /**
   * An answer that takes seconds makes the next question come a minute later, unless an end is
   * heard that it has to confirm.
   */
  @Test
  void itsBeginAndItsEndAreHeardBetweenTwoQuestions() throws Exception {
    LyingCommands lying = cluster.commandsOf("k5");
    try (AddedSink sink = sink("k5", lying, hearing())) {
      lying.slow();
      soon(() -> !lying.questions().isEmpty());
      long from = System.currentTimeMillis();
      String id = ordered(sink, "sleep 3; date +%s%3N; exit 4");
      number(sink.shards, id);
      assertUnasked(from, System.currentTimeMillis(), lying);
      assertEnds(4, sink.shards, id);
      long told = System.currentTimeMillis();
      assertUnasked(from, Long.parseLong(Files.readString(output(id)).strip()), lying);
      assertTrue(told < from + LyingCommands.PAUSE.toMillis(), () -> told + " is late");
    } finally {
      lying.answering();
    }
  }

  /** No question for the queue was answered with what it has been between two moments. */
  private static void assertUnasked(long from, long to, LyingCommands lying) throws Exception {
    List<String> asked = lying.questions();
    assertTrue(
        asked.stream().mapToLong(Long::parseLong).allMatch(it -> it < from || it > to),
        () -> "the queue was asked for between " + from + " and " + to + ": " + asked);
  }

  /** Where the queue shows no ends, nobody knows how it has ended, and nothing is made up. */
  @Test
  void theEndComesOfTheQueueAlone() throws Exception {
    LyingCommands lying = cluster.commandsOf("k6");
    try (AddedSink sink = sink("k6", lying, withoutAccounting())) {
      String id = ordered(sink, "echo begun; chmod 555 \"${0%/*}\"; exit 4");
      assertEnds(endOfTheQueueAlone(), sink.shards, id);
      assertEquals("begun\n", Files.readString(output(id)));
    }
  }

  /** While nobody looked it has ended, and was forgotten. */
  @Test
  void theWrapperSaysTheEndThatTheQueueHasForgotten() throws Exception {
    LyingCommands lying = cluster.commandsOf("k7");
    forgetSoon(true);
    try (AddedSink sink = sink("k7", lying, withoutAccounting())) {
      String id = ordered(sink, "echo begun; sleep 20; exit 4");
      long number = number(sink.shards, id);
      sink.leave();
      soon(() -> !told(showing(number)).isGood());
      sink.begin();
      assertEnds(4, sink.shards, id);
      assertEquals("begun\n", Files.readString(output(id)));
    } finally {
      forgetSoon(false);
    }
  }

  /** Of the resource ngpus the host has two: a second run waits for those of the first. */
  @Test
  void whatElseJobsAskForIsCounted() {
    shards.awaitReports(
        0,
        SOON,
        all ->
            all.stream()
                .anyMatch(
                    it ->
                        it instanceof ReportNodeUp up
                            && up.getHost().equals(host + "@" + RealCluster.RUNS)
                            && up.getMeasured().getOrDefault("ngpus", 0L) == 2));
    String first = id();
    shards.order(asking(first, "sleep 600", 2));
    number(first);
    String second = id();
    shards.order(asking(second, "exit 4", 1));
    waits(second);
    delete(first);
    end(first);
    assertEnds(4, second);
  }

  private StartRun asking(String id, String text, long gpus) {
    String node = host + "@" + RealCluster.RUNS;
    return on(job(id, text), new NodeShare("node", node, 1, Map.of("ncpus", 1L, "ngpus", gpus)));
  }

  private static StartRun on(StartRun order, NodeShare... shares) {
    order.setAllocation(
        new Allocation(Arrays.asList(shares), shares[0].getHost() + "/0", "(node:ncpus=1)", null));
    return order;
  }

  /** All two processors that a run may have there of a host. */
  private static NodeShare pair(String host, String sink) {
    return new NodeShare("node", host + "@" + sink, 1, Map.of("ncpus", 2L));
  }

  /** Two more hosts, once. */
  private AddedSink placing(String name) throws Exception {
    if (!placing) {
      system("more");
      placing = true;
    }
    Map<String, String> more = Map.of("cluster.mode", "place", "cluster.queue", placed());
    return sink(name, HOSTS.get(0), cluster.commandsOf(name), more);
  }

  /** Its own scheduler would begin with the first of them, as long as that has room. */
  @Test
  void aJobGoesToTheHostThatWasChosenHere() throws Exception {
    try (AddedSink sink = placing("k8");
        FakeShards other = new FakeShards(cluster.broker(), HOSTS.get(1) + "@k8")) {
      other.awaitReports(0, SOON, all -> isUp(all, HOSTS.get(1) + "@k8"));
      for (FakeShards of : List.of(other, sink.shards)) {
        String chosen = HOSTS.get(of == other ? 1 : 0);
        String id = id();
        of.order(on(of.start(id, "echo " + place(), output(id)), pair(chosen, "k8")));
        assertEnds(0, of, id);
        assertEquals(placed() + " " + chosen + "\n", Files.readString(output(id)));
      }
    }
  }

  private static boolean isUp(List<SpecificRecord> all, String node) {
    return all.stream().anyMatch(it -> it instanceof ReportNodeUp up && up.getHost().equals(node));
  }

  /** What it has of them nobody else gets until it is over. */
  @Test
  void aRunOfTwoHostsIsOneJobThatHoldsBoth() throws Exception {
    try (AddedSink sink = placing("k9");
        FakeShards other = new FakeShards(cluster.broker(), HOSTS.get(1) + "@k9")) {
      other.awaitReports(0, SOON, all -> isUp(all, HOSTS.get(1) + "@k9"));
      String both = id();
      Path go = cluster.own().resolve("go-" + both);
      String text =
          "sort \"$PBS_NODEFILE\"; until [ -e %s ]; do sleep 0.2; done; exit 5".formatted(go);
      sink.shards.order(
          on(
              sink.shards.start(both, text, output(both)),
              pair(HOSTS.get(0), "k9"),
              pair(HOSTS.get(1), "k9")));
      number(sink.shards, both);
      String second = id();
      String waiting = "[ -e %s ] || exit 9; exit 4".formatted(go);
      other.order(on(other.start(second, waiting, output(second)), pair(HOSTS.get(1), "k9")));
      said(other, second, WAITS);
      Optional<Path> none = Optional.of(output(second)).filter(Files::exists);
      assertEquals(Optional.empty(), none);
      assertEquals(HOSTS, Files.readAllLines(output(both)));
      Files.createFile(go);
      assertEnds(5, sink.shards, both);
      assertEnds(4, other, second);
    }
  }
}
