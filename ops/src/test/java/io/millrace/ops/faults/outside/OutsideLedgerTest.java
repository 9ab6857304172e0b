package io.millrace.ops.faults.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.faults.evidence.OutsideAccount;
import io.millrace.ops.outside.peer.PeerCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines of accounting as the systems write them, and what jobs leave. */
class OutsideLedgerTest {
  private static final String SLURM =
      "JobId=12 UserId=mralice(1001) GroupId=mralice(1001) Name=t000004 JobState=%s Partition=batch"
          + " TimeLimit=UNLIMITED StartTime=2026-11-25T10:00:00 EndTime=2026-11-25T10:00:07"
          + " NodeList=vm NodeCnt=1 ProcCnt=1 WorkDir=/ ReservationName= Tres=cpu=1 Account= QOS="
          + " WcKey=%s Cluster=unknown SubmitTime=2026-11-25T09:59:59"
          + " EligibleTime=2026-11-25T09:59:59 DerivedExitCode=0:0 ExitCode=%s ";

  private static final String GRID_ENGINE =
      "mr.q:vm:mralice:mralice:t000004:12:%s:0:1764064799:1764064800:1764064807:%s:%d:7.0:0.1:0.1:"
          + "3000:0:0:0:0:900:0:0:0:8:0:0:0:20:3:NONE:defaultdepartment:NONE:1:0:0.2:0.0:0.0:"
          + "-l h_rt=600:0.0:NONE:0.0:0:0";

  @TempDir Path folder;

  private static Optional<OutsideAccount> slurm(String state, String tag, String exit) {
    return OutsideLedger.account(PeerCluster.SLURM, SLURM.formatted(state, tag, exit));
  }

  @Test
  void aLineOfSlurm() {
    long endMs =
        LocalDateTime.of(2026, 11, 25, 10, 0, 7)
            .atZone(ZoneId.systemDefault())
            .toInstant()
            .toEpochMilli();
    assertEquals(
        Optional.of(new OutsideAccount("mr.c1.4.1", 12, true, false, 3, endMs)),
        slurm("FAILED", "mr.c1.4.1", "3:0"));
    assertEquals(
        Optional.of(new OutsideAccount("mr.c1.4.1", 12, false, false, 0, endMs)),
        slurm("CANCELLED", "mr.c1.4.1", "0:15"));
    assertTrue(slurm("NODE_FAIL", "mr.c1.4.1", "1:0").orElseThrow().lost());
    assertEquals(Optional.empty(), slurm("COMPLETED", "mr.c9.4.1", "0:0"), "of another cluster");
    assertEquals(Optional.empty(), OutsideLedger.account(PeerCluster.SLURM, "JobId=12 UserId="));
  }

  @Test
  void aLineOfGridEngine() {
    String exited = GRID_ENGINE.formatted("mr.c2.4.1", "0", 3);
    assertEquals(
        Optional.of(new OutsideAccount("mr.c2.4.1", 12, true, false, 3, 1764064807000L)),
        OutsideLedger.account(PeerCluster.GRID_ENGINE, exited));
    assertEquals(
        Optional.of(new OutsideAccount("mr.c2.4.1", 12, false, false, 137, 1764064807000L)),
        OutsideLedger.account(
            PeerCluster.GRID_ENGINE, GRID_ENGINE.formatted("mr.c2.4.1", "100", 137)));
    assertEquals(Optional.empty(), OutsideLedger.account(PeerCluster.GRID_ENGINE, "# Version: 8"));
  }

  @Test
  void claimsAndEnds() throws Exception {
    Path run = Files.createDirectory(folder.resolve("mr.c1.4.1"));
    Files.createDirectory(folder.resolve("mr.c1.5.1"));
    Files.writeString(run.resolve("claim"), "id=12\nhost=vm\nbegan=1764064800\n");
    assertEquals(Map.of("mr.c1.4.1", 12L), OutsideLedger.claims(folder));
    Path ends = Files.writeString(folder.resolve("ends"), "4.vm 1 1764064807123\n5.vm 1 17\n");
    assertEquals(Map.of("4.vm 1", 1764064807123L), OutsideLedger.ends(Files.readAllLines(ends)));
  }
}
