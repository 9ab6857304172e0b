package io.millrace.connectors.openpbs.family;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.system.OutsideAction;
import io.millrace.connectors.bridge.system.OutsideId;
import java.util.List;

/** Words of commands that all systems of the PBS family take. */
public final class PbsOrders {

  private static final int NAME_MOST = 200;

  private PbsOrders() {}

  /** The command that does something to a job. */
  public static List<String> control(
      ClusterFile file, OutsideId id, String server, OutsideAction action) {
    String task = id.task() == 0 ? "" : "[" + id.task() + "]";
    String number = id.number() + task + "." + server;
    return switch (action) {
      case HOLD -> List.of(file.program("qhold"), "-h", "u", number);
      case RELEASE -> List.of(file.program("qrls"), "-h", "u", number);
      case SUSPEND -> List.of(file.program("qsig"), "-s", "suspend", number);
      case RESUME -> List.of(file.program("qsig"), "-s", "resume", number);
      case DELETE -> List.of(file.program("qdel"), number);
    };
  }

  /** A name that {@code -N} takes: it begins with a letter and has no spaces. */
  public static String name(String name) {
    StringBuilder clean = new StringBuilder();
    name.codePoints()
        .limit(NAME_MOST)
        .map(it -> it < 128 && (Character.isLetterOrDigit(it) || "._-".indexOf(it) >= 0) ? it : '_')
        .forEach(clean::appendCodePoint);
    boolean good = !clean.isEmpty() && Character.isLetter(clean.charAt(0));
    return good ? clean.toString() : "J" + clean;
  }
}
