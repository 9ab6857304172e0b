package io.millrace.connectors.openpbs.family;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.system.OutsideHost;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The clock of a server, by the times that it tells. */
class PbsClockTest {

  private static final long NOW_S = 1_795_188_956;
  private static final Instant NOW = Instant.ofEpochSecond(NOW_S);

  private static List<OutsideJob> job(long submittedS) {
    return List.of(
        new OutsideJob(
            OutsideId.of(1),
            "j",
            "alice",
            Optional.empty(),
            OutsideState.WAITING,
            "Q",
            Optional.of(Instant.ofEpochSecond(submittedS)),
            "",
            1,
            Optional.empty(),
            "",
            List.of()));
  }

  private static List<OutsideHost> host(String name, String value) {
    return List.of(new OutsideHost("vm", true, "free", 1, -1, Map.of(name, value)));
  }

  private static String said(List<OutsideJob> jobs, List<OutsideHost> hosts) {
    CheckLine line = PbsClock.check(jobs, hosts, NOW, 5);
    return (line.good() ? "ok: " : "wrong: ") + line.text();
  }

  @Test
  void timesThatAreYetToComeAreWrong() {
    assertEquals(
        "ok: clock of the server: no time of it is yet to come", said(job(NOW_S), List.of()));
    assertEquals(
        "ok: clock of the server: no time of it is yet to come", said(job(NOW_S + 5), List.of()));
    assertEquals(
        "wrong: the clock of the server is ahead by 3600 s or more",
        said(job(NOW_S + 3600), List.of()));
    assertEquals(
        "wrong: the clock of the server is ahead by 60 s or more",
        said(job(NOW_S - 9), host("last_state_change_time", Long.toString(NOW_S + 60))));
  }

  /** As Torque's pbsnodes says when the server has heard a host last. */
  @Test
  void reportsOfHostsShowAClockThatIsBehind() {
    assertEquals(
        "ok: clock of the server",
        said(List.of(), host("status", "rectime=" + (NOW_S - 40) + ",state=free")));
    assertEquals(
        "wrong: the clock of the server is behind, or no host has reported since 3600 s",
        said(List.of(), host("status", "rectime=" + (NOW_S - 3600) + ",state=free")));
    assertEquals(
        "wrong: the clock of the server is ahead by 3600 s or more",
        said(List.of(), host("status", "state=free,rectime=" + (NOW_S + 3600))));
  }

  @Test
  void whatIsNoTimeSaysNothing() {
    assertEquals(
        "ok: clock of the server: no time of it is yet to come",
        said(List.of(), host("status", "rectime=,rectime=x,norectime=99999999999")));
  }
}
