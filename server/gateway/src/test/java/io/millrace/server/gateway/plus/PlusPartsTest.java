package io.millrace.server.gateway.plus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.DeleteTogether;
import io.millrace.schemas.command.ReserveTogether;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.PartOf;
import io.millrace.schemas.state.PastReservation;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationTransaction;
import io.millrace.schemas.state.TransactionKind;
import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.FakeSite;
import io.millrace.server.gateway.command.RecordedReservations;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reservations in several partitions, all or nothing: plus_reserve --at. */
class PlusPartsTest {

  private final FakeSite site = new FakeSite();

  @BeforeEach
  void answers() {
    site.put(ObjectKind.PARTITION, "P1", "shard", "2", "scheduler", "sc1");
    site.put(ObjectKind.PARTITION, "P2", "shard", "1", "scheduler", "sc2");
    site.answer(sent -> new Reply(sent.id(), 0, List.of("W80.vm CONFIRMED", "R81.vm"), false));
  }

  private FakeInvocation run(String user, String line) throws Exception {
    return site.run(
        new FakeInvocation(user, Arrays.asList(line.split(" ")), new HashMap<>(), site.id()));
  }

  private <T> T sent(Class<T> type) {
    return type.cast(site.sent.get(site.sent.size() - 1).command());
  }

  private Reservation part(long number, int index, String partition) {
    Reservation part = Reservation.newBuilder(RecordedReservations.r73()).build();
    part.setNumber(number);
    part.setQueue("R" + number);
    part.setId("R" + number + ".vm");
    part.getSpec().setPartition(partition);
    part.setWhole(new PartOf("W80.vm", 80L, 2, index, List.of("P1", "P2")));
    site.reservations.put(number, part);
    return part;
  }

  @Test
  void aPartForEachPartition() throws Exception {
    String line = "plus_reserve --at P1=4,P2=8 -s 1610 -D 600 -ncpu 2 -U bob";
    FakeInvocation done = run("pbsu1", line);
    assertEquals("W80\n", done.output(), done::errors);
    List<ReservationSpec> parts = sent(ReserveTogether.class).getParts();
    assertEquals(List.of("P1", "P2"), parts.stream().map(it -> it.getPartition()).toList());
    assertEquals(
        List.of(4, 8),
        parts.stream().map(it -> it.getRequest().getChunks().get(0).getCount()).toList());
    assertEquals(parts.get(0).getEndMs(), parts.get(1).getEndMs());
    assertEquals(2L, parts.get(1).getRequest().getChunks().get(0).getAmounts().get("ncpus"));
    assertEquals("pbsu1", parts.get(1).getOwner());
    assertEquals(2, site.sent.get(site.sent.size() - 1).shard());
    String xml = run("pbsu1", line + " -x").output();
    XmlCheck.validate(xml, run("x", "plus_status --schema").output());
    site.answer(
        sent -> new Reply(sent.id(), 0, List.of("W80.vm DENIED", "P2: too little is free"), false));
    FakeInvocation denied = run("pbsu1", line);
    assertEquals("plus_reserve: denied: P2: too little is free\n", denied.errors());
    assertEquals(1, site.status);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--at P1=1,P9=1|unknown partition: P9|1",
        "--at P1=1,P1=2|option --at: P1 is named twice|2",
        "--at P1=0|option --at: not from 1 to 5000 nodes: P1=0|2",
        "--at P1=5001|option --at: not from 1 to 5000 nodes: P1=5001|2",
        "--at P1|option --at: not partition=number or site:partition=number: P1|2",
        "--at P1=1,|option --at: not partition=number or site:partition=number: |2",
        "--at P1=two|option --at: not partition=number or site:partition=number: P1=two|2",
        "--at s2:P1=1,s2:P1=2|option --at: s2:P1 is named twice|2",
        "--at s2:P1=0|option --at: not from 1 to 5000 nodes: s2:P1=0|2",
        "--at P1=1 -n 1|option -n cannot be used with --at: it says how many nodes in which partition|2",
        "--at P1=1 -sgeq a|option -sgeq cannot be used with --at: it names the partitions|2",
        "--at P1=1,P2=1 -T|option -T cannot be used with --at: its parts are held and committed together by themselves|2",
        "--at s2:P1=1 -T|option -T cannot be used with --at: its parts are held and committed together by themselves|2",
        "--at P1=1 -o x|there is no option -o|2",
      })
  void wrongLines(String options, String error, int status) throws Exception {
    FakeInvocation done = run("pbsu1", "plus_reserve -s 1610 -D 60 " + options);
    String first = done.errors().lines().findFirst().orElse("");
    assertEquals("plus_reserve: " + (error == null ? "" : error), first.strip());
    assertEquals(status, site.status);
    assertTrue(site.sent.isEmpty(), "nothing is asked for");
  }

  @Test
  void theWholeIsShownWithItsParts() throws Exception {
    part(82, 1, "P2");
    part(81, 0, "P1");
    site.reservations.put(73L, RecordedReservations.r73());
    List<String> rows = run("x", "plus_status").output().lines().toList();
    assertEquals(
        List.of("ID", "R73", "W80", "R81", "R82"),
        rows.stream().map(it -> it.split(" ")[0]).toList());
    int nodes = PlusStatus.nodeCount(site.reservations.get(81L).getSpec());
    assertTrue(rows.get(2).contains(" CONFIRMED "), rows::toString);
    assertTrue(rows.get(2).endsWith(" " + 2 * nodes), rows::toString);
    assertEquals(4, run("x", "plus_status -r W80").output().lines().count());
    assertEquals(2, run("x", "plus_status -r R81").output().lines().count());
    String xml = run("x", "plus_status -x -r W80").output();
    assertTrue(xml.contains(" whole=\"W80\""), xml);
    XmlCheck.validate(xml, run("x", "plus_status --schema").output());
    site.reservations.remove(82L);
    assertTrue(run("x", "plus_status").output().lines().toList().get(2).contains(" DEGRADED "));
    site.reservations
        .get(81L)
        .setPending(
            new ReservationTransaction(
                TransactionKind.RESERVE, "a@b", 0L, null, List.of(), "", List.of()));
    assertTrue(run("x", "plus_status").output().lines().toList().get(2).contains(" UNCONFIRMED "));
    assertEquals(
        "plus_status: Unknown Reservation Id W99\n", run("x", "plus_status -r W99").errors());
  }

  @Test
  void itEndsAsAWhole() throws Exception {
    part(81, 0, "P1");
    part(82, 1, "P2");
    assertEquals("W80\n", run("pbsu1", "plus_cancel -r W80").output());
    assertEquals("W80.vm", sent(DeleteTogether.class).getWholeId());
    run("pbsu1", "plus_destroy -r W80.vm");
    assertTrue(sent(DeleteTogether.class).getForget());
    String owner = site.reservations.get(81L).getSpec().getOwner();
    assertEquals("W80\n", run(owner, "plus_cancel -o " + owner).output(), "once");
    run("pbsu1", "plus_cancel -T -r W80");
    assertEquals(2, site.status);
    for (String line : List.of("plus_modify -D 60", "plus_commit", "plus_abort")) {
      FakeInvocation refused = run("pbsu1", line + " -r W80");
      assertTrue(refused.errors().contains("W80 has parts in several partitions"), line);
      assertEquals(1, site.status);
    }
  }

  @Test
  void whyNamesWhatIsMissing() throws Exception {
    part(81, 0, "P1");
    part(82, 1, "P2");
    String whole = run("x", "why W80").output();
    assertTrue(whole.startsWith("W80.vm: all 2 parts are there. P1: R81 confirmed"), whole);
    assertTrue(run("x", "why R81").output().contains("It is a part of W80.vm."));
    Reservation gone = site.reservations.remove(82L);
    String missing = run("x", "why W80").output();
    assertTrue(missing.contains("1 of 2 parts are missing. P2: nothing is known of it."), missing);
    gone.setEndedBy("op@vm");
    site.past.add(new PastReservation(gone, FakeSite.NOW_MS, FakeSite.NOW_MS, "deleted"));
    missing = run("x", "why W80").output();
    assertTrue(missing.contains("missing. P2: R82 deleted by op@vm"), missing);
    assertEquals("why: Unknown Reservation Id W99.vm\n", run("x", "why W99").errors());
  }
}
