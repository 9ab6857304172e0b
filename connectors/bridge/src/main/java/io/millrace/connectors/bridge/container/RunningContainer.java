package io.millrace.connectors.bridge.container;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A container since its last start.
 *
 * @param id that no other has
 * @param state as its engine calls it
 * @param started when it was, in the words of its engine
 * @param name of it
 */
record RunningContainer(String id, String state, String started, String name) {

  private static final Pattern FORM =
      Pattern.compile("([0-9a-f]{64})/([a-z]+)/([^/\\n]*)//?([A-Za-z0-9_.-]+)\\n?");

  private static final int SHOWN = 12;

  /** What an engine says in {@link ContainerTerms#FORMAT}. */
  static Optional<RunningContainer> read(String said) {
    Matcher form = FORM.matcher(said);
    return form.matches()
        ? Optional.of(
            new RunningContainer(form.group(1), form.group(2), form.group(3), form.group(4)))
        : Optional.empty();
  }

  boolean isRunning() {
    return state.equals("running");
  }

  /** An engine takes the begin of an id for a name as well. */
  boolean isCalled(String nameOrId) {
    return name.equals(nameOrId) || id.equals(nameOrId);
  }

  static String brief(String id) {
    return id.substring(0, Math.min(SHOWN, id.length()));
  }
}
