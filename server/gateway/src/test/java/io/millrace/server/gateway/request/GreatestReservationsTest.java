package io.millrace.server.gateway.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.reservations.window.ReservedTime;
import io.millrace.schemas.command.AlterReservation;
import io.millrace.schemas.command.SubmitReservation;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.FakeSite;
import io.millrace.server.gateway.command.RecordedReservations;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The longest reservation is as long in each command, and what it asks for is in the range. */
class GreatestReservationsTest {
  private final FakeSite site = new FakeSite();

  @BeforeEach
  void answers() {
    site.put(ObjectKind.PARTITION, "P1", "shard", "0", "scheduler", "sc1");
    site.reservations.put(73L, RecordedReservations.r73());
    site.answer(sent -> new Reply(sent.id(), 0, List.of("R73.vm CONFIRMED"), false));
  }

  private FakeInvocation run(String line) throws Exception {
    List<String> words = Arrays.asList(line.split(" "));
    return site.run(new FakeInvocation("pbsu1", words, new HashMap<>(), site.id()));
  }

  private <T> T sent(Class<T> type) {
    return type.cast(site.sent.get(site.sent.size() - 1).command());
  }

  @ParameterizedTest
  @ValueSource(strings = {"pbs_rsub -R 1610 -D ", "plus_reserve -n 1 -s 1610 -D "})
  void theLongestIsMadeAndNoneThatIsLonger(String command) throws Exception {
    for (String longest : List.of("4294967296", "1193046:28:16")) {
      assertEquals("", run(command + longest).errors());
      ReservationSpec spec = sent(SubmitReservation.class).getSpec();
      assertEquals(ReservedTime.DURATION_MAX_MS, spec.getEndMs() - spec.getStartMs());
      assertEquals(4_294_967_296L, spec.getRequest().getWalltimeS());
    }
    refused(command);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pbs_ralter -D %s R73", "plus_modify -r R73 -D %s"})
  void noneIsMadeLongerThanThat(String command) throws Exception {
    assertEquals("", run(command.formatted("4294967296")).errors());
    AlterReservation sent = sent(AlterReservation.class);
    long startMs = RecordedReservations.r73().getSpec().getStartMs();
    assertEquals(ReservedTime.DURATION_MAX_MS, sent.getEndMs() - startMs);
    refused(command);
  }

  private void refused(String command) throws Exception {
    int sent = site.sent.size();
    String form = command.contains("%s") ? command : command + "%s";
    for (String longer :
        List.of("4294967297", "1193046:28:17", "999999999999:59:59", "999999999999:999999999999")) {
      String errors = run(form.formatted(longer)).errors();
      assertTrue(errors.contains("Bad time specification(s)"), longer + ": " + errors);
      assertTrue(site.status != 0, longer);
    }
    assertTrue(site.status != 0 && !run(form.formatted("9".repeat(20))).errors().isEmpty());
    assertEquals(sent, site.sent.size());
  }

  @ParameterizedTest
  @CsvSource({
    "mem,9223372036854775807b,9223372036854775808b",
    "mem,8191pb,8192pb",
    "ncpus,9223372036854775807,9223372036854775808"
  })
  void whatIsReservedIsInTheRange(String resource, String greatest, String above) throws Exception {
    String line = "pbs_rsub -R 1610 -D 60 -l select=1:" + resource + "=";
    assertEquals("", run(line + greatest).errors());
    long amount =
        sent(SubmitReservation.class)
            .getSpec()
            .getRequest()
            .getChunks()
            .get(0)
            .getAmounts()
            .get(resource);
    assertTrue(amount > Long.MAX_VALUE / 2 - (1L << 61), Long.toString(amount));
    int sent = site.sent.size();
    assertTrue(!run(line + above).errors().isEmpty() && site.status != 0);
    assertTrue(
        !run("pbs_rsub -R 1610 -D 60 -l select=3:" + resource + "=" + greatest).errors().isEmpty(),
        "all together");
    assertEquals(sent, site.sent.size());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "3601",
        "-3601",
        "9223372036854775807",
        "-9223372036854775807",
        "-9223372036854775808"
      })
  void nobodyWaitsForLongerThanAnHour(String seconds) throws Exception {
    String errors = run("pbs_rsub -R 1610 -D 60 -I " + seconds).errors();
    String why =
        seconds.length() > 18 ? "illegal -I time value" : "-I waits for 3600 seconds at most";
    assertTrue(errors.contains(why), errors);
    assertTrue(site.sent.isEmpty());
  }
}
