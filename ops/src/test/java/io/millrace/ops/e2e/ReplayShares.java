package io.millrace.ops.e2e;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** How much of each recording is as recorded, of the lines that apply. */
final class ReplayShares {

  private static final class Share {
    private int equal;
    private int all;
  }

  private final Map<String, Share> ofRecordings = new TreeMap<>();

  void count(String recording, boolean equal) {
    Share its = ofRecordings.computeIfAbsent(recording, it -> new Share());
    its.all++;
    its.equal += equal ? 1 : 0;
  }

  /** The part of these recordings together; 0 when none of them was played. */
  double of(List<String> recordings) {
    int equal = 0;
    int all = 0;
    for (String recording : recordings) {
      Share its = ofRecordings.getOrDefault(recording, new Share());
      equal += its.equal;
      all += its.all;
    }
    return all == 0 ? 0 : 1.0 * equal / all;
  }

  /** A line for each recording. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    ofRecordings.forEach(
        (name, its) ->
            text.append(
                String.format(
                    Locale.ROOT,
                    "golden: %s: %d of %d lines as recorded, %.1f %%%n",
                    name,
                    its.equal,
                    its.all,
                    100.0 * its.equal / its.all)));
    return text.toString().stripTrailing();
  }
}
