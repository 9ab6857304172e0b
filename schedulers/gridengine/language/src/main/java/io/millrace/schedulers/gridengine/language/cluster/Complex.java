package io.millrace.schedulers.gridengine.language.cluster;

import io.millrace.schedulers.gridengine.language.options.Numbers;

/**
 * One attribute that jobs can request (a line of {@code qconf -sc}).
 *
 * @param relation what must hold between request and offer
 * @param worth what a job takes unasked, and how urgent a request makes it
 */
public record Complex(
    String name,
    String shortcut,
    ValueType type,
    Relation relation,
    ComplexUse use,
    ComplexWorth worth) {

  /** Whether jobs can, must or cannot request it, and what a request takes. */
  public record ComplexUse(Requestable requestable, Consumption consumption) {}

  /** The column requestable. */
  public enum Requestable {
    YES,
    NO,
    FORCED
  }

  /** The column consumable: not consumable, consumed per slot, or once per job. */
  public enum Consumption {
    NO,
    YES,
    JOB
  }

  /**
   * The columns default and urgency.
   *
   * @param usual the default request, as text
   */
  public record ComplexWorth(String usual, double urgency) {}

  public boolean consumable() {
    return use.consumption() != Consumption.NO;
  }

  public boolean perJob() {
    return use.consumption() == Consumption.JOB;
  }

  /** Amount that a job consumes by default; 0 for most attributes. */
  public double usualAmount() {
    return type.amount(worth.usual()).orElse(0.0);
  }

  /** One sentence that describes the attribute. */
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

  /** Urgency that a request for an amount adds to a job with this number of slots. */
  public double urgency(double amount, int slots) {
    return type.numeric() ? amount * worth.urgency() * slots : worth.urgency();
  }

  /** Whether a requested text matches an offered one; only for types that are not numbers. */
  public boolean matches(String request, String offer) {
    boolean fits =
        WildcardPattern.of(request, type != ValueType.STRING && type != ValueType.RESTRING)
            .fits(offer);
    return (relation == Relation.UNEQUAL) != fits;
  }

  /** An amount as Grid Engine's scheduling information prints it. */
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
