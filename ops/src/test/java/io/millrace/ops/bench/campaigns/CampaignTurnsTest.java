package io.millrace.ops.bench.campaigns;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.millrace.schemas.fact.RunFinished;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The first end makes room for the first begin after those that filled the cluster. */
class CampaignTurnsTest {

  private static RunFinished run(long beganMs, long overMs) {
    RunFinished run = new RunFinished();
    run.setStartedMs(beganMs);
    run.setFinishedMs(overMs);
    return run;
  }

  @Test
  void eachEndIsFollowedByABegin() {
    List<RunFinished> runs = new ArrayList<>();
    for (int i = 0; i < CampaignTurns.CPUS; i++) {
      runs.add(run(10 + i, 2_000 - i));
    }
    double[] none = {};
    assertArrayEquals(none, CampaignTurns.turnsMs(runs));
    int first = 2_000 - CampaignTurns.CPUS + 1;
    runs.add(run(first + 9, 3_000));
    runs.add(run(first + 5, 3_000));
    double[] both = {5, 8};
    assertArrayEquals(both, CampaignTurns.turnsMs(runs));
  }
}
