package io.millrace.schedulers.gridengine.language.options;

/**
 * One row of a table of options.
 *
 * @param name as qconf writes it
 * @param form what its value may look like
 * @param usual the value that it has when nobody sets it
 * @param effect whether the decisions depend on it
 * @param meaning what the value says, one sentence
 * @param changes what another value changes, one sentence
 */
public record Option(
    String name, Form form, String usual, Effect effect, String meaning, String changes) {

  /** What Millrace does with an option. */
  public enum Effect {
    /** Decisions or their records depend on it. */
    DECIDES,
    /** Kept and printed again, without effect on scheduling. */
    KEPT,
    /** Only the usual value is accepted: the mechanism behind it does not exist in Millrace. */
    FIXED
  }
}
