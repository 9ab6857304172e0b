package io.millrace.server.gateway.plus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.DeleteTogether;
import io.millrace.schemas.command.ReserveTogether;
import io.millrace.schemas.command.SubmitReservation;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.PartState;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationTransaction;
import io.millrace.schemas.state.ReservationWhole;
import io.millrace.schemas.state.SitePart;
import io.millrace.schemas.state.SiteWish;
import io.millrace.schemas.state.TransactionKind;
import io.millrace.schemas.state.WholePart;
import io.millrace.schemas.state.WholeState;
import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.FakeSite;
import io.millrace.server.gateway.command.RecordedReservations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reservations with parts in other installations: plus_reserve --at site:partition=number. */
class PlusSitesTest {

  private final FakeSite site = new FakeSite();

  @TempDir Path home;

  @BeforeEach
  void answers() throws IOException {
    site.home(home);
    Files.createDirectories(home.resolve("etc"));
    Files.writeString(home.resolve(OtherSites.FILE), "far.url = https://far.org:8443\n");
    site.put(ObjectKind.PARTITION, "P1", "shard", "2", "scheduler", "sc1");
    site.answer(sent -> new Reply(sent.id(), 0, List.of("W80.vm CONFIRMED", "R17"), false));
  }

  private FakeInvocation run(String user, String line) throws Exception {
    return site.run(
        new FakeInvocation(user, Arrays.asList(line.split(" ")), new HashMap<>(), site.id()));
  }

  private <T> T sent(Class<T> type) {
    return type.cast(site.sent.get(site.sent.size() - 1).command());
  }

  private WholePart far(PartState state) {
    SiteWish wish = new SiteWish("far", "PX", 3);
    SitePart there =
        SitePart.newBuilder().setWish(wish).setHoldId(new CommandId(new byte[16])).build();
    WholePart part =
        WholePart.newBuilder()
            .setPartition("far:PX")
            .setShard(-1)
            .setReservationId(state == PartState.ASKED ? "" : "R17")
            .setState(state)
            .setThere(there)
            .build();
    site.wholes.clear();
    site.wholes.add(
        ReservationWhole.newBuilder()
            .setId("W80.vm")
            .setNumber(80L)
            .setOwner("ann")
            .setState(WholeState.KEPT)
            .setParts(List.of(part))
            .setStartMs(FakeSite.NOW_MS)
            .setEndMs(FakeSite.NOW_MS + 3_600_000)
            .setCreatedMs(FakeSite.NOW_MS)
            .build());
    return part;
  }

  @Test
  void otherInstallationsAreAskedWithT() throws Exception {
    String line = "plus_reserve --at P1=4,far:PX=3 -s 1610 -D 600 -ncpu 2 -mem 1gb -U bob,eve";
    assertEquals("W80\n", run("ann", line).output());
    ReserveTogether wish = sent(ReserveTogether.class);
    assertEquals(1, wish.getParts().size());
    assertEquals(wish.getParts().get(0).getEndMs(), wish.getEndMs());
    SiteWish far = wish.getSites().get(0);
    assertEquals(
        List.of("far", "PX", 3), List.of(far.getSite(), far.getPartition(), far.getNodes()));
    String arguments = String.join(" ", wish.getArguments());
    assertTrue(
        arguments.matches("-s [0-9TZ:.-]+ -e [0-9TZ:.-]+ -U ann,bob,eve -mem 1gb -ncpu 2"),
        arguments);
    // What is asked for there is what this command takes, too.
    site.put(ObjectKind.PARTITION, "PX", "shard", "1", "scheduler", "sc1");
    site.answer(sent -> new Reply(sent.id(), 0, List.of("R17.vm CONFIRMED"), false));
    assertEquals("R17\n", run("svc", "plus_reserve -T --at PX=3 " + arguments).output());
    SubmitReservation held = sent(SubmitReservation.class);
    assertTrue(held.getTransaction());
    assertEquals("PX", held.getSpec().getPartition());
    assertEquals(wish.getStartMs(), held.getSpec().getStartMs());
    assertEquals(wish.getEndMs(), held.getSpec().getEndMs());
    assertEquals(3, held.getSpec().getRequest().getChunks().get(0).getCount());
    assertTrue(held.getSpec().getUsers().toString().contains("ann"));
  }

  @Test
  void oneThatIsElsewhereAlone() throws Exception {
    assertEquals("W80\n", run("ann", "plus_reserve --at far:PX=3 -s 1610 -D 600").output());
    assertEquals(List.of(), sent(ReserveTogether.class).getParts());
  }

  @Test
  void partsElsewhereAreShown() throws Exception {
    WholePart part = far(PartState.COMMITTED);
    List<String> rows = run("x", "plus_status").output().lines().toList();
    assertEquals(
        List.of("ID", "W80", "far:R17"), rows.stream().map(it -> it.split(" ")[0]).toList());
    assertTrue(rows.get(1).contains(" CONFIRMED ") && rows.get(1).strip().endsWith(" 3"));
    part.getThere().setShown("DEGRADED");
    part.getThere().setLost(List.of("n3 (node down)"));
    String shown = run("x", "plus_status -n -r W80").output();
    assertTrue(
        shown.lines().allMatch(it -> it.startsWith("ID") || it.contains(" DEGRADED ")), shown);
    assertTrue(shown.contains("lost: n3 (node down)"), shown);
    String xml = run("x", "plus_status -x").output();
    assertTrue(xml.contains("<lost name=\"n3 (node down)\"/>"), xml);
    XmlCheck.validate(xml, run("x", "plus_status --schema").output());
    assertEquals("", run("x", "plus_status -o bob").output());
    part.setState(PartState.GONE);
    assertTrue(run("x", "plus_status").output().contains(" DEGRADED "));
  }

  @Test
  void whyTellsHowTheyStand() throws Exception {
    WholePart part = far(PartState.COMMITTED);
    part.getThere().setTrouble("cannot connect to far.org:8443");
    assertEquals(
        "W80.vm: all 1 parts are there. far:PX: R17 there, confirmed."
            + " Not reached now: cannot connect to far.org:8443.\n",
        run("x", "why W80").output());
    part.setState(PartState.GONE);
    part.setWhy("it is there no more");
    assertTrue(run("x", "why W80").output().contains("far:PX: it is there no more."));
    far(PartState.HELD);
    site.wholes.get(0).setState(WholeState.ENDING);
    site.wholes.get(0).setWhy("far:PX: too late");
    assertTrue(run("x", "why W80").output().contains("It ends: far:PX: too late."));
  }

  /** The other installation sees by this that what it holds was not committed yet. */
  @Test
  void whatIsOpenIsShown() throws Exception {
    Reservation held = Reservation.newBuilder(RecordedReservations.r73()).build();
    site.reservations.put(73L, held);
    assertFalse(run("x", "pbs_rstat -f R73").output().contains("transaction"));
    held.setPending(
        new ReservationTransaction(
            TransactionKind.RESERVE, "a@b", 0L, null, List.of(), "", List.of()));
    assertTrue(run("x", "pbs_rstat -f R73").output().contains("\ntransaction = reserve\n"));
  }

  @Test
  void theyEndByTheirOwner() throws Exception {
    far(PartState.COMMITTED);
    assertEquals("W80\n", run("ann", "plus_cancel -o ann").output());
    assertEquals("W80.vm", sent(DeleteTogether.class).getWholeId());
  }

  private void refused(String words) throws Exception {
    FakeInvocation done = run("ann", "plus_reserve --at P1=1,far:PX=3 -s 1610 -D 600");
    assertEquals("plus_reserve: " + words + ": ask an administrator\n", done.errors());
    assertEquals(1, site.status);
    assertTrue(site.sent.isEmpty(), "no shard is asked");
  }

  @Test
  void oneThatIsNotSetUpIsNotAskedFor() throws Exception {
    Files.writeString(home.resolve(OtherSites.FILE), "near.url = https://near.org:8443\n");
    refused("no other installation far is set up here");
    Files.writeString(home.resolve(OtherSites.FILE), "far.url = \\u00zz\n");
    refused("the other installations that are set up here cannot be read");
    Files.delete(home.resolve(OtherSites.FILE));
    refused("no other installations are set up here");
  }
}
