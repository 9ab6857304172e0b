package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideScope;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Told;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What jobs with marks cost that anybody has given them. */
class StrayCopiesTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final BridgeTerms TERMS =
      new BridgeTerms(SECOND, SECOND, SECOND, SECOND, SECOND, 9, 9, 9, 1);
  private static final OutsideScope SCOPE = OutsideScope.of("c1", Set.of("alice", "bob"));

  @TempDir Path folder;

  private Instant now = Instant.parse("2026-11-25T10:00:00Z");
  private final List<OutsideJob> queue = new ArrayList<>();
  private final List<OutsideTag> lookups = new ArrayList<>();
  private final List<OutsideId> deleted = new ArrayList<>();

  /** Claims that other jobs have. */
  private final Set<String> takenOf = new HashSet<>();

  private final RunFolders folders =
      new RunFolders() {
        @Override
        public Told<RunClaim> close(OutsideTag tag, String account) {
          return Told.of(RunClaim.RUN);
        }

        @Override
        public Told<Boolean> remove(List<OutsideTag> tags, String account) {
          return Told.of(true);
        }

        @Override
        public Optional<OutsideId> begunAs(OutsideTag tag, String account) {
          lookups.add(tag);
          return takenOf.contains(account) ? Optional.of(OutsideId.of(1)) : Optional.empty();
        }

        @Override
        public Optional<OutsideEnd> exit(OutsideTag tag, String account) {
          return Optional.empty();
        }
      };

  private Object answer(String question, Object... arguments) {
    return switch (question) {
      case "snapshot" -> Told.of(List.copyOf(queue));
      case "control" -> {
        deleted.add((OutsideId) arguments[0]);
        yield new Controlled.Done("");
      }
      case "changes" -> Told.of(new OutsideChanges(List.of(), List.of(), "", true, false));
      case "hasAccounting", "recordsUsage" -> false;
      default -> throw new UnsupportedOperationException(question);
    };
  }

  private OutsideBridge bridge(RunJournal journal) {
    return new OutsideBridge(
        new BridgeParts(PlayedSystem.of(this::answer), folders, journal, TERMS, () -> now, SCOPE));
  }

  private void marked(int from, int count, String account, String cluster) {
    for (int i = from; i < from + count; i++) {
      OutsideTag tag = new OutsideTag(cluster, "" + i, 1);
      queue.add(ShownJobs.job(OutsideId.of(i), account, tag, OutsideState.WAITING));
    }
  }

  private int look(OutsideBridge bridge) throws Exception {
    int before = lookups.size();
    now = now.plusSeconds(11);
    bridge.step();
    return lookups.size() - before;
  }

  @Test
  void jobsOfWhomNothingIsSubmittedForOrOfAnotherClusterAreNotLookedAt() throws Exception {
    marked(10, 500, "mallory", "c1");
    marked(1000, 500, "alice", "x");
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      assertEquals(0, look(bridge(journal)));
    }
  }

  @Test
  void oneLookIsAtSoManyAndAllHaveTheirTurn() throws Exception {
    marked(10, 1000, "alice", "c1");
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal);
      for (int i = 0; i < 5; i++) {
        int here = look(bridge);
        assertTrue(here <= StrayCopies.LOOKS_AT_ONCE, "in one look: " + here);
      }
      int looks = 1000 / StrayCopies.LOOKS_AT_ONCE + 1;
      for (int i = 0; i < looks; i++) {
        look(bridge);
      }
      assertEquals(1000, Set.copyOf(lookups).size());
    }
  }

  /** One who has files of claims as he likes keeps no copy of another's. */
  @Test
  void deletionsAreSharedByAccounts() throws Exception {
    marked(10, 90, "alice", "c1");
    marked(200, 1, "bob", "c1");
    takenOf.addAll(Set.of("alice", "bob"));
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal);
      look(bridge);
      assertEquals(StrayCopies.AT_ONCE, deleted.size());
      assertTrue(deleted.contains(OutsideId.of(200)), deleted + "");
    }
  }
}
