package io.millrace.ops.kafka;

/**
 * Something that is wrong with a cluster.
 *
 * @param weight how much it matters
 * @param where whose setting it is
 * @param what the setting and its value
 * @param why what comes of it
 * @param cure what to set
 */
public record KafkaFinding(Weight weight, String where, String what, String why, String cure) {

  /** How much something matters. */
  public enum Weight {
    /** Jobs may be lost, or Millrace does not work. */
    RED,
    /** It works, and less well than it could. */
    NOTE
  }

  public boolean isRed() {
    return weight == Weight.RED;
  }

  /** In one line. */
  public String line() {
    return String.format(
        "%-5s %s: %s: %s; %s", weight == Weight.RED ? "red" : "note", where, what, why, cure);
  }
}
