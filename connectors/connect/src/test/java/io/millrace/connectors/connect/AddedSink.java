package io.millrace.connectors.connect;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.connectors.local.FakeShards;
import io.millrace.schemas.command.ReportNodeUp;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;

/** A sink that a running worker gets for a while, by its REST interface as administrators do it. */
final class AddedSink implements AutoCloseable {

  private final ConnectWorker worker;
  private final String name;
  private final Map<String, String> settings;
  private final String node;
  private final Duration patience;

  /** Those of its node. */
  final FakeShards shards;

  /**
   * Waits until its node is up.
   *
   * @param host of its node
   */
  AddedSink(
      ConnectWorker worker,
      RealCluster cluster,
      String host,
      Map<String, String> settings,
      Duration patience)
      throws Exception {
    this.worker = worker;
    this.settings = settings;
    this.name = settings.get("name");
    this.node = host + "@" + name;
    this.patience = patience;
    this.shards = new FakeShards(cluster.broker(), node);
    begin();
  }

  /** As the worker has it from here on; it goes on where it was left. */
  void begin() throws Exception {
    int before = ups(shards.awaitReports(0, patience, all -> true));
    String body = new ObjectMapper().writeValueAsString(settings);
    String said = worker.ask("PUT", "/connectors/" + name + "/config", body);
    if (!said.startsWith("20")) {
      throw new AssertionError(said);
    }
    shards.awaitReports(0, patience, all -> ups(all) > before);
  }

  private int ups(List<SpecificRecord> all) {
    return (int)
        all.stream()
            .filter(it -> it instanceof ReportNodeUp up && up.getHost().equals(node))
            .count();
  }

  /** The worker has it no more; what it had outside goes on. */
  void leave() throws IOException, InterruptedException {
    String said = worker.ask("DELETE", "/connectors/" + name, "");
    if (!said.startsWith("204") && !said.startsWith("404")) {
      throw new IOException(said);
    }
  }

  @Override
  public void close() throws Exception {
    try {
      leave();
    } finally {
      shards.close();
    }
  }
}
