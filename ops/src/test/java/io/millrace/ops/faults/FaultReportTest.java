package io.millrace.ops.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.campaigns.CampaignOwner;
import io.millrace.ops.faults.load.RunSize;
import io.millrace.ops.faults.verdict.Defect;
import io.millrace.ops.faults.verdict.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who reads only the counters is told when a run was given up. */
class FaultReportTest {

  private static FaultReport report(Optional<CampaignOwner> owner, boolean ended) {
    return report(owner, ended, List.of());
  }

  private static FaultReport report(
      Optional<CampaignOwner> owner, boolean ended, List<Defect> defects) {
    FaultSettings settings =
        new FaultSettings(
            new RunSize(10, 20, 2, 1),
            FaultSettings.FaultPlace.HOME,
            owner.map(
                it -> new FaultSettings.CampaignTerms(it, Optional.empty(), Optional.empty())),
            Optional.empty(),
            Duration.ofSeconds(30),
            new FaultSettings.FaultReportOutput(Optional.empty(), true, false));
    FaultReport.Counts counts =
        new FaultReport.Counts(
            10, 0, 3, 0, new FaultReport.StrikeCounts(Map.of(), Map.of("link cut", 2), 0), 1.5);
    return new FaultReport(settings, new Verdict(defects), counts, "", ended);
  }

  @Test
  void aRunThatEndedIsClean() {
    FaultReport jobs = report(Optional.empty(), true);
    assertEquals(0, jobs.status());
    String json =
        "{\"jobs\":10,\"kills\":2,\"lost\":0,\"twice\":0,\"unexplained\":0,\"seconds\":1.5}";
    assertEquals(json, jobs.json());
  }

  @Test
  void whatAnOutsideSystemSaysOtherwiseIsCounted() {
    List<Defect> defects = new ArrayList<>();
    for (Defect.DefectKind kind : Defect.DefectKind.values()) {
      defects.add(new Defect(kind, "1.host", "is wrong"));
    }
    FaultReport report = report(Optional.of(new CampaignOwner("ada")), true, defects);
    String counters = "\"lost\":1,\"counted_twice\":1,\"attempts_twice\":2,\"unexplained\":3";
    assertTrue(report.json().contains(counters), report.json());
    assertTrue(report.lines().contains("lost 1, counted twice 1, twice 2, unexplained 3"));
  }

  @Test
  void givingUpIsUnexplained() {
    for (Optional<CampaignOwner> owner :
        List.of(Optional.<CampaignOwner>empty(), Optional.of(new CampaignOwner("ada")))) {
      FaultReport report = report(owner, false);
      assertEquals(1, report.status());
      assertTrue(report.json().contains("\"unexplained\":1"), report.json());
      assertEquals(
          List.of("UNEXPLAINED the wait for the end: was given up, no change for 30 s"),
          report.verdict().defects().stream().map(Object::toString).toList());
    }
  }
}
