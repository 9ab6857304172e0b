package io.millrace.server.core.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.Catalogue;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.JobKept;
import io.millrace.schemas.fact.JobOfferRefused;
import io.millrace.schemas.fact.NodeKept;
import io.millrace.schemas.fact.NodeRemoved;
import io.millrace.schemas.fact.TimerFailed;
import io.millrace.schemas.fact.UsagesSet;
import io.millrace.server.core.answer.AnswerMemory;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Random histories have each type of command and fact, so that what holds in them holds for all.
 */
class HistoryTypesTest {
  private static final int COMMANDS = 5000;

  /** As many as are needed, up to these, until each type has occurred: some are rare. */
  private static final int COVERING_HISTORIES = 20;

  /** Facts that need a coincidence which their own tests bring about. */
  private static final Set<String> RARE =
      Set.of(
          NodeKept.class.getName(),
          NodeRemoved.class.getName(),
          TimerFailed.class.getName(),
          JobOfferRefused.class.getName(),
          JobKept.class.getName(),
          UsagesSet.class.getName());

  @Test
  void theHistoriesUseEveryTypeOfCommandAndFact() {
    Set<String> missing = new TreeSet<>();
    missing.addAll(names(Catalogue.get().commands()));
    missing.addAll(names(Catalogue.get().facts()));
    missing.removeAll(RARE);
    // What one history happens not to have another one has.
    for (long seed = 1; seed <= COVERING_HISTORIES && !missing.isEmpty(); seed++) {
      missing.removeAll(typesIn(seed));
    }
    assertEquals(Set.of(), missing, "never occurred");
  }

  private static Set<String> typesIn(long seed) {
    Set<String> seen = new TreeSet<>();
    History history =
        new History(
            seed,
            (shard, command, outcome, facts) -> {
              seen.add(command.getSchema().getFullName());
              facts.forEach(fact -> seen.add(fact.getSchema().getFullName()));
            });
    history.play(COMMANDS);
    history.settle();
    history.shards.queue("brief", "");
    history.shards.must(ChangeOperation.DELETE, ObjectKind.QUEUE, "brief");
    // Long enough for everything that is forgotten after a time.
    history.shards.pass(2 * AnswerMemory.KEPT_MS);
    return seen;
  }

  private static Set<String> names(List<Catalogue.CatalogueEntry> entries) {
    return entries.stream().map(Catalogue.CatalogueEntry::fullName).collect(Collectors.toSet());
  }
}
