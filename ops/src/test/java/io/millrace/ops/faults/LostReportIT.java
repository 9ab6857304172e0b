package io.millrace.ops.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.ops.e2e.Beside;
import io.millrace.ops.faults.sabotage.Sabotage;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The harness finds that a report or a command was lost, and leaves the evidence. */
@Beside
@Tag("night")
final class LostReportIT {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(
      value = Sabotage.class,
      names = {"DROP_REPORT", "LOSE_COMMAND"})
  void whatIsLostOnItsWayIsFound(Sabotage sabotage) throws IOException, InterruptedException {
    PlantedFault planted = new PlantedFault(folder, sabotage);
    // The report has to be caught on its way, which may take several attempts; the lost one never
    // arrives.
    Harness.Result result = planted.run(160, 15);
    assertEquals(0, result.number("twice"), result.words());
    // Lost, or unexplained: once the host was asked, the job is queued again without a cause.
    planted.leavesFindings();
  }
}
