package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.process.PidFile;
import io.millrace.ops.process.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Each part is killed again and again, and is back soon each time. */
@Tag("night")
@Isolated
class KeeperIT {

  private static final int TIMES = 20;
  private static final Duration BACK = Duration.ofSeconds(10);

  /** Parts that are there in any case; all that are there are killed. */
  private static final List<String> LEAST =
      List.of(
          "broker",
          "server",
          "engine",
          "gateway",
          "web",
          "campaigns",
          "accounting",
          "executor",
          "forward-away",
          "sites",
          "keeper");

  /** Another installation that nobody has. */
  private static final String SITE = "far.url = https://127.0.0.1:1\nfar.token_file = far.token\n";

  /** A Slurm that nobody has; who forwards there waits for it. */
  private static final List<String> CLUSTER =
      List.of(
          "name = away", "system = slurm", "cluster_name = away", "as = self", "user.root = root");

  @Test
  void aPartThatIsKilledIsBackSoon() throws Exception {
    try (Site site = Site.prepare("keeper")) {
      Path spool = Files.createDirectories(site.folder().resolve("outside"));
      List<String> lines = new ArrayList<>(CLUSTER);
      lines.add("spool = " + spool);
      Path file = Files.write(site.folder().resolve("away.properties"), lines);
      Files.createDirectories(site.home().sites().getParent());
      Files.writeString(site.home().sites(), SITE);
      String options = "--shards 2 --resources ncpus=4 --http 0 --campaigns --apart-engine";
      site.up(options + " --forward " + file).must();
      Processes processes = new Processes(site.home());
      Set<String> parts = new TreeSet<>(processes.alive().keySet());
      assertTrue(parts.containsAll(LEAST), parts.toString());
      List<String> late = new ArrayList<>();
      List<String> took = new ArrayList<>();
      for (int i = 0; i < TIMES; i++) {
        for (String part : parts) {
          PidFile before = processes.alive(part).orElseThrow(() -> new AssertionError(part));
          long begin = System.nanoTime();
          ProcessHandle.of(before.pid()).orElseThrow().destroyForcibly();
          boolean back = Polling.within(BACK.multipliedBy(6), () -> serves(site, part, before));
          long ms = (System.nanoTime() - begin) / 1_000_000;
          took.add(part + " " + ms);
          if (!back || ms > BACK.toMillis()) {
            late.add(part + ", kill " + i + ": " + ms + " ms");
          }
        }
      }
      System.out.println("e2e: back after kill -9, ms: " + took);
      assertTrue(late.isEmpty(), late.toString());
      site.qmgr("set server comment = kept");
    }
  }

  private static boolean serves(Site site, String part, PidFile before) throws IOException {
    Optional<PidFile> now = new Processes(site.home()).alive(part);
    if (now.isEmpty() || now.get().equals(before)) {
      return false;
    }
    return switch (part) {
      case "broker", "server", "gateway", "web" -> Files.exists(site.home().ready(part));
      default -> Files.readString(site.home().printed(part)).contains("ready");
    };
  }
}
