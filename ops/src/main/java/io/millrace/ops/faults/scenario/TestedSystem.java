package io.millrace.ops.faults.scenario;

import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.installation.Installation;
import io.millrace.ops.process.StartedParts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A system that is up for a run of the harness.
 *
 * @param parts its processes
 * @param gateways homes at whose gateways clients ask, one after the other
 * @param accounts home that has the accounting files
 * @param kafka how the harness itself reaches the brokers
 * @param places where faults are planted
 */
public record TestedSystem(
    StartedParts parts,
    List<Home> gateways,
    Home accounts,
    TestedKafka kafka,
    PlantingPlaces places) {

  /**
   * The brokers and their topics.
   *
   * @param admin client settings of the administrator
   * @param monitor client settings of whoever may read all facts
   * @param shards how many there are
   */
  public record TestedKafka(Map<String, Object> admin, Map<String, Object> monitor, int shards) {}

  /**
   * Where faults are planted.
   *
   * @param servers names of all servers
   * @param executor name of the executor whose runs are tampered with
   * @param spool of that executor
   * @param stores folders of the servers' stores
   */
  public record PlantingPlaces(
      List<String> servers, String executor, Path spool, List<Path> stores) {}

  public TestedSystem {
    gateways = List.copyOf(gateways);
  }

  /** A home with a broker of its own. */
  static TestedSystem of(Installation installation) throws IOException {
    Home home = installation.home();
    TestedKafka kafka =
        new TestedKafka(
            ClientSettings.read(home.client(KafkaPrincipal.ADMIN)),
            ClientSettings.read(home.client(KafkaPrincipal.MONITOR)),
            ClusterSettings.read(home).shards());
    PlantingPlaces places =
        new PlantingPlaces(
            List.of("server"),
            "executor",
            home.spool(Installation.host(1)),
            List.of(home.root().resolve("data/server")));
    return new TestedSystem(installation, List.of(home), home, kafka, places);
  }
}
