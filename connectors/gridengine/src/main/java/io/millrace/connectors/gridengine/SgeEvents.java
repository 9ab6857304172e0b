package io.millrace.connectors.gridengine;

import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.FollowedLines;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideMove;
import io.millrace.connectors.bridge.system.OutsideState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What qevent prints about jobs that begin and end, with their numbers and nothing else. */
final class SgeEvents {

  /** Kinds of lines that are passed over, each with the reason. */
  static final Map<String, String> PASSED_OVER =
      Map.of(
          "ECL_STATE", "a sign of life: how many jobs it has seen",
          "JOB_ADD", "whose job it is, and what it is called, the queue says",
          "JOB_DEL", "a job that is gone may begin again; accounting says how it ended");

  private static final Map<String, OutsideState> KINDS =
      Map.of("JOB_START", OutsideState.RUNNING, "JOB_FINISH", OutsideState.ENDING);

  private static final Pattern LINE =
      Pattern.compile(
          "([A-Z_]{1,20}) \\(([1-9][0-9]{0,17})\\.([0-9]{1,18}):ECL_TIME=([0-9]{1,12})(?::.*)?\\)");

  private final CommandRunner runner;
  private final OutsideCommand command;
  private Optional<FollowedLines> followed = Optional.empty();

  SgeEvents(CommandRunner runner, OutsideCommand command) {
    this.runner = runner;
    this.command = command;
  }

  /** What was said since the last call; the first has it begin. */
  List<OutsideMove> moves() {
    if (followed.isEmpty()) {
      followed = runner.follow(command);
    }
    return followed.stream()
        .flatMap(it -> it.take().stream())
        .flatMap(it -> moves(it).stream())
        .toList();
  }

  /**
   * What a line says: of the first task of an array it says the same as of a job that is none. None
   * for one that says nothing of begins and ends.
   */
  static List<OutsideMove> moves(String line) {
    Matcher form = LINE.matcher(line);
    if (!form.matches() || !KINDS.containsKey(form.group(1))) {
      return List.of();
    }
    long number = Long.parseLong(form.group(2));
    long task = Long.parseLong(form.group(3));
    Stream<OutsideId> ids =
        task > 1
            ? Stream.of(new OutsideId(number, task))
            : Stream.of(OutsideId.of(number), new OutsideId(number, 1));
    Instant at = Instant.ofEpochSecond(Long.parseLong(form.group(4)));
    OutsideState state = KINDS.get(form.group(1));
    return ids.map(id -> new OutsideMove(id, "", Optional.empty(), state, at, Optional.empty()))
        .toList();
  }
}
