package io.millrace.ops.installation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.faults.FaultsIT;
import io.millrace.ops.faults.kill.KillSchedule;
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
 * What {@link FaultsIT} kills: the seed fits the parts that its installation has at present, and a
 * further part asks for another seed.
 */
class KilledPartsTest {

  /** No part that was killed serves again after so short a time. */
  private static final int IN_RECOVERY_MS = 300;

  @TempDir Path folder;

  /** Names of the parts, the broker first, as the harness has them. */
  private List<String> parts() throws Exception {
    Home home = new Home(folder.resolve("home"));
    home.create();
    Files.createDirectories(folder.resolve("dist/lib"));
    UpSettings settings =
        UpSettings.of(home, Up.options("up", "starts it").parse(new OnePartition().upArguments()));
    ClusterSettings cluster = new ClusterSettings("kafka:9092", 3, null);
    Parts parts = new Parts(home, new Distribution(folder.resolve("dist")), cluster, settings);
    List<String> names = new ArrayList<>(List.of(parts.broker().name()));
    names.addAll(parts.others().stream().map(Part::name).toList());
    return names;
  }

  private static List<KillSchedule.Strike> strikes(List<String> parts, int kills) {
    KillSchedule schedule = new KillSchedule(FaultsIT.SEED, parts);
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
    List<String> parts = parts();
    assertTrue(parts.containsAll(List.of("broker", "server", "engine")), parts.toString());
    for (int kills : List.of(FaultsIT.KILLS_BY_DAY, FaultsIT.KILLS_AT_NIGHT)) {
      List<KillSchedule.Strike> strikes = strikes(parts, kills);
      Set<String> killed = new TreeSet<>();
      strikes.forEach(it -> killed.addAll(it.parts()));
      assertEquals(new TreeSet<>(parts), killed, strikes.toString());
      assertTrue(strikes.stream().anyMatch(it -> it.parts().size() == 2), strikes.toString());
      assertTrue(
          strikes.stream().skip(1).anyMatch(it -> !it.calm() && it.gapMs() < IN_RECOVERY_MS),
          strikes.toString());
    }
  }
}
