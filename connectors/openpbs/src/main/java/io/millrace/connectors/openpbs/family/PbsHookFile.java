package io.millrace.connectors.openpbs.family;

import io.millrace.connectors.bridge.files.OutsideFiles;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideMove;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.connectors.bridge.tail.FileTail;
import io.millrace.connectors.bridge.tail.TailPosition;
import io.millrace.connectors.bridge.tail.TailRead;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file that the server's hook writes: {@code EVENT ID.SERVER EPOCH} for each begin and end of a
 * job. It says nothing of how a job has ended. Its place stands in a cursor behind that of the
 * accounting.
 */
final class PbsHookFile {
  private static final Logger log = LoggerFactory.getLogger(PbsHookFile.class);

  private static final int TAIL_BYTES = 1 << 20;
  private static final String MARK = " hook=";

  private static final Map<String, OutsideState> EVENTS =
      Map.of("begin", OutsideState.RUNNING, "end", OutsideState.ENDING);

  private static final Pattern LINE =
      Pattern.compile("([a-z]{1,20}) ([0-9]\\S{1,280}) ([0-9]{1,12})(?: .*)?");

  private final Path path;
  private final FileTail tail;
  private final String server;

  /** Why it cannot be read; empty when it can. */
  private String unread = "";

  PbsHookFile(OutsideFiles files, Path path, String server) {
    this.path = path;
    this.tail = new FileTail(files, path, TAIL_BYTES);
    this.server = server;
  }

  /** What a line says; empty when it is none, or of another server. */
  static Optional<OutsideMove> move(String line, String server) {
    Matcher form = LINE.matcher(line);
    if (!form.matches() || !EVENTS.containsKey(form.group(1))) {
      return Optional.empty();
    }
    Optional<OutsideId> id = PbsUnits.id(form.group(2), server);
    Instant at = Instant.ofEpochSecond(Long.parseLong(form.group(3)));
    return id.map(it -> PbsRecord.hint(it, EVENTS.get(form.group(1)), at));
  }

  /** The part of a cursor that is not of such a file. */
  static String without(String cursor) {
    int at = cursor.lastIndexOf(MARK);
    return at < 0 ? cursor : cursor.substring(0, at);
  }

  /**
   * The changes since a cursor, those of this file among them.
   *
   * @param others what else there is, by its part of the cursor
   */
  Told<OutsideChanges> changes(String cursor, Function<String, Told<OutsideChanges>> others) {
    Told<OutsideChanges> told = others.apply(without(cursor));
    if (!(told instanceof Told.Answered<OutsideChanges> answer)) {
      return told;
    }
    OutsideChanges more = answer.value();
    int at = cursor.lastIndexOf(MARK);
    String position = at < 0 ? "" : cursor.substring(at + MARK.length());
    TailRead read;
    try {
      Optional<TailPosition> from = TailPosition.read(position);
      read =
          from.isPresent()
              ? tail.read(from.get())
              : new TailRead(List.of(), tail.end(), true, false, 0);
      unread = "";
    } catch (IOException e) {
      isUnread(String.valueOf(e.getMessage()));
      return Told.of(with(more, List.of(), more.cursor() + MARK + position, true));
    }
    // From begins and ends that were lost nothing follows: the queue shows them too.
    List<OutsideMove> moves =
        read.lines().stream().flatMap(it -> move(it, server).stream()).toList();
    return Told.of(with(more, moves, more.cursor() + MARK + read.position(), read.atEnd()));
  }

  private static OutsideChanges with(
      OutsideChanges more, List<OutsideMove> moves, String cursor, boolean atEnd) {
    return new OutsideChanges(
        more.records(),
        Stream.concat(more.moves().stream(), moves.stream()).toList(),
        cursor,
        more.atEnd() && atEnd,
        more.gap());
  }

  /** That it cannot be read keeps nothing else up. */
  private void isUnread(String why) {
    if (!why.equals(unread)) {
      log.warn("begins and ends of jobs are seen later: {}: {}", path, why);
      unread = why;
    }
  }
}
