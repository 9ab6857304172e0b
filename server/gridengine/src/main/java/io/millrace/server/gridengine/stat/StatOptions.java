package io.millrace.server.gridengine.stat;

import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gridengine.cell.UsageTexts;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What qstat was asked.
 *
 * @param shows forms of the answer
 * @param selection whose jobs, in which states
 * @param queues which queue instances
 * @param attributes of -F: names, none for all of them; empty without -F
 */
record StatOptions(
    Set<Show> shows,
    Selection selection,
    QueueSelection queues,
    Optional<List<String>> attributes) {

  /** Forms of the answer. */
  enum Show {
    /** -f */
    FULL,
    /** -xml */
    XML,
    /** -j; the list of names is empty for the messages of all jobs */
    DETAIL,
    /** -r */
    REQUESTS,
    /** -ext */
    EXTENDED,
    /** -urg */
    URGENCY,
    /** -pri */
    PRIORITY,
    /** -g d: each task of an array on a line of its own */
    TASKS,
    /** -g t: each slot of a run on a line of its own */
    SLOTS,
    /** -t: as -g t; tasks within a parallel job are not known one by one */
    SUBTASKS,
    /** -g c: a line for each cluster queue */
    SUMMARY,
    /** -ne */
    BUSY_ONLY,
    /** -explain a: the states A and E never come about here, so there is nothing about them */
    EXPLAIN,
    /** -explain c */
    AMBIGUOUS,
    /** -ncb */
    NO_BINDING
  }

  /**
   * @param users of -u; {@code *} means all
   * @param states letters of -s; empty for all
   * @param names of -j
   */
  record Selection(List<String> users, String states, List<String> names) {}

  private static final Set<String> STATES =
      Set.of("p", "r", "s", "z", "hu", "ho", "hs", "hd", "hj", "ha", "h", "a");

  static StatOptions of(List<String> args, String user) throws Failure {
    EnumSet<Show> shows = EnumSet.noneOf(Show.class);
    List<String> users = List.of(user);
    String states = "";
    QueueSelection queues = QueueSelection.ALL;
    List<String> names = new ArrayList<>();
    Optional<List<String>> attributes = Optional.empty();
    for (int i = 0; i < args.size(); i++) {
      String arg = args.get(i);
      switch (arg) {
        case "-u" -> users = List.of(value(args, ++i).split(","));
        case "-s" -> states += " " + states(value(args, ++i));
        case "-g" -> shows.add(grouping(value(args, ++i)));
        case "-q", "-l", "-pe", "-U", "-qs" -> queues = queues.with(arg, value(args, ++i));
        case "-explain" -> {
          shows.add(Show.FULL);
          shows.addAll(explained(value(args, ++i)));
        }
        case "-F" -> {
          shows.add(Show.FULL);
          boolean named = i + 1 < args.size() && !args.get(i + 1).startsWith("-");
          attributes = Optional.of(named ? List.of(args.get(++i).split(",")) : List.of());
        }
        case "-j" -> {
          shows.add(Show.DETAIL);
          while (i + 1 < args.size() && !args.get(i + 1).startsWith("-")) {
            names.addAll(List.of(args.get(++i).split(",")));
          }
        }
        case "-t" -> shows.addAll(Set.of(Show.SLOTS, Show.SUBTASKS));
        default -> shows.add(plain(arg));
      }
    }
    return new StatOptions(shows, new Selection(users, states.strip(), names), queues, attributes);
  }

  /** Options without an argument. */
  private static Show plain(String arg) throws Failure {
    return switch (arg) {
      case "-f" -> Show.FULL;
      case "-xml" -> Show.XML;
      case "-r" -> Show.REQUESTS;
      case "-ne" -> Show.BUSY_ONLY;
      case "-ext" -> Show.EXTENDED;
      case "-urg" -> Show.URGENCY;
      case "-pri" -> Show.PRIORITY;
      case "-ncb" -> Show.NO_BINDING;
      default -> throw wrong(arg);
    };
  }

  /** Letters of states whose reasons are told. */
  private static Set<Show> explained(String letters) throws Failure {
    if (!letters.matches("[acAE]+")) {
      throw wrong("-explain " + letters);
    }
    EnumSet<Show> explained = EnumSet.noneOf(Show.class);
    if (letters.contains("a")) {
      explained.add(Show.EXPLAIN);
    }
    if (letters.contains("c")) {
      explained.add(Show.AMBIGUOUS);
    }
    return explained;
  }

  private static Show grouping(String letter) throws Failure {
    return switch (letter) {
      case "c" -> Show.SUMMARY;
      case "d" -> Show.TASKS;
      case "t" -> Show.SLOTS;
      default -> throw wrong("-g " + letter);
    };
  }

  private static String value(List<String> args, int index) throws Failure {
    if (index >= args.size()) {
      throw new Failure(
          UsageTexts.QSTAT + "ERROR! " + args.get(index - 1) + " option must have argument\n", 1);
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
    return new Failure(UsageTexts.QSTAT + "invalid option argument \"" + what + "\"\n", 1);
  }

  boolean shows(Show what) {
    return shows.contains(what);
  }

  /** Whether runs are listed by their queues rather than by their numbers. */
  boolean byQueue() {
    return shows(Show.SLOTS) || shows(Show.URGENCY) || queues.asked();
  }

  /** Whether jobs that wait in this state were asked for, runs ("r"), or suspended ones ("s"). */
  boolean wants(String state) {
    return selection.states().isEmpty() || asked().contains(state) || asked().contains("a");
  }

  /** Whether finished jobs were asked for: only by their own letter. */
  boolean wantsFinished() {
    return asked().contains("z");
  }

  /** Whether a hold was asked for. */
  boolean wantsHold(String kind) {
    return asked().contains("h") || asked().contains(kind);
  }

  private List<String> asked() {
    return List.of(selection.states().split(" "));
  }

  boolean wantsUser(String owner) {
    return selection.users().contains("*") || selection.users().contains(owner);
  }
}
