package io.millrace.ops.faults.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.ops.faults.evidence.LedgerEntry;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.fact.RunCharge;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunRequeued;
import io.millrace.schemas.fact.UsageCharged;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/** What runs and accounts were charged for is held against ends and accounting files. */
class ShareCheckTest {

  private static final FactMeta META = new FactMeta(1L, 1L, new CommandId(new byte[16]), "root");

  private final List<LedgerEntry> ledger = new ArrayList<>();
  private final List<String> lines = new ArrayList<>();

  private void fact(SpecificRecord fact) {
    ledger.add(new LedgerEntry(0, ledger.size(), fact));
  }

  private void charge(long job, int run, long milli) {
    RunCharge charge = new RunCharge(job, run, "ants", milli);
    fact(new UsageCharged(META, "default", List.of(charge), 0L));
  }

  private static Usage used(long seconds) {
    return Usage.newBuilder().setWalltimeS(seconds).build();
  }

  private void finished(long job, int run, long seconds) {
    fact(new RunFinished(META, job + ".host", run, 0, used(seconds), 1L, 2L, "", -1L, ""));
    line("E", job, seconds);
  }

  private void line(String type, long job, long seconds) {
    lines.add(
        String.format(
            "11/28/2026 01:00:00;%s;%d.host;user=u account=\"ants\" Exit_status=0"
                + " resources_used.vmem=0kb resources_used.walltime=00:%02d:%02d",
            type, job, seconds / 60, seconds % 60));
  }

  private List<String> found(long charged) {
    return ShareCheck.of(ledger, lines, Map.of("ants", charged)).stream()
        .map(Defect::toString)
        .toList();
  }

  @Test
  void eachRunOnceIsRight() {
    charge(1, 1, 60_000);
    finished(1, 1, 75);
    charge(1, 1, 15_000);
    charge(2, 1, 2_000);
    fact(new RunRequeued(META, "2.host", 1, 271, "rerun", used(2), -1L));
    line("R", 2, 2);
    charge(2, 2, 3_000);
    finished(2, 2, 3);
    assertEquals(List.of(), found(80));
  }

  @Test
  void aRunThatIsChargedTwiceIsFound() {
    charge(1, 1, 5_000);
    charge(1, 1, 5_000);
    finished(1, 1, 5);
    assertEquals(
        List.of(
            "TWICE 1.host: run 1 was charged for 10000 ms where it used 5000",
            "TWICE account ants: was charged for 10 s where the accounting files have 5"),
        found(10));
  }

  @Test
  void aChargeThatIsLostIsFound() {
    charge(1, 1, 5_000);
    finished(1, 1, 5);
    finished(2, 1, 4);
    assertEquals(
        List.of(
            "LOST 2.host: run 1 was charged for 0 ms where it used 4000",
            "LOST account ants: was charged for 5 s where the accounting files have 9"),
        found(5));
  }

  @Test
  void whatTheServerSaysIsHeldAgainstTheFiles() {
    charge(1, 1, 5_000);
    finished(1, 1, 5);
    assertEquals(
        List.of("TWICE account ants: was charged for 6 s where the accounting files have 5"),
        found(6));
  }

  @Test
  void ofARunThatNobodyKnowsOfWhatWasToldCounts() {
    charge(1, 1, 60_000);
    fact(new RunRequeued(META, "1.host", 1, 271, "its host is lost", null, -1L));
    charge(1, 2, 5_000);
    finished(1, 2, 5);
    // The fact of its submission, which would tell the account, is not in this ledger.
    assertEquals(
        List.of(
            "LOST account : was charged for 0 s where the accounting files have 60",
            "TWICE account ants: was charged for 65 s where the accounting files have 5"),
        found(65));
  }

  @Test
  void aChargeWithoutAnEndIsFound() {
    charge(1, 1, 5_000);
    finished(1, 1, 5);
    charge(1, 2, 1_000);
    assertEquals(
        List.of("TWICE 1: run 1 2 without an end was charged for 1000 ms where it used 0"),
        found(5));
  }

  @Test
  void thatNothingWasUsedIsNoEvidence() {
    finished(1, 1, 0);
    assertEquals(
        List.of("UNEXPLAINED the accounts: no run has used anything by the accounting files"),
        found(0));
  }
}
