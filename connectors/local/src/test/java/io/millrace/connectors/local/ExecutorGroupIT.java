package io.millrace.connectors.local;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.local.host.ExecutorSettings;
import io.millrace.connectors.local.run.Execution;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a host of many costs the process that has all of them. */
class ExecutorGroupIT {

  private static final int HOSTS = Integer.getInteger("millrace.hosts", 16);
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  @TempDir static Path disk;
  private static RealBroker broker;

  @TempDir Path folder;

  private record ProcessCost(long threads, long sockets, long heapKiB) {
    ProcessCost less(ProcessCost before) {
      return new ProcessCost(
          threads - before.threads, sockets - before.sockets, heapKiB - before.heapKiB);
    }
  }

  @BeforeAll
  static void startBroker() throws Exception {
    broker = new RealBroker(disk);
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }

  private static ProcessCost now() throws IOException {
    long sockets = 0;
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      for (Path file : files.toList()) {
        sockets += Files.exists(file) && isSocket(file) ? 1 : 0;
      }
    }
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return new ProcessCost(
        Thread.getAllStackTraces().size(),
        sockets,
        (runtime.totalMemory() - runtime.freeMemory()) >> 10);
  }

  private static boolean isSocket(Path file) {
    try {
      return Files.readSymbolicLink(file).toString().startsWith("socket:");
    } catch (IOException e) {
      return false; // it was closed meanwhile
    }
  }

  private ExecutorSettings settings(String host) throws IOException {
    return new ExecutorSettings(
        FakeShards.key(host),
        broker.client(),
        Files.createDirectories(folder.resolve(host)),
        Map.of("ncpus", 2L),
        false,
        false);
  }

  /** One that is never given a run. */
  private static Execution none() {
    return (Execution)
        Proxy.newProxyInstance(
            Execution.class.getClassLoader(),
            new Class<?>[] {Execution.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "runs", "begun" -> List.of();
                  case "survives" -> true;
                  case "tellsUsage" -> false;
                  default -> null;
                });
  }

  /** The broker is in this process, so that each connection counts twice. */
  @Test
  void aHostOfManyCostsOneThreadAndTheConnectionsOfItsOrders() throws Exception {
    List<AutoCloseable> open = new ArrayList<>();
    ProcessCost before = now();
    for (int i = 0; i < HOSTS; i++) {
      open.add(LocalExecutor.open(settings("alone" + i), observer -> none(), () -> Map.of()));
    }
    ProcessCost alone = now().less(before);
    for (AutoCloseable each : open) {
      each.close();
    }
    open.clear();
    before = now();
    ExecutorGroup group = ExecutorGroup.open(broker.client());
    for (int i = 0; i < HOSTS; i++) {
      open.add(LocalExecutor.open(settings("many" + i), observer -> none(), () -> Map.of(), group));
    }
    ProcessCost many = now().less(before);
    System.out.println(HOSTS + " hosts alone: " + alone + ", in a group: " + many);
    assertTrue(many.threads() <= HOSTS + 12, many::toString);
    assertTrue(many.sockets() <= 2L * (2L * HOSTS + 12), many::toString);
    assertTrue(many.threads() * 3 < alone.threads(), () -> alone + " " + many);
    await().atMost(PATIENCE).until(() -> group.undelivered() == 0);
    for (AutoCloseable each : open) {
      each.close();
    }
    group.close();
    group.awaitEnd();
    assertEquals(0, group.undelivered());
  }
}
