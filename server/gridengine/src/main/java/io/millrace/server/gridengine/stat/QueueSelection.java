package io.millrace.server.gridengine.stat;

/**
 * Which queue instances qstat was asked about; an empty text asks for all.
 *
 * @param names -q
 * @param resources -l: instances that could meet the requests if nothing ran
 * @param environments -pe: instances of one of these parallel environments
 * @param users -U: instances that take one of these users' jobs
 * @param states -qs: instances in one of these states
 */
record QueueSelection(
    String names, String resources, String environments, String users, String states) {

  static final QueueSelection ALL = new QueueSelection("", "", "", "", "");

  /** A copy with another value of one option. */
  QueueSelection with(String option, String value) {
    return switch (option) {
      case "-q" -> new QueueSelection(value, resources, environments, users, states);
      case "-l" -> new QueueSelection(names, value, environments, users, states);
      case "-pe" -> new QueueSelection(names, resources, value, users, states);
      case "-U" -> new QueueSelection(names, resources, environments, value, states);
      case "-qs" -> new QueueSelection(names, resources, environments, users, value);
      default -> throw new IllegalArgumentException(option);
    };
  }

  /** Whether jobs are left out that no selected instance would take. */
  boolean narrows() {
    return !(names.isEmpty() && resources.isEmpty() && environments.isEmpty() && users.isEmpty());
  }

  /** Whether any option was given. */
  boolean asked() {
    return narrows() || !states.isEmpty();
  }
}
