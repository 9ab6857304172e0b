package io.millrace.connectors.openpbs.family;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.system.OutsideAction;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import java.util.ArrayList;
import java.util.List;

/** Words of commands that all systems of the PBS family take. */
public final class PbsOrders {

  private static final int NAME_MOST = 200;

  private PbsOrders() {}

  /**
   * The command that submits a job, but for its queue; more can be added.
   *
   * @param tagOption option that takes the tag of a run
   * @param nodes what {@code -l} takes, each behind one, for the job's processors and hosts
   */
  static List<String> submission(
      ClusterFile file, OutsideSubmission order, String tagOption, List<String> nodes) {
    List<String> words = new ArrayList<>();
    words.add(file.program("qsub"));
    words.addAll(List.of(tagOption, order.tag().toString(), "-v", "MILLRACE=" + order.tag()));
    words.addAll(List.of("-N", name(order.name()), "-r", "n", "-S", "/bin/bash", "-m", "n"));
    words.addAll(List.of("-o", "/dev/null", "-e", "/dev/null"));
    nodes.forEach(it -> words.addAll(List.of("-l", it)));
    order.amounts().wallSeconds().ifPresent(it -> words.addAll(List.of("-l", "walltime=" + it)));
    return words;
  }

  /** The command that does something to a job. */
  public static List<String> control(
      ClusterFile file, OutsideId id, String server, OutsideAction action) {
    String number = number(id, server);
    return switch (action) {
      case HOLD -> List.of(file.program("qhold"), "-h", "u", number);
      case RELEASE -> List.of(file.program("qrls"), "-h", "u", number);
      case SUSPEND -> List.of(file.program("qsig"), "-s", "suspend", number);
      case RESUME -> List.of(file.program("qsig"), "-s", "resume", number);
      case DELETE -> List.of(file.program("qdel"), number);
    };
  }

  /** The command that gives a job another walltime. */
  static List<String> limit(ClusterFile file, OutsideId id, String server, long wallSeconds) {
    return List.of(file.program("qalter"), "-l", "walltime=" + wallSeconds, number(id, server));
  }

  /** The command that sends a signal to a job. */
  static List<String> signal(ClusterFile file, OutsideId id, String server, int signal) {
    return List.of(file.program("qsig"), "-s", Integer.toString(signal), number(id, server));
  }

  /** A number of a job as all commands take it. */
  static String number(OutsideId id, String server) {
    String task = id.task() == 0 ? "" : "[" + id.task() + "]";
    return id.number() + task + "." + server;
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
