package io.millrace.server.gridengine.advance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.schedulers.gridengine.language.request.OptionLineWords;
import io.millrace.schedulers.gridengine.language.request.RequestRefused;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.GridEngineGrant;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.gateway.command.Failure;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Options and times of qrsub, and what is left of a node in a window. */
class AdvanceOptionsTest {

  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-11-20T15:34:29Z"), ZoneOffset.UTC);

  private static AdvanceOptions options(String line) throws Failure {
    return AdvanceOptions.of(OptionLineWords.of(line), ReserveCommand.known());
  }

  private static String wrong(String line) {
    return assertThrows(Failure.class, () -> AdvanceTimes.of(options(line), CLOCK)).text();
  }

  private static String refused(String line) {
    return assertThrows(RequestRefused.class, () -> AdvanceTimes.of(options(line), CLOCK))
        .getMessage();
  }

  private static String window(String line) throws Failure {
    AdvanceTimes times = AdvanceTimes.of(options(line), CLOCK);
    return Instant.ofEpochSecond(times.start()) + " " + Instant.ofEpochSecond(times.end());
  }

  @Test
  void windows() throws Failure {
    String both = "2026-11-20T15:34:48Z 2026-11-20T15:35:28Z";
    assertEquals(both, window("-a 202611201534.48 -e 202611201535.28"));
    assertEquals(both, window("-a 11201534.48 -d 0:0:40"));
    assertEquals(both, window("-e 202611201535.28 -d 40"));
    assertEquals(both, window("-a 202611201534.48 -e 202611201535.28 -d 40"));
    assertEquals("2026-11-20T15:34:34Z 2026-11-20T15:44:34Z", window("-d 0:10:0"), "now");
    assertEquals("2026-11-20T15:34:34Z 2026-11-20T15:34:44Z", window("-d ::10"));
  }

  @Test
  void noWindows() {
    assertEquals("start time is in the past", refused("-a 200001010000 -d 1:0:0"));
    assertEquals("start time is later than end time", refused("-a 203001010000 -e 202901010000"));
    assertEquals("start time is later than end time", refused("-a 203001010000 -d 0"));
    assertEquals(
        "start time, end time and duration do not agree",
        refused("-a 203001010000 -e 203001010100 -d 60"));
    assertEquals(
        "missing value for \"end time or duration\" in advance reservation request",
        refused("-a 203001010000"));
    assertEquals("error: invalid option argument \"-d 5m\"\n", wrong("-d 5m"));
    assertEquals(
        "error: Invalid format of date/hour-minute field.\n"
            + "qrsub: Wrong date/time format \"203013010000\" specified to -e option\n",
        wrong("-e 203013010000"));
  }

  @Test
  void wrongLines() throws Failure {
    assertEquals("error: invalid option argument \"-h\"\n", wrong("-d 30 -h x"));
    assertEquals("error: -pe option must have argument\n", wrong("-d 30 -pe mpi"));
    assertEquals(
        "error: invalid option argument \"-he maybe\"\n",
        assertThrows(Failure.class, () -> options("-he maybe").yes("-he")).text());
    AdvanceOptions lists = options("-l a=1 -l b -q x -N y -N z");
    assertEquals(List.of("a=1", "b"), lists.list("-l"));
    assertEquals(List.of("-N", "z", "-q", "x"), lists.words("-N", "-q", "-pe"));
  }

  @Test
  void whatCannotBeKeptIsRefusedByName() {
    assertEquals(
        "error: option -ckpt is not supported: there are no checkpointing environments\n",
        typed("-ckpt", "c", "-d", "30"));
    assertEquals(
        "error: option -masterq is not supported: the queue of the master cannot be chosen\n",
        typed("-d", "30", "-masterq", "all.q"));
    assertEquals("error: invalid option argument \"-w p\"\n", typed("-d", "30", "-w", "p"));
    assertEquals("error: invalid option argument \"extra\"\n", typed("-d", "30", "extra"));
  }

  @Test
  void namesAndAccountsAreWhatALineCanShow() throws Failure {
    String name = "error: -N: a name has 1 to 230 letters, digits and characters of -_+.\n";
    for (String wrong : List.of("", "a b", "a\nstate r", "a;Q;R1", "\u00e4", "a".repeat(231))) {
      assertEquals(name, typed("-d", "30", "-N", wrong));
    }
    String account = "error: -A: an account has only printable characters\n";
    for (String wrong : List.of("", "a\nb", "a\u0000", "\u001b[2J")) {
      assertEquals(account, typed("-d", "30", "-A", wrong));
    }
    List<String> right = List.of("-d", "30", "-N", "Win_1.a+b-c", "-A", "the account");
    assertEquals("the account", ReserveCommand.options(right).value("-A").orElseThrow());
  }

  @Test
  void whoIsWrittenToOfWhat() throws Failure {
    for (String wrong : List.of("", "x", "s", "na", "a,", "abes")) {
      assertEquals(
          "error: invalid option argument \"-m " + wrong + "\"\n", typed("-d", "30", "-m", wrong));
    }
    for (String wrong : List.of("", ",", "a b", "a@b@c", "a#")) {
      assertEquals(
          "error: invalid option argument \"-M " + wrong + "\"\n", typed("-d", "30", "-M", wrong));
    }
    ReservationSpec spec = new ReservationSpec();
    spec.setMailPoints("n");
    AdvanceMail.of(options("-d 30")).into(spec);
    assertEquals("n", spec.getMailPoints());
    AdvanceMail.of(options("-d 30 -m b,e -m a,be -M ann -M bob@there")).into(spec);
    assertEquals("abe", spec.getMailPoints());
    assertEquals(List.of("ann", "bob@there"), spec.getMailUsers());
  }

  private static String typed(String... words) {
    return assertThrows(Failure.class, () -> ReserveCommand.options(List.of(words))).text();
  }

  @Test
  void whatIsLeftThroughoutAWindow() {
    FreeSlots free = new FreeSlots(new AdvanceTimes(100, 200), List.of(), List.of());
    free.take("n", 2, 0, 120_000);
    free.take("n", 3, 120_000, 500_000);
    free.take("n", 7, 0, 100_000);
    free.take("n", 7, 200_000, Long.MAX_VALUE);
    assertEquals(5, free.left("n", 8), "two and three are never taken at once");
    free.take("n", 4, 150_000, 160_000);
    assertEquals(1, free.left("n", 8));
    free.take("n", Integer.MAX_VALUE, 199_000, 201_000);
    assertEquals(0, free.left("n", 8));
    assertEquals(8, free.left("m", 8));
  }

  private static Node node(String name, String host) {
    return Node.newBuilder()
        .setName(name)
        .setHost(host)
        .setUp(true)
        .setMeasured(Map.of("ncpus", 8L))
        .setHoldings(List.of())
        .build();
  }

  private static Allocation run(String node, String host, GridEngineGrant grant) {
    NodeShare share = new NodeShare(node, host, 1, Map.of("ncpus", 1L));
    return new Allocation(List.of(share), "", "", grant);
  }

  @Test
  void aRunThatSharesItsNodeWithNobodyHasAllOfIt() {
    List<Node> nodes = List.of(node("a", "a"), node("b", "b"), node("c0", "c"), node("c1", "c"));
    ClusterObject alone =
        new ClusterObject(
            ObjectKind.NODE, "b", 1L, List.of(new Attribute("sharing", "force_excl")), 1L);
    FreeSlots free = new FreeSlots(new AdvanceTimes(100, 200), nodes, List.of(alone));
    free.take(run("a", "a", null), "free", 150_000);
    assertEquals(7, free.left("a", 8));
    free.take(run("b", "b", new GridEngineGrant()), "free", 150_000);
    assertEquals(7, free.left("b", 8), "of Grid Engine's own runs the node says nothing");
    free.take(run("b", "b", null), "free", 150_000);
    assertEquals(0, free.left("b", 8));
    free.take(run("a", "a", null), "free:excl", 100_000);
    assertEquals(7, free.left("a", 8), "it ends before");
    free.take(run("a", "a", null), "free:excl", 101_000);
    assertEquals(0, free.left("a", 8));
    free.take(run("c0", "c", null), "scatter:exclhost", 101_000);
    assertEquals(0, free.left("c0", 8));
    assertEquals(0, free.left("c1", 8), "it is of the same host");
  }

  @Test
  void onlyNodesOfThePartitionThatAreUpAreLeft() {
    Node down = node("b", "b");
    down.setUp(false);
    List<ClusterObject> objects =
        List.of("a", "b", "c").stream()
            .map(
                it ->
                    new ClusterObject(
                        ObjectKind.NODE,
                        it,
                        1L,
                        List.of(new Attribute("partition", it.equals("c") ? "P2" : "P1")),
                        1L))
            .toList();
    List<Node> nodes = List.of(node("a", "a"), down, node("c", "c"), node("d", "d"));
    FreeSlots free = new FreeSlots(new AdvanceTimes(100, 200), nodes, objects);
    free.take("c", 3, 0, 150_000);
    assertEquals(Map.of("a", 8L), free.ofPartition("P1", ResourceTable.standard()));
    assertEquals(Map.of("c", 5L), free.ofPartition("P2", ResourceTable.standard()));
  }
}
