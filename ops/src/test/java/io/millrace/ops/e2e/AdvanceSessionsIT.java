package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Sessions of a real Grid Engine about advance reservations, line by line, with their windows. What
 * an administrator did there with {@code qconf} and {@code qmod} is done in Millrace's own ways.
 */
@Execution(ExecutionMode.CONCURRENT)
class AdvanceSessionsIT {

  /** When the first window of a session began. */
  private static final LocalDateTime ALONE = LocalDateTime.of(2026, 11, 20, 15, 34, 48);

  private static final LocalDateTime WITH_JOBS = LocalDateTime.of(2026, 11, 20, 15, 38, 11);

  /** The least part of the lines of each session that apply which are as recorded. */
  private static final Map<String, Double> SHARES_MIN =
      Map.of("09-ar", 0.9, "10-plus-queue-operations", 0.85, "12-ar-with-jobs", 0.88);

  /** Jobs that the sessions before had left, and where they ran. */
  private static final Map<String, String> LEFT = new LinkedHashMap<>();

  static {
    LEFT.put("6", "qsub -N par -pe mpi 2-8 -q all.q@node02 -b y sleep 90");
    LEFT.put("8", "qsub -N held -h -b y sleep 5");
    LEFT.put("9", "qsub -N arr -t 7-10:3 -q all.q@node01 -b y sleep 60");
    LEFT.put("13", "qsub -N after -hold_jid held -b y sleep 5");
    LEFT.put("15", "qsub -N lic6 -l license=6 -b y sleep 5");
    LEFT.put("18", "qsub -N lic6w -w w -l license=6 -b y sleep 5");
    LEFT.put("30", "qsub -a 203001010000 -N later -b y sleep 5");
    LEFT.put("41", "qsub -N running -b y sleep 100");
  }

  /** Those of them that ran, and were over in the middle of the first session. */
  private static final List<String> RAN = List.of("par", "arr", "running");

  private final Map<String, Account> users = new LinkedHashMap<>();
  private Site site;
  private LiveCell cell;
  private RecordedCell recorded;

  @Test
  @Tag("night")
  void reservationsAsRecorded() throws Exception {
    try (Site advance = Site.prepare("advance")) {
      site = advance;
      Path recordings = site.checkout().resolve("../shared/transcripts/gridengine").normalize();
      if (!Files.isDirectory(recordings) || !Account.superuser()) {
        Assumptions.abort("recorded lines: they need root and recordings at " + recordings);
      }
      bringUp(Transcript.read(recordings.resolve("01-qconf-show.txt")));
      TranscriptReplay replay = new TranscriptReplay(cell, users, "gridengine-advance");
      for (Map.Entry<String, String> left : LEFT.entrySet()) {
        String line = left.getValue();
        replay.submitted(left.getKey(), new Recording.Entry("alice", line, "", "", 0));
      }
      for (String job : RAN) {
        cell.awaitRun(job);
      }
      play(replay, recordings.resolve("09-ar.txt"), ALONE);
      play(replay, recordings.resolve("10-plus-queue-operations.txt"), WITH_JOBS);
      play(replay, recordings.resolve("12-ar-with-jobs.txt"), WITH_JOBS);
      System.out.println(replay.summary());
      System.out.println(replay.sharesTold());
      replay.listed().forEach(line -> System.out.println("gridengine: listed: " + line));
      assertEquals("", replay.firstUnlisted(), replay::unlistedLines);
      String unused = String.join("\n", replay.different().unused());
      assertEquals("", unused, "reasons without a line");
      assertEquals("", String.join("\n", replay.needless()), "what does not apply is not there");
      assertEquals(SHARES_MIN.keySet(), replay.shares().keySet());
      replay
          .shares()
          .forEach(
              (name, share) ->
                  assertTrue(share >= SHARES_MIN.get(name), () -> name + ": " + share));
    }
  }

  private void bringUp(Transcript shown) throws IOException, InterruptedException {
    site.up("--shards 4 --executors 1 --resources ncpus=8,mem=2gb").must();
    // As long as the recorded user names, so that columns can be compared.
    users.put("alice", site.user("mravl"));
    users.put("bob", site.user("mrv"));
    site.qmgr("set server acl_roots += root");
    // A Grid Engine shows all of a job to everybody.
    site.qmgr("set server query_other_jobs_in_full = True");
    cell = RecordedCell.make(site, "recorded");
    recorded = new RecordedCell(cell, shown);
    recorded.reserve("NONE");
    cell.scheduling(true);
  }

  private void play(TranscriptReplay replay, Path transcript, LocalDateTime firstWindow)
      throws IOException, InterruptedException {
    replay.with(new RecordedWindows(firstWindow));
    replay.play(Transcript.read(transcript), new AsThen()::before);
  }

  /** Does what an administrator did in a session, and what went by itself there. */
  private final class AsThen {

    private int looks;

    private void before(String line) throws IOException, InterruptedException {
      if (line.startsWith("qconf -au alice")) {
        recorded.reserve(users.get("alice").name() + "," + users.get("bob").name());
      } else if (line.startsWith("qconf -dul arusers")) {
        recorded.reserve("NONE");
      } else if (line.matches("qmod -[de] all\\.q@node\\d+")) {
        String node = line.substring(line.indexOf('@') + 1);
        String state = line.startsWith("qmod -d") ? "offline" : "free";
        site.qmgr("set node " + node + " state = " + state);
      } else if (line.equals("qmod -sj 48")) {
        cell.awaitRun("victim");
        cell.awaitRun("norerun");
      } else if (line.equals("qstat -f") && ++looks == 2) {
        for (String job : RAN) {
          recorded.end(job);
        }
      }
    }
  }
}
