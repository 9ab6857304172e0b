package io.millrace.ops.gridengine.front;

import io.millrace.server.gateway.command.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What qstat was asked.
 *
 * @param full -f
 * @param xml -xml
 * @param detail -j; its list is empty for the messages of all jobs
 * @param requests -r
 * @param selection whose jobs, in which states and queues
 */
record StatOptions(
    boolean full, boolean xml, boolean detail, boolean requests, Selection selection) {

  /**
   * @param users of -u; {@code *} means all
   * @param states letters of -s; empty for all
   * @param queues of -q; empty for all
   * @param names of -j
   * @param grouped false with -g d: each task of an array on a line of its own
   * @param busyOnly -ne
   */
  record Selection(
      List<String> users,
      String states,
      String queues,
      List<String> names,
      boolean grouped,
      boolean busyOnly) {}

  private static final Set<String> STATES =
      Set.of("p", "r", "s", "z", "hu", "ho", "hs", "hd", "hj", "ha", "h", "a");

  static StatOptions of(List<String> args, String user) throws Failure {
    boolean full = false;
    boolean xml = false;
    boolean detail = false;
    boolean requests = false;
    boolean grouped = true;
    boolean busyOnly = false;
    List<String> users = List.of(user);
    String states = "";
    String queues = "";
    List<String> names = new ArrayList<>();
    for (int i = 0; i < args.size(); i++) {
      String arg = args.get(i);
      switch (arg) {
        case "-f" -> full = true;
        case "-xml" -> xml = true;
        case "-r" -> requests = true;
        case "-ne" -> busyOnly = true;
        case "-u" -> users = List.of(value(args, ++i).split(","));
        case "-q" -> queues = value(args, ++i);
        case "-s" -> states += " " + states(value(args, ++i));
        case "-g" -> {
          if (!value(args, ++i).equals("d")) {
            throw wrong("-g " + args.get(i));
          }
          grouped = false;
        }
        case "-j" -> {
          detail = true;
          while (i + 1 < args.size() && !args.get(i + 1).startsWith("-")) {
            names.addAll(List.of(args.get(++i).split(",")));
          }
        }
        default -> throw wrong(arg);
      }
    }
    Selection selection = new Selection(users, states.strip(), queues, names, grouped, busyOnly);
    return new StatOptions(full, xml, detail, requests, selection);
  }

  private static String value(List<String> args, int index) throws Failure {
    if (index >= args.size()) {
      throw new Failure(
          Usage.QSTAT + "ERROR! " + args.get(index - 1) + " option must have argument\n", 1);
    }
    return args.get(index);
  }

  private static String states(String text) throws Failure {
    // "prs" stands for three states, "hu" for one.
    String rest = text;
    List<String> all = new ArrayList<>();
    while (!rest.isEmpty()) {
      int length = rest.length() > 1 && STATES.contains(rest.substring(0, 2)) ? 2 : 1;
      if (!STATES.contains(rest.substring(0, length))) {
        throw wrong("-s " + text);
      }
      all.add(rest.substring(0, length));
      rest = rest.substring(length);
    }
    return String.join(" ", all);
  }

  private static Failure wrong(String what) {
    return new Failure(Usage.QSTAT + "invalid option argument \"" + what + "\"\n", 1);
  }

  /** Whether a state was asked for. */
  boolean wants(String state) {
    return selection.states().isEmpty()
        || List.of(selection.states().split(" ")).contains(state)
        || List.of(selection.states().split(" ")).contains("a");
  }

  /** Whether a hold was asked for. */
  boolean wantsHold(String kind) {
    List<String> asked = List.of(selection.states().split(" "));
    return asked.contains("h") || asked.contains(kind);
  }

  boolean wantsUser(String owner) {
    return selection.users().contains("*") || selection.users().contains(owner);
  }
}
