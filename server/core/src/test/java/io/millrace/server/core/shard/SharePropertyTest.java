package io.millrace.server.core.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.Usage;
import io.millrace.schemas.fact.RunCharge;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.fact.RunRequeued;
import io.millrace.schemas.fact.UsageCharged;
import io.millrace.server.core.state.Keys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/** In every history a run is charged for what its end says that it used, and once. */
class SharePropertyTest {
  private static final int COMMANDS = 1500;
  private static final int SEEDS = 6;

  /** What each run was charged, and what its end said. */
  private static final class ChargesSeen implements TestShards.Observer {
    private final Set<String> ours = new HashSet<>();
    private final Map<String, Long> charged = new HashMap<>();
    private final Map<String, Long> ended = new HashMap<>();

    @Override
    public void stepped(
        int shard, SpecificRecord command, CommandOutcome outcome, List<SpecificRecord> facts) {
      for (SpecificRecord fact : facts) {
        if (fact instanceof RunGranted granted && granted.getScheduler().equals("default")) {
          granted(granted);
        } else if (fact instanceof UsageCharged all) {
          for (RunCharge charge : all.getCharges()) {
            charged.merge(charge.getJob() + "/" + charge.getRun(), charge.getMilli(), Long::sum);
          }
        } else if (fact instanceof RunFinished end) {
          ended(end.getJobId(), end.getRun(), end.getUsed());
        } else if (fact instanceof RunRequeued end) {
          ended(end.getJobId(), end.getRun(), end.getUsed());
        }
      }
    }

    /** Other scheduler objects may be deleted, which ends their fair share. */
    private void granted(RunGranted fact) {
      ours.add(Keys.jobNumber(fact.getJobId()) + "/" + fact.getRun());
    }

    private void ended(String job, int run, Usage used) {
      boolean known = used != null && used.getWalltimeS() > 0;
      if (known && ours.contains(Keys.jobNumber(job) + "/" + run)) {
        ended.put(Keys.jobNumber(job) + "/" + run, used.getWalltimeS() * 1000);
      }
    }
  }

  /** How many runs under fair share a history has is its chance; all together have enough. */
  @Test
  void eachRunIsChargedForWhatItsEndSays() {
    List<Integer> ended = new ArrayList<>();
    for (long seed = 1; seed <= SEEDS; seed++) {
      ChargesSeen charges = new ChargesSeen();
      History history = new History(seed, charges);
      history.play(COMMANDS);
      history.settle();
      ended.add(charges.ended.size());
      String of = "seed " + seed + " ";
      charges.ended.forEach(
          (run, milli) -> assertEquals(milli, charges.charged.getOrDefault(run, 0L), of + run));
    }
    assertTrue(ended.stream().mapToInt(it -> it).sum() > 5, "runs that ended: " + ended);
  }
}
