package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * What all parts of one host take in ten minutes without jobs, as they are for users: with both
 * compilers, and with their archives of classes. The first job after that starts as fast as any.
 */
@Tag("night")
@Isolated
class IdleHostIT {
  /** Until what was loaded and compiled for the start is given back. */
  private static final Duration BEFORE = Duration.ofMinutes(8);

  private static final Duration WHILE = Duration.ofMinutes(10);
  private static final double PROCESSOR_PERCENT = 2;
  private static final long MEMORY_MIB = 700;
  private static final long LOG_BYTES = 5_000_000 * WHILE.toSeconds() / 86_400 + 200;

  /** Each may forget its answers meanwhile, which is a tick. */
  private static final int SHARDS = 8;

  /** Jobs that begin one after the other before the idle time. */
  private static final int JOBS = 15;

  /**
   * Of the median of those jobs. Nine of ten began within 1.4 of it where it was measured; what has
   * to be made ready anew, or looks only once a second, costs several.
   */
  private static final int FIRST_OF_MEDIAN = 2;

  private Site site;
  private Account user;
  private Path work;

  /** From before qsub is called to the script's first instruction. */
  private long startMs(int number) throws Exception {
    Path began = work.resolve("began" + number);
    String script = "echo 'date +%s%3N > " + began + ".new; mv " + began + ".new " + began + "'";
    long submitted = System.currentTimeMillis();
    site.run(user, work, script + " | qsub -o /dev/null -j oe").must();
    Site.await(Duration.ofSeconds(60), "job " + number + " began", () -> Files.exists(began));
    return Long.parseLong(Files.readString(began).strip()) - submitted;
  }

  private void upAsUsersDo() throws Exception {
    String line = site.checkout() + "/millrace up --home " + site.home().root();
    new Shell(site.folder())
        .with("MILLRACE_NO_BUILD", "1")
        .run(site.folder(), Duration.ofMinutes(10), line + " --resources ncpus=2")
        .must();
  }

  @Test
  void takesNextToNothingAndIsAwakeAtOnce() throws Exception {
    try (Site one = Site.prepare("idlehost")) {
      site = one;
      user = site.user("mridlehost");
      work = site.folderOf(user, "work");
      upAsUsersDo();
      startMs(0);
      site.launcher("down", "").must(); // archives of classes are written at an orderly end
      upAsUsersDo();
      List<Long> before = new ArrayList<>();
      for (int i = 1; i <= JOBS; i++) {
        before.add(startMs(i));
      }
      long median = before.stream().sorted().toList().get(JOBS / 2);
      IdleWindow.of(site, BEFORE);
      IdleWindow window = IdleWindow.of(site, WHILE);
      long memory = IdleWindow.memoryMiB(site);
      long first = startMs(JOBS + 1);
      System.out.println(
          "e2e: idle host: " + memory + " MiB, " + window + ", then " + first + " ms: " + before);
      assertTrue(window.processorPercent() <= PROCESSOR_PERCENT, window.toString());
      assertTrue(window.logBytes() <= LOG_BYTES, window.toString());
      assertTrue(window.still(SHARDS), window.toString());
      assertTrue(memory <= MEMORY_MIB, memory + " MiB");
      assertTrue(first <= FIRST_OF_MEDIAN * median, first + " ms, before " + before);
    }
  }
}
