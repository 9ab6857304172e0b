package io.millrace.connectors.local;

import static org.awaitility.Awaitility.await;

import io.millrace.connectors.local.execution.LocalExecution;
import io.millrace.connectors.local.execution.Supervisors;
import io.millrace.connectors.local.host.ExecutorSettings;
import io.millrace.connectors.local.run.LocalSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real broker for all tests of a class, and executors whose spool is in a folder of each test.
 */
abstract class ExecutorOnBroker {
  static final Duration PATIENCE = Duration.ofSeconds(180);

  @TempDir static Path disk;
  static RealBroker broker;

  @TempDir Path directory;

  @BeforeAll
  static void startBroker() throws Exception {
    broker = new RealBroker(disk);
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }

  final Path spool() {
    return directory.resolve("spool");
  }

  final ExecutorSettings settings(RealBroker used, String host) {
    return new ExecutorSettings(
        FakeShards.key(host), used.client(), spool(), Map.of("ncpus", 2L), false, false);
  }

  final LocalExecutor.ExecutionFactory local() throws Exception {
    LocalSettings settings =
        new LocalSettings(
            spool(),
            Supervisors.compiled(),
            directory,
            true,
            false,
            LocalSettings.LocalRunBounds.DEFAULT);
    return observer -> LocalExecution.open(settings, observer);
  }

  final LocalExecutor open(RealBroker used, String host) throws Exception {
    return LocalExecutor.open(settings(used, host), local());
  }

  final LocalExecutor open(String host) throws Exception {
    return open(broker, host);
  }

  static void awaitReleased(LocalExecutor executor) {
    await().atMost(PATIENCE).until(() -> executor.execution().runs().isEmpty());
  }
}
