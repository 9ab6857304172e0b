package io.millrace.ops.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The recorded session about scheduler daemons. An engine apart of an installation of its own
 * stands for the recorded daemon: it is started and killed where the daemon was.
 */
final class RecordedDaemons {
  private static final Duration SOON = Duration.ofSeconds(180);
  private static final String SCHEDULER = "multi_sched_1";
  private static final String START = "pbs_sched -I " + SCHEDULER;
  private static final String LIST = "qmgr -c \"l sched " + SCHEDULER;

  /** Those starts of the daemon, by their order, after which it was there. */
  private static final Set<Integer> STARTED = Set.of(3, 8, 9, 10);

  private final Replay replay;
  private final Path recording;
  private int starts;
  private int lists;
  private boolean missed;

  RecordedDaemons(Replay replay, Path recording) {
    this.replay = replay;
    this.recording = recording;
  }

  void play() throws IOException, InterruptedException {
    try (Site site = Site.prepare("daemons")) {
      String engines = " --apart-engine default," + SCHEDULER + ",gone";
      site.up("--no-keeper --shards 4 --resources ncpus=2,mem=2gb" + engines).must();
      Site.kill(
          List.of(
              site.processes().get("engine-" + SCHEDULER), site.processes().get("engine-gone")));
      replay.moveTo(site);
      replay.play(Recording.read(recording), line -> before(site, line));
    }
  }

  private void before(Site site, String line) throws IOException, InterruptedException {
    if (line.equals(START) && STARTED.contains(++starts)
        || line.startsWith("qmgr -c \"s sched " + SCHEDULER + " scheduler_iteration=300")) {
      site.up("--keep").must();
    } else if (line.startsWith("kill -TERM")) {
      Site.kill(List.of(site.processes().get("engine-" + SCHEDULER)));
      awaits(site, "state", "state = down");
    } else if (line.equals(LIST + "\"") && ++lists > 1 || line.equals(LIST + " state\"")) {
      awaits(site, "state", "state = idle");
    } else if (line.equals("qmgr -c \"l sched gone state\"")) {
      Site.await(SOON, "it is there", () -> told(site, "gone", "state").contains("state = idle"));
    } else if (line.contains("sched_priv=/var/does_not_exist")) {
      missed = true;
    } else if (line.startsWith(LIST + " scheduling,comment,sched_") && missed) {
      missed = false;
      awaits(site, "comment", "comment = ");
    } else if (line.contains("sched_log=/var/does_not_exist")) {
      missed = true;
    } else if (line.startsWith("cp -rp") && line.contains("new_priv")) {
      Path usual = site.home().root().resolve("sched_priv_" + SCHEDULER);
      if (!Files.exists(usual)) {
        Files.createDirectory(usual);
        Files.setPosixFilePermissions(usual, PosixFilePermissions.fromString("rwxr-x---"));
      }
    }
  }

  private static void awaits(Site site, String attribute, String text) throws InterruptedException {
    Site.await(SOON, text, () -> told(site, SCHEDULER, attribute).contains(text));
  }

  private static String told(Site site, String scheduler, String attribute)
      throws IOException, InterruptedException {
    return site.run("qmgr -c 'list sched " + scheduler + " " + attribute + "'").out();
  }
}
