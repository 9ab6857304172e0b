package io.millrace.server.gateway.reservation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.AlterReservation;
import io.millrace.schemas.output.Reply;
import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.FakeSite;
import io.millrace.server.gateway.command.RecordedReservations;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What pbs_ralter asks for, of R73 from 16:10 until 16:20. */
class RalterTest {

  private final FakeSite site = new FakeSite();

  @BeforeEach
  void answers() {
    site.reservations.put(73L, RecordedReservations.r73());
    site.answer(sent -> new Reply(sent.id(), 0, List.of("R73.vm ALTER REQUESTED"), false));
  }

  private FakeInvocation run(String user, String line) throws Exception {
    return site.run(
        new FakeInvocation(user, Arrays.asList(line.split(" ")), new HashMap<>(), site.id()));
  }

  private <T> T sent(Class<T> type) {
    return type.cast(site.sent.get(site.sent.size() - 1).command());
  }

  private static long ms(String instant) {
    return Instant.parse(instant).toEpochMilli();
  }

  @Test
  void alterationsKeepWhatIsNotNamed() throws Exception {
    run("pbsu1", "pbs_ralter -D 00:20:00 R73");
    AlterReservation longer = sent(AlterReservation.class);
    assertEquals(null, longer.getStartMs());
    assertEquals(ms("2026-11-20T16:30:00Z"), longer.getEndMs());
    run("pbsu1", "pbs_ralter -R 1616 R73");
    assertEquals(ms("2026-11-20T16:16:00Z"), sent(AlterReservation.class).getStartMs());
    assertEquals(null, sent(AlterReservation.class).getEndMs());
    run("pbsu1", "pbs_ralter -E 1700 -D 60 R73");
    assertEquals(ms("2026-11-20T16:59:00Z"), sent(AlterReservation.class).getStartMs());
    run("pbsu1", "pbs_ralter -U +pbsu2,-pbsu1@vm -G g R73");
    assertEquals(List.of("pbsu2"), sent(AlterReservation.class).getUsers());
    assertEquals(List.of("g"), sent(AlterReservation.class).getGroups());
    assertEquals(null, sent(AlterReservation.class).getName());
    run("root", "pbs_ralter -Wforce -D 60 R73");
    assertEquals(true, sent(AlterReservation.class).getForce());
  }

  @Test
  void nameAndMailAreAltered() throws Exception {
    run("pbsu1", "pbs_ralter -N other -m be -M a@b R73");
    AlterReservation asked = sent(AlterReservation.class);
    assertEquals("other", asked.getName());
    assertEquals("be", asked.getMailPoints());
    assertEquals(List.of("a@b"), asked.getMailUsers());
    assertEquals(null, asked.getUsers());
    assertEquals(null, asked.getEndMs());
  }

  /** The start that is meant stands first, then the end; - for one that stays as it is. */
  @ParameterizedTest
  @CsvSource({
    "-R 1616,2026-11-20T16:16:00Z,-",
    "-E 1630,-,2026-11-20T16:30:00Z",
    "-D 00:00:30,-,2026-11-20T16:10:30Z",
    "-R 1615 -D 300,2026-11-20T16:15:00Z,2026-11-20T16:20:00Z",
    "-E 1630 -D 300,2026-11-20T16:25:00Z,2026-11-20T16:30:00Z",
    "-R 1615 -E 1630 -D 900,2026-11-20T16:15:00Z,2026-11-20T16:30:00Z",
  })
  void timesAreMadeOfThoseThatAreGiven(String options, String start, String end) throws Exception {
    assertEquals("", run("pbsu1", "pbs_ralter " + options + " R73").errors());
    AlterReservation asked = sent(AlterReservation.class);
    assertEquals(start.equals("-") ? null : (Long) ms(start), asked.getStartMs());
    assertEquals(end.equals("-") ? null : (Long) ms(end), asked.getEndMs());
  }

  @Test
  void timesThatDoNotAgreeAreRefused() throws Exception {
    for (String wrong : List.of("-R 1615 -E 1630 -D 901", "-D 0")) {
      assertEquals(
          "pbs_ralter: Bad time specification(s)\n",
          run("pbsu1", "pbs_ralter " + wrong + " R73").errors());
      assertEquals(238, site.status);
    }
    assertTrue(site.sent.isEmpty(), "nothing was sent");
  }

  @Test
  void chunksAndTimesMayBeAskedForTogether() throws Exception {
    site.answer(sent -> new Reply(sent.id(), 0, List.of("R73.vm DENIED", "full"), false));
    FakeInvocation denied = run("pbsu1", "pbs_ralter -I 9 -R 1615 -l select=1:ncpus=4 R73");
    assertEquals("pbs_ralter: R73.vm DENIED\n", denied.output());
    assertEquals(0, site.status);
    AlterReservation asked = sent(AlterReservation.class);
    assertEquals(9, asked.getInteractiveS());
    assertEquals(1, asked.getRequest().getChunks().size());
    assertEquals(ms("2026-11-20T16:15:00Z"), asked.getStartMs());
  }

  @Test
  void whatTheShardRefusesIsSaid() throws Exception {
    site.refuse(15178, "Reservation not empty");
    FakeInvocation refused = run("pbsu1", "pbs_ralter -E 1640 -D 60 R73");
    assertEquals("pbs_ralter: Reservation not empty\n", refused.errors());
    assertEquals(74, site.status);
  }
}
