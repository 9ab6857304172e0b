package io.millrace.schemas.pbs.schedconfig.share;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * PBS's command {@code pbsfs}: shows and changes what entities have used.
 *
 * <p>It reads and writes the usage that is kept, not that of a running cycle: what it has changed
 * its caller gives to the scheduler.
 */
public final class ShareCommand {

  private static final String DEFAULT = "default";
  private static final String USAGE = "Usage: pbsfs -[ptdgcs] [-I sched_name]";

  private final Supplier<ShareTree> unused;
  private final String unit;
  private final double factor;
  private Map<String, Double> usages;
  private boolean written;

  /**
   * @param unused makes a tree in which nothing was used
   * @param unit what counts as usage
   * @param factor of decay
   * @param usages what was used, by entity
   * @param written false while there is no file of usages yet
   */
  public ShareCommand(
      Supplier<ShareTree> unused,
      String unit,
      double factor,
      Map<String, Double> usages,
      boolean written) {
    this.unused = unused;
    this.unit = unit;
    this.factor = factor;
    this.usages = new TreeMap<>(usages);
    this.written = written;
  }

  /**
   * What a call answers.
   *
   * @param changed true when usages were written
   */
  public record ShareCommandAnswer(
      int status, List<String> out, List<String> err, boolean changed) {}

  /** Usages after the calls so far, by entity. */
  public Map<String, Double> usages() {
    return Map.copyOf(usages);
  }

  /**
   * What a command line asks for.
   *
   * @param action the last of the letters sgptdce; p where there is none
   * @param scheduler name of the scheduler object
   */
  public record ShareCommandLine(char action, List<String> operands, String scheduler) {}

  /** Reads a command line. */
  public static ShareCommandLine asked(List<String> args) {
    char action = 'p';
    List<String> operands = new ArrayList<>();
    String scheduler = DEFAULT;
    for (int i = 0; i < args.size(); i++) {
      String word = args.get(i);
      if (word.equals("-I")) {
        i++;
        scheduler = i < args.size() ? args.get(i) : "";
      } else if (operands.isEmpty() && word.matches("-[sgptdce]+")) {
        action = word.charAt(word.length() - 1);
      } else {
        operands.add(word);
      }
    }
    return new ShareCommandLine(action, List.copyOf(operands), scheduler);
  }

  /**
   * Why a call is refused, in PBS's words; empty for one that can be answered.
   *
   * @param root false for an ordinary user, who may do nothing
   * @param exists whether there is a scheduler object of the name
   */
  public static Optional<ShareCommandAnswer> refusal(
      ShareCommandLine asked, boolean root, boolean exists) {
    if (!root) {
      return Optional.of(
          new ShareCommandAnswer(
              1,
              List.of(),
              List.of(
                  "/opt/pbs/sbin/pbsfs: Must be run by PBS_DAEMON_SERVICE_USER if set or root if"
                      + " not set",
                  ": Success"),
              false));
    }
    return Optional.ofNullable(check(asked, exists));
  }

  /**
   * Runs one call for the scheduler "default".
   *
   * @param root false for an ordinary user, who may do nothing
   */
  public ShareCommandAnswer run(List<String> args, boolean root) {
    ShareCommandLine asked = asked(args);
    return refusal(asked, root, asked.scheduler().equals(DEFAULT)).orElseGet(() -> answer(asked));
  }

  /** Answers a call that is not refused. */
  public ShareCommandAnswer answer(ShareCommandLine asked) {
    return act(asked.action(), asked.operands());
  }

  private static ShareCommandAnswer check(ShareCommandLine asked, boolean exists) {
    int operands = asked.operands().size();
    char action = asked.action();
    if ((action == 'p' || action == 't') && operands != 0) {
      return wrong(USAGE);
    }
    if (action == 'g' && operands != 1) {
      return wrong("Usage: pbsfs [-I sched_name] -g <fairshare_entity>");
    }
    if (action == 's' && operands != 2) {
      return wrong("Usage: pbsfs [-I sched_name] -s <fairshare_entity> <usage>");
    }
    if (action == 'c' && operands != 2) {
      return wrong("Usage: pbsfs [-I sched_name] -c <entity1> <entity2>");
    }
    return exists ? null : wrong("Scheduler " + asked.scheduler() + " does not exist");
  }

  private static ShareCommandAnswer wrong(String text) {
    return new ShareCommandAnswer(1, List.of(), List.of(text), false);
  }

  private ShareCommandAnswer act(char action, List<String> operands) {
    List<String> err = new ArrayList<>();
    if (!written) {
      err.add("Creating usage database for fairshare.");
    }
    ShareTree tree = unused.get();
    tree.restore(usages, action == 'e');
    List<String> out = new ArrayList<>();
    switch (action) {
      case 't' -> tree(tree.top(), 0, out);
      case 'd' -> tree.decay(factor);
      case 'e' -> {
        // Reading the usages of entities in the file alone has forgotten the others.
      }
      case 'p' -> {
        out.add("Fairshare usage units are in: " + unit);
        table(tree.top(), out);
      }
      default -> {
        return entity(tree, action, operands, err);
      }
    }
    return action == 'd' || action == 'e' ? write(tree, out, err) : answer(out, err);
  }

  private ShareCommandAnswer entity(
      ShareTree tree, char action, List<String> operands, List<String> err) {
    List<ShareVertex> vertices = new ArrayList<>();
    int named = action == 'c' ? 2 : 1;
    for (String name : operands.subList(0, named)) {
      ShareVertex vertex = tree.find(name);
      if (vertex == null) {
        err.add("Fairshare Entity " + name + " does not exist.");
        return new ShareCommandAnswer(1, List.of(), err, false);
      }
      vertices.add(vertex);
    }
    List<String> out = new ArrayList<>();
    if (action == 'g') {
      describe(vertices.get(0), out);
    } else if (action == 'c') {
      out.add(moreDeserving(vertices.get(0), vertices.get(1)));
    } else {
      if (operands.get(1).matches("[+-]?\\d+(\\.\\d*)?([eE][+-]?\\d{1,3})?|[+-]?\\.\\d+")) {
        tree.set(vertices.get(0), Double.parseDouble(operands.get(1)));
      }
      return write(tree, out, err);
    }
    return answer(out, err);
  }

  private static String moreDeserving(ShareVertex one, ShareVertex other) {
    int order = ShareTree.compare(one, other);
    return order == 0 ? one.name() + " == " + other.name() : order < 0 ? one.name() : other.name();
  }

  private static ShareCommandAnswer answer(List<String> out, List<String> err) {
    return new ShareCommandAnswer(0, out, err, false);
  }

  private ShareCommandAnswer write(ShareTree tree, List<String> out, List<String> err) {
    if (!written) {
      err.add("Could not backup usage database.: No such file or directory");
    }
    usages = new TreeMap<>(tree.usages());
    written = true;
    return new ShareCommandAnswer(0, out, err, true);
  }

  private static void table(ShareVertex vertex, List<String> out) {
    int group = vertex.parent() == null ? -1 : vertex.parent().id();
    out.add(
        String.format(
            Locale.ROOT,
            "%-10s: Grp: %-5d  cgrp: %-5dShares: %-6d Usage: %-6.0f Perc: %6.3f%%",
            vertex.name(),
            group,
            vertex.id(),
            vertex.shares(),
            rounded(vertex.usage()),
            vertex.percentage() * 100));
    vertex.children().forEach(child -> table(child, out));
  }

  private static void tree(ShareVertex vertex, int depth, List<String> out) {
    String indent = depth == 0 ? " " : " ".repeat(depth);
    out.add(indent + vertex.name() + "(" + vertex.id() + ")");
    vertex.children().forEach(child -> tree(child, depth + 5, out));
  }

  private void describe(ShareVertex vertex, List<String> out) {
    out.add("fairshare entity: " + vertex.name());
    out.add("Resgroup\t\t: " + (vertex.parent() == null ? -1 : vertex.parent().id()));
    out.add("cresgroup\t\t: " + vertex.id());
    out.add("Shares\t\t\t: " + vertex.shares());
    out.add(String.format(Locale.ROOT, "Percentage\t\t: %f%%", vertex.percentage() * 100));
    out.add(String.format(Locale.ROOT, "fairshare_tree_usage\t: %f", vertex.treeUsage()));
    out.add(String.format(Locale.ROOT, "usage\t\t\t: %.0f (%s)", rounded(vertex.usage()), unit));
    out.add(String.format(Locale.ROOT, "usage/perc\t\t: %.0f", rounded(ratio(vertex))));
    out.add("Path from root: ");
    List<ShareVertex> path = vertex.parent() == null ? List.of() : vertex.path();
    for (ShareVertex each : path) {
      out.add(
          String.format(
              Locale.ROOT,
              "%-10s: %5d %10.0f / %5.3f = %.0f",
              each.name(),
              each.id(),
              rounded(each.usage()),
              each.percentage(),
              rounded(ratio(each))));
    }
  }

  private static double ratio(ShareVertex vertex) {
    return vertex.percentage() == 0 ? -1 : vertex.usage() / vertex.percentage();
  }

  /** C rounds a half to the even number, and Java away from 0. */
  private static double rounded(double value) {
    return Math.rint(value);
  }
}
