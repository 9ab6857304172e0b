package io.millrace.server.gateway.reservation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.command.SubmitReservation;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.FakeSite;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** pbs_rsub without a partition, where several schedulers could confirm. */
class AskedInTurnTest {

  private final FakeSite site = new FakeSite();

  /** The next is asked when one has denied it; those that do not schedule are not asked. */
  @ParameterizedTest
  @CsvSource({
    "'',pbs-default P2,R74.vm UNCONFIRMED",
    "-I 10,pbs-default P2,R74.vm CONFIRMED",
    "-I -10,pbs-default P2,R74.vm CONFIRMED",
    "-p P3,P3,R74.vm CONFIRMED"
  })
  void schedulersAreAskedInTurn(String options, String asked, String said) throws Exception {
    site.answer(
        sent -> {
          boolean first = partition(sent).equals("pbs-default");
          String line = first ? "R73.vm DENIED" : "R74.vm CONFIRMED";
          return new Reply(sent.id(), 0, List.of(line, "no room"), false);
        });
    assertEquals(said + "\n", run("pbs_rsub -R 1610 -D 60 " + options).output());
    assertEquals(asked, asked());
  }

  @Test
  void whoeverDoesNotDecideInTimeKeepsIt() throws Exception {
    site.answer(sent -> new Reply(sent.id(), 0, List.of("R73.vm UNCONFIRMED"), false));
    assertEquals("R73.vm UNCONFIRMED\n", run("pbs_rsub -R 1610 -D 60").output());
    assertEquals("pbs-default", asked());
  }

  @Test
  void whoDoesNotScheduleIsNotAskedUnlessNobodyDoes() throws Exception {
    site.answer(sent -> new Reply(sent.id(), 0, List.of("R76.vm DENIED"), false));
    site.put(ObjectKind.SCHEDULER, "default", "scheduling", "False");
    run("pbs_rsub -I 10 -R 1610 -D 60");
    assertEquals("P2 P3", asked());
    site.sent.clear();
    for (String other : List.of("sc2", "sc3")) {
      site.put(ObjectKind.SCHEDULER, other, "scheduling", "False");
    }
    run("pbs_rsub -I 10 -R 1610 -D 60");
    assertEquals("pbs-default", asked());
  }

  /** Without waiting nobody hears from the last one; who waits goes on where he began. */
  @Test
  void whatAllHaveDeniedIsDenied() throws Exception {
    site.answer(sent -> new Reply(sent.id(), 0, List.of("R76.vm DENIED"), false));
    assertEquals("R76.vm DENIED\n", run("pbs_rsub -I -30 -R 1610 -D 60").output());
    assertEquals("pbs-default P2 P3 pbs-default", asked());
    assertEquals(List.of(true, true, true, false), atOnce());
    site.sent.clear();
    run("pbs_rsub -R 1610 -D 60");
    assertEquals("pbs-default P2 P3", asked());
    assertEquals(0L, sent(2).getInteractiveS());
    assertEquals(List.of(true, true, false), ownWait(), "no -I was given");
    site.sent.clear();
    run("pbs_rsub -I 30 -R 1610 -D 60");
    assertEquals(List.of(false, false, false), ownWait());
    site.sent.clear();
    run("pbs_rsub -R 1610 -D 60");
    assertEquals(List.of(true, true, false), atOnce());
  }

  @BeforeEach
  void schedulers() {
    for (String each : List.of("2", "3", "4")) {
      site.put(ObjectKind.PARTITION, "P" + each, "shard", "0", "scheduler", "sc" + each);
      String scheduling = each.equals("4") ? "False" : "True";
      site.put(ObjectKind.SCHEDULER, "sc" + each, "scheduling", scheduling);
    }
  }

  private FakeInvocation run(String line) throws Exception {
    List<String> words = Arrays.asList(line.split(" "));
    return site.run(new FakeInvocation("pbsu1", words, new HashMap<>(), site.id()));
  }

  private SubmitReservation sent(int index) {
    return (SubmitReservation) site.sent.get(index).command();
  }

  private static String partition(FakeSite.Sent sent) {
    return ((SubmitReservation) sent.command()).getSpec().getPartition();
  }

  private String asked() {
    return site.sent.stream().map(AskedInTurnTest::partition).collect(Collectors.joining(" "));
  }

  private List<Boolean> ownWait() {
    return site.sent.stream().map(it -> ((SubmitReservation) it.command()).getOwnWait()).toList();
  }

  private List<Boolean> atOnce() {
    return site.sent.stream().map(it -> ((SubmitReservation) it.command()).getAtOnce()).toList();
  }
}
