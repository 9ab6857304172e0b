package io.millrace.connectors.openpbs.family;

import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideMove;
import io.millrace.connectors.bridge.system.OutsideNumber;
import io.millrace.connectors.bridge.system.OutsideRecord;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideTag;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A line of an accounting file: time, letter, number of the job and fields. Texts of users stand in
 * it, with line ends too, so that a record of it is never certain.
 */
public final class PbsRecord {

  private static final Pattern TIME =
      Pattern.compile("[0-9]{2}/[0-9]{2}/[0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2}");
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]{0,200}");
  private static final int PARTS = 4;

  private PbsRecord() {}

  /**
   * The end that a line tells of; empty for lines of other letters, and for what is no line. Only E
   * is an end: D is somebody's wish, and after R the job waits again.
   *
   * @param server whose job it must be
   * @param tag field with the tag
   * @param ends what an exit status says
   */
  public static Optional<OutsideRecord> record(
      String line, String server, String tag, ExitMeaning ends) {
    String[] parts = line.split(";", PARTS);
    if (parts.length != PARTS || !TIME.matcher(parts[0]).matches() || !parts[1].equals("E")) {
      return Optional.empty();
    }
    Map<String, String> fields = fields(parts[3]);
    Optional<OutsideId> id = PbsUnits.id(parts[2], server);
    Optional<Integer> status = PbsUnits.status(fields.getOrDefault("Exit_status", ""));
    String user = fields.getOrDefault("user", "");
    if (id.isEmpty() || status.isEmpty() || user.isEmpty()) {
      return Optional.empty();
    }
    Optional<OutsideTag> mark = OutsideTag.read(fields.getOrDefault(tag, ""));
    OutsideEnd end = ends.of(status.get(), mark.isPresent());
    return Optional.of(
        new OutsideRecord(
            id.get(),
            user,
            mark,
            OutsideNumber.time(fields.getOrDefault("ctime", "")),
            PbsUnits.usage(fields).map(end::withUsage).orElse(end),
            false,
            fields));
  }

  /**
   * The begin that a line of the letter S tells of; empty for all others. Whose job it is does not
   * count, as the line may be a user's text: it is a hint about a job that is known by its number.
   *
   * @param server whose job it must be
   */
  static Optional<OutsideMove> begin(String line, String server) {
    String[] parts = line.split(";", PARTS);
    if (parts.length != PARTS || !TIME.matcher(parts[0]).matches() || !parts[1].equals("S")) {
      return Optional.empty();
    }
    Optional<OutsideId> id = PbsUnits.id(parts[2], server);
    Optional<Instant> at = OutsideNumber.time(fields(parts[3]).getOrDefault("start", ""));
    return id.isPresent() && at.isPresent()
        ? Optional.of(hint(id.get(), OutsideState.RUNNING, at.get()))
        : Optional.empty();
  }

  static OutsideMove hint(OutsideId id, OutsideState state, Instant at) {
    return new OutsideMove(id, "", Optional.empty(), state, at, Optional.empty());
  }

  /**
   * The fields of the last part. A word without a name, or inside of quotes, belongs to the value
   * before it, and of a name that stands there twice the first counts.
   */
  static Map<String, String> fields(String text) {
    Map<String, StringBuilder> found = new LinkedHashMap<>();
    StringBuilder value = new StringBuilder();
    boolean open = false;
    for (String word : text.strip().split(" ")) {
      int equals = word.indexOf('=');
      boolean named = !open && equals > 0 && NAME.matcher(word.substring(0, equals)).matches();
      if (named) {
        value = new StringBuilder(word.substring(equals + 1));
        found.putIfAbsent(word.substring(0, equals), value);
        open = value.indexOf("\"") == 0 && (value.length() == 1 || !word.endsWith("\""));
      } else {
        value.append(' ').append(word);
        open &= !word.endsWith("\"");
      }
    }
    Map<String, String> fields = new LinkedHashMap<>();
    found.forEach((name, it) -> fields.put(name, plain(it.toString())));
    return fields;
  }

  private static String plain(String value) {
    boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
    return quoted ? value.substring(1, value.length() - 1) : value;
  }
}
