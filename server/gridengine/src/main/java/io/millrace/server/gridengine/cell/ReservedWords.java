package io.millrace.server.gridengine.cell;

import java.util.List;

/** What qrsub was typed, as the reservation keeps it. */
public final class ReservedWords {

  private ReservedWords() {}

  /** The option with the amounts of resources; nothing when none were asked for. */
  public static List<String> amounts(List<String> words) {
    // Values are what users like, so one may read as an option does: each is passed over.
    for (int at = 0; at + 1 < words.size(); at += words.get(at).equals("-pe") ? 3 : 2) {
      if (words.get(at).equals("-l")) {
        return List.of("-l", words.get(at + 1));
      }
    }
    return List.of();
  }
}
