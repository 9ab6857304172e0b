package io.millrace.schemas.pbs.schedconfig.options;

/**
 * One row of the table of options.
 *
 * @param name as it stands in the file
 * @param form what its value looks like
 * @param usual the value where no line gives one; empty for none
 * @param starred true when it can have one value in prime and another in non-prime time
 * @param standing what becomes of it
 * @param meaning what the value says, one sentence
 * @param changes what another value changes, one sentence; for one that is refused or out of date,
 *     what is so instead
 */
public record SchedConfigOption(
    String name,
    ValueForm form,
    String usual,
    boolean starred,
    OptionStanding standing,
    OptionWords words) {

  /** What the row says in words. */
  public record OptionWords(String meaning, String changes) {}

  /** What becomes of an option. */
  public enum OptionStanding {
    /** It is obeyed. */
    ACTS,
    /** An old name that OpenPBS reports and obeys. */
    OLD,
    /** An old name that OpenPBS reports and passes over. */
    GONE,
    /** What it asks for does not exist in Millrace. */
    ABSENT
  }

  public String meaning() {
    return words.meaning();
  }

  public String changes() {
    return words.changes();
  }

  /** True for a value in normal form that is the usual one. */
  public boolean isUsual(String value) {
    return value.equals(usual)
        || form == ValueForm.TIME
            && DurationText.seconds(value).equals(DurationText.seconds(usual));
  }

  /** True when a second line adds to the first, and does not replace it. */
  public boolean addsUp() {
    return form.addsUp();
  }
}
