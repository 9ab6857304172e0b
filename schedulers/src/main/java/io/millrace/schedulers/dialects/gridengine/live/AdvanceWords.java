package io.millrace.schedulers.dialects.gridengine.live;

import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.ConsumableUse;
import io.millrace.schedulers.gridengine.language.request.ConsumableUses;
import io.millrace.schedulers.gridengine.language.request.RequestRefused;
import io.millrace.schedulers.gridengine.language.request.Submission;
import io.millrace.schemas.state.GridEngineReservation;
import io.millrace.schemas.state.Reservation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What qrsub was typed for a reservation; nothing for one of another command. */
final class AdvanceWords {

  private static final String HARD = "-he";
  private static final String AMOUNTS = "-l";

  /** The one option that has two values: the environment and its slots. */
  private static final String ENVIRONMENT = "-pe";

  private final String environment;
  private final Map<String, Integer> slots = new LinkedHashMap<>();
  private final Map<String, String> values = new LinkedHashMap<>();

  private AdvanceWords(GridEngineReservation asked) {
    environment = asked == null ? "" : asked.getEnvironment();
    if (asked != null) {
      asked.getGranted().forEach(it -> slots.merge(it.getQueue(), it.getSlots(), Integer::sum));
      // Values are what users like, so one may read as an option does: each is passed over.
      List<String> words = asked.getOptions();
      for (int at = 0; at + 1 < words.size(); at += ENVIRONMENT.equals(words.get(at)) ? 3 : 2) {
        values.put(words.get(at), words.get(at + 1));
      }
    }
  }

  static AdvanceWords of(Reservation reservation) {
    return new AdvanceWords(reservation.getSpec().getGridEngine());
  }

  /** Whether nothing starts in it while a node is lost (-he y). */
  boolean hard() {
    return values.getOrDefault(HARD, "n").toLowerCase(Locale.ROOT).startsWith("y");
  }

  /** What its slots take of consumables; nothing where the cluster has not what was asked for. */
  List<ConsumableUse> uses(Cluster cluster) {
    List<String> words = new ArrayList<>();
    if (values.containsKey(AMOUNTS)) {
      words.addAll(List.of(AMOUNTS, values.get(AMOUNTS)));
    }
    try {
      Submission asked = Submission.of(words);
      return ConsumableUses.of(cluster, asked.needs(cluster.complexes()), environment, slots);
    } catch (RequestRefused e) {
      return List.of();
    }
  }
}
