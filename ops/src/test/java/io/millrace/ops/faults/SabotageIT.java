package io.millrace.ops.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.e2e.Beside;
import io.millrace.ops.faults.sabotage.Sabotage;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The harness finds real faults that are planted from the outside, and leaves the evidence; see
 * {@link LostReportIT} for faults that have to catch a record on its way.
 */
@Beside
@Tag("night")
final class SabotageIT {
  private static final int JOBS = 80;

  @TempDir Path folder;

  @Test
  void aScriptThatIsStartedTwiceIsFound() throws IOException, InterruptedException {
    PlantedFault planted = new PlantedFault(folder, Sabotage.START_TWICE);
    // Apart from the run that is started twice nothing may look lost.
    Harness.Result result = planted.run(JOBS, 60);
    assertTrue(result.number("twice") > 0, result.words());
    assertEquals(0, result.number("lost"), result.words());
    planted.leavesFindings();
  }

  @Test
  void aServerThatForgetsItsJobsIsFound() throws IOException, InterruptedException {
    PlantedFault planted = new PlantedFault(folder, Sabotage.FORGET_STATE);
    // What was lost never arrives.
    Harness.Result result = planted.run(JOBS, 15);
    assertTrue(result.number("lost") > 0, result.words());
    assertEquals(0, result.number("twice"), result.words());
    planted.leavesFindings();
  }
}
