package io.millrace.ops.installation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.HostFiles;
import io.millrace.ops.home.KafkaPrincipal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which parts were started with settings that have been changed since. */
class StaleKeysTest {

  private static final List<String> PARTS =
      List.of("broker", "server", "engine-night", "gateway", "web", "accounting", "executor-2");

  @TempDir Path folder;

  @Test
  void thosePartsThatUseTheFile() throws Exception {
    Home home = new Home(folder);
    home.create();
    ClientSettings.generate(home, "127.0.0.1:1");
    for (KafkaPrincipal principal : KafkaPrincipal.values()) {
      Files.setLastModifiedTime(home.client(principal), FileTime.fromMillis(1000));
    }
    for (String part : PARTS) {
      Files.writeString(home.arguments(part), "");
      Files.setLastModifiedTime(home.arguments(part), FileTime.fromMillis(2000));
    }
    assertEquals(List.of(), StaleKeys.among(home, PARTS));
    assertStale(home, KafkaPrincipal.ADMIN, Set.of());
    assertStale(home, KafkaPrincipal.MONITOR, Set.of("web", "accounting"));
    assertStale(home, KafkaPrincipal.GATEWAY, Set.of("gateway", "web"));
    assertStale(home, KafkaPrincipal.EXECUTOR, Set.of("executor-2"));
    assertStale(home, KafkaPrincipal.SERVER, Set.of("server"));
    assertStale(home, KafkaPrincipal.ENGINE, Set.of("engine-night"));
    HostFiles.ensureOwn(home, Parts.executorHost(1));
    assertEquals(List.of(), StaleKeys.among(home, PARTS));
    HostFiles.ensureOwn(home, Parts.executorHost(2));
    assertEquals(List.of("executor-2"), StaleKeys.among(home, PARTS));
  }

  private static void assertStale(Home home, KafkaPrincipal changed, Set<String> stale)
      throws Exception {
    Files.setLastModifiedTime(home.client(changed), FileTime.fromMillis(3000));
    assertEquals(stale, Set.copyOf(StaleKeys.among(home, PARTS)));
    Files.setLastModifiedTime(home.client(changed), FileTime.fromMillis(1000));
  }
}
