package io.millrace.schedulers.gridengine.language.cluster;

import io.millrace.schedulers.gridengine.language.options.Numbers;

/**
 * One attribute that jobs can request (a line of {@code qconf -sc}).
 *
 * @param relation what must hold between request and offer
 * @param worth what a job takes unasked, and how urgent a request makes it
 */
public record Complex(
    String name, String shortcut, ValueType type, Relation relation, Use use, Worth worth) {

  /** Whether jobs can, must or cannot request it, and what a request takes. */
  public record Use(Requestable requestable, Consumption consumption) {}

  /** Requestable column. */
  public enum Requestable {
    YES,
    NO,
    FORCED
  }

  /** Consumable column: nothing is taken, something for each slot, or once for the job. */
  public enum Consumption {
    NO,
    YES,
    JOB
  }

  /**
   * Default and urgency columns.
   *
   * @param usual the default request, as text
   */
  public record Worth(String usual, double urgency) {}

  public boolean consumable() {
    return use.consumption() != Consumption.NO;
  }

  public boolean perJob() {
    return use.consumption() == Consumption.JOB;
  }

  /** What a job takes of it without asking; 0 for most. */
  public double usualAmount() {
    return type.amount(worth.usual()).orElse(0.0);
  }

  /** What the attribute is, in a sentence. */
  public String sentence() {
    String asked =
        switch (use.requestable()) {
          case YES -> "can be requested";
          case NO -> "cannot be requested";
          case FORCED -> "must be requested by jobs that run where it is set";
        };
    String taken =
        switch (use.consumption()) {
          case NO -> "";
          case YES -> "; each slot takes its amount";
          case JOB -> "; a job takes its amount once";
        };
    String usual = usualAmount() != 0 ? "; without a request " + worth.usual() + " is taken" : "";
    String urgent = worth.urgency() != 0 ? "; a request adds " + worth.urgency() + " urgency" : "";
    return type
        + ", "
        + asked
        + ", where REQUEST "
        + relation.sign()
        + " OFFER"
        + taken
        + usual
        + urgent
        + ".";
  }

  /** Urgency that a request adds to a job of so many slots. */
  public double urgency(double amount, int slots) {
    return type.numeric() ? amount * worth.urgency() * slots : worth.urgency();
  }

  /** Whether a request's text fits an offered text; only for types that are no numbers. */
  public boolean matches(String request, String offer) {
    boolean fits =
        WildcardPattern.of(request, type != ValueType.STRING && type != ValueType.RESTRING)
            .fits(offer);
    return (relation == Relation.UNEQUAL) != fits;
  }

  /** An amount as scheduling information shows it. */
  public String shown(double amount) {
    return switch (type) {
      case BOOL -> amount > 0 ? "true" : "false";
      case TIME -> time(amount);
      case MEMORY -> memory(amount);
      default -> Numbers.six(amount);
    };
  }

  private static String time(double seconds) {
    long whole = (long) seconds;
    return whole >= Numbers.UNLIMITED_S
        ? "infinity"
        : String.format("%02d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60);
  }

  private static String memory(double bytes) {
    if (bytes == Double.MAX_VALUE) {
      return "infinity";
    }
    String[] units = {"", "K", "M", "G", "T"};
    int unit = 0;
    double shown = bytes;
    while (shown >= 1024 && unit < units.length - 1) {
      shown /= 1024;
      unit++;
    }
    return String.format(java.util.Locale.ROOT, "%.3f%s", shown, units[unit]);
  }
}
