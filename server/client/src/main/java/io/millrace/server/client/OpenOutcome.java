package io.millrace.server.client;

import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * What this process knows of the outcome while it waits, and the one line that says why it does.
 */
final class OpenOutcome {
  /** The exit status while the outcome is open. */
  static final int TIMED_OUT = 110;

  private static final String GRID_ENGINE = "sge/";

  /** Commands that change nothing. */
  private static final Set<String> ASKING =
      Set.of("qstat", "qselect", "tracejob", "why", "shards", "sge/qstat", "sge/qhost");

  private final String command;
  private final HeldOutput output;
  private String id = "";
  private String idIfLost = "";
  private boolean noted;

  OpenOutcome(String command, HeldOutput output) {
    this.command = command;
    this.output = output;
  }

  /** A command goes out now; under this id it is done once. */
  void underWay(String commandId) {
    id = commandId;
  }

  /** From afar: a request was cut off, which may have been carried out under this id. */
  void ifLost(String commandId) {
    idIfLost = commandId;
  }

  /** A request was cut off. */
  void lost() {
    id = id.isEmpty() && !ASKING.contains(command) ? idIfLost : id;
  }

  /** Whether nothing was carried out: no command went out. */
  boolean isNothing() {
    return id.isEmpty();
  }

  /** Tells a gateway that it is not the first that hears of the command. */
  void mark(byte[] opening) {
    if (!id.isEmpty()) {
      opening[Frames.HEADER + Frames.FLAGS] |= Frames.WAS_UNDER_WAY;
    }
  }

  /** Shows one line at once, and no second one. */
  void note(String line) {
    if (!noted) {
      noted = true;
      String whole = line.endsWith("\n") ? line : line + "\n";
      output.note(whole.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** What is said at the end about what is not known; empty when that is nothing. */
  String text() {
    if (id.isEmpty()) {
      return "";
    }
    String name =
        command.startsWith(GRID_ENGINE) ? command.substring(GRID_ENGINE.length()) : command;
    return "; it may still be carried out; repeated as "
        + name
        + " --command-id "
        + id
        + " ... it is done once";
  }

  /** The exit status of a command that failed so. */
  int status(int known) {
    return id.isEmpty() ? known : TIMED_OUT;
  }
}
