package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Ten idle minutes of an installation as {@code up} makes it, alone on the machine. */
@Isolated
@Tag("night")
class IdleNightIT {
  private static final Duration SETTLING = Duration.ofMinutes(5);
  private static final Duration IDLE = Duration.ofMinutes(10);
  private static final int SHARDS = 8;
  private static final double PROCESSOR_PERCENT = 2;
  private static final long MEMORY_MIB = 700;
  private static final long LOG_BYTES = 5_000_000 * IDLE.toSeconds() / 86_400;
  private static final int JOBS = 10;

  @Test
  void tenMinutesCostNextToNothingAndTheNextJobStartsAtOnce() throws Exception {
    try (Site site = Site.prepare("idle")) {
      site.up("--resources ncpus=4").must();
      Account user = site.user("mridlenight");
      Path work = site.folderOf(user, "work");
      long slowest = 0;
      for (int i = 0; i < JOBS; i++) {
        slowest = Math.max(slowest, tookMs(site, user, work));
      }
      IdleWindow settling = IdleWindow.of(site, SETTLING);
      IdleWindow window = IdleWindow.of(site, IDLE);
      long memory = IdleWindow.memoryMiB(site);
      long first = tookMs(site, user, work);
      String seen =
          settling + "\n" + window + "\n" + memory + " MiB; ms: " + slowest + ", first " + first;
      System.out.println("e2e: idle:\n" + seen);
      assertTrue(window.processorPercent() <= PROCESSOR_PERCENT, seen);
      assertTrue(window.commands() <= SHARDS, seen);
      assertTrue(window.logBytes() <= LOG_BYTES, seen);
      assertTrue(memory <= MEMORY_MIB, seen);
      assertTrue(first <= slowest + 100, "as fast as any: " + seen);
    }
  }

  /** From the submission to the first command of the script. */
  private static long tookMs(Site site, Account user, Path work) throws Exception {
    String line =
        "rm -f begun; begin=$(date +%s%3N); echo 'date +%s%3N >begun.new; mv begun.new begun' |"
            + " qsub -o /dev/null -e /dev/null >/dev/null;"
            + " while [ ! -e begun ]; do sleep 0.01; done; echo $(($(cat begun) - begin))";
    return Long.parseLong(site.run(user, work, line).must().strip());
  }
}
