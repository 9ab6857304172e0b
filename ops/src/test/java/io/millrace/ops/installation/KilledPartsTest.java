package io.millrace.ops.installation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.faults.CampaignFaultsIT;
import io.millrace.ops.faults.ClusterFaultsIT;
import io.millrace.ops.faults.FaultsIT;
import io.millrace.ops.faults.cluster.ClusterScenario;
import io.millrace.ops.faults.kill.KillSchedule;
import io.millrace.ops.faults.scenario.BestEffortPartitions;
import io.millrace.ops.faults.scenario.HomeScenario;
import io.millrace.ops.faults.scenario.OnePartition;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.process.Part;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@link FaultsIT}, {@link CampaignFaultsIT} and {@link ClusterFaultsIT} kill: their seeds fit
 * the parts that their installations have at present, and a further part asks for other seeds.
 */
class KilledPartsTest {

  /** No part that was killed serves again after so short a time. */
  private static final int IN_RECOVERY_MS = 300;

  @TempDir Path folder;

  /** Names of the parts, the broker first, as the harness has them. */
  private List<String> parts(HomeScenario scenario) throws Exception {
    Home home = new Home(folder.resolve("home"));
    home.create();
    Files.createDirectories(folder.resolve("dist/lib"));
    UpSettings settings =
        UpSettings.of(home, Up.options("up", "starts it").parse(scenario.upArguments()));
    ClusterSettings cluster = new ClusterSettings("kafka:9092", 3, null);
    Parts parts = new Parts(home, new Distribution(folder.resolve("dist")), cluster, settings);
    List<String> names = new ArrayList<>(List.of(parts.broker().name()));
    names.addAll(parts.others().stream().map(Part::name).toList());
    return names;
  }

  private static List<KillSchedule.Strike> strikes(long seed, List<String> parts, int kills) {
    KillSchedule schedule = new KillSchedule(seed, parts);
    List<KillSchedule.Strike> strikes = new ArrayList<>();
    int killed = 0;
    while (killed < kills) {
      strikes.add(schedule.next(kills - killed));
      killed += strikes.get(strikes.size() - 1).parts().size();
    }
    return strikes;
  }

  @Test
  void eachPartIsKilledTwoAtOnceAndOneInARecovery() throws Exception {
    List<String> parts = parts(new OnePartition());
    assertTrue(parts.containsAll(List.of("broker", "server", "engine")), parts.toString());
    for (int kills : List.of(FaultsIT.KILLS_BY_DAY, FaultsIT.KILLS_AT_NIGHT)) {
      look(parts, strikes(FaultsIT.SEED, parts, kills));
    }
  }

  @Test
  void thoseUnderACampaignToo() throws Exception {
    List<String> parts = parts(new BestEffortPartitions(1));
    assertTrue(parts.containsAll(List.of("engine", "campaigns", "executor-3")), parts.toString());
    for (long seed :
        List.of(
            CampaignFaultsIT.FIRST_SEED,
            CampaignFaultsIT.SECOND_SEED,
            CampaignFaultsIT.THIRD_SEED)) {
      look(parts, strikes(seed, parts, CampaignFaultsIT.KILLS));
    }
  }

  @Test
  void thoseOfAClusterTooAndItsLinksAndPauses() {
    for (boolean apart : List.of(true, false)) {
      List<String> victims = ClusterScenario.victims(apart);
      assertTrue(victims.containsAll(List.of("b3", "n1-server", "n2-engine", "pause of b1")));
      assertEquals(apart, victims.contains("link of n2"));
      Set<String> struck = new TreeSet<>();
      strikes(ClusterFaultsIT.SEED, victims, ClusterFaultsIT.KILLS)
          .forEach(it -> struck.addAll(it.parts()));
      Set<String> spared = new TreeSet<>(victims);
      spared.removeAll(struck);
      // Of links and pauses one of each kind is enough.
      assertTrue(spared.stream().allMatch(it -> it.contains(" of ")), spared.toString());
      for (String kind : apart ? List.of("link of b", "link of n", "pause") : List.of("pause")) {
        assertTrue(struck.stream().anyMatch(it -> it.startsWith(kind)), struck.toString());
      }
    }
  }

  private static void look(List<String> parts, List<KillSchedule.Strike> strikes) {
    Set<String> killed = new TreeSet<>();
    strikes.forEach(it -> killed.addAll(it.parts()));
    assertEquals(new TreeSet<>(parts), killed, strikes.toString());
    assertTrue(strikes.stream().anyMatch(it -> it.parts().size() == 2), strikes.toString());
    assertTrue(
        strikes.stream().skip(1).anyMatch(it -> !it.calm() && it.gapMs() < IN_RECOVERY_MS),
        strikes.toString());
  }
}
