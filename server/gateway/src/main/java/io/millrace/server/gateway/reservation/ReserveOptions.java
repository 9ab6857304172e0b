package io.millrace.server.gateway.reservation;

import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.GetOpt;
import io.millrace.server.gateway.operand.ShellWords;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The command line of pbs_rsub, as far as it can be read without asking anybody. */
final class ReserveOptions {

  static final String LETTERS = "D:E:I:l:m:M:N:p:q:r:R:u:U:g:G:H:W:";

  /** PBS reads its words as an option of one character, too. */
  private static final String WORDS = "-:";

  /** Between the word job and its job, where no argument has it. */
  private static final String BOUND = "\0";

  private static final String JOB = "--job";
  private static final int HHMM = 4;

  private final Call call;
  private final Map<Character, String> values = new HashMap<>();
  private final Map<String, String> resources = new LinkedHashMap<>();
  private final Map<String, String> attributes = new LinkedHashMap<>();
  private Long startMs;
  private Long endMs;
  private Long interactive;
  private boolean maintenance;
  private String job;
  private List<String> hosts = List.of();
  private boolean wrong;
  private boolean startIsTimeOfDay;

  private ReserveOptions(Call call) {
    this.call = call;
  }

  /**
   * Reads the options; complains about each that is wrong.
   *
   * @throws Failure with the usage when one was
   */
  static ReserveOptions read(Call call) throws Failure {
    ReserveOptions options = new ReserveOptions(call);
    if (call.args().isEmpty()) {
      throw call.usage(ReservationSyntax.RSUB);
    }
    GetOpt given = GetOpt.parse(LETTERS + WORDS, withJobs(call.args()), false, call::complain);
    options.wrong = given.wrong();
    for (GetOpt.GivenOption option : given.options()) {
      options.take(option.letter(), option.argument());
    }
    options.together(given.operands());
    if (options.wrong) {
      throw call.usage(ReservationSyntax.RSUB);
    }
    ReservationSyntax.refuseOther(call, options.values.get('q'));
    return options;
  }

  /** The arguments, each {@code --job} in one word with the job behind it. */
  private static List<String> withJobs(List<String> args) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < args.size(); i++) {
      String before = i == 0 ? "" : args.get(i - 1);
      boolean ofOption = before.length() == 2 && before.charAt(0) == '-' && !before.equals("--");
      if (args.get(i).equals(JOB) && !ofOption && i + 1 < args.size()) {
        words.add(JOB + BOUND + args.get(++i));
      } else {
        words.add(args.get(i));
      }
    }
    return words;
  }

  private void take(char letter, String value) {
    switch (letter) {
      case 'D' -> resources.put("walltime", value);
      case 'E' -> endMs = time('E', value);
      case 'R' -> {
        startMs = time('R', value);
        int dot = value.indexOf('.');
        startIsTimeOfDay = (dot < 0 ? value.length() : dot) == HHMM;
      }
      case 'I' -> {
        interactive = ReservationSyntax.seconds(value).orElse(null);
        if (interactive == null) {
          wrong("illegal -I time value");
        }
      }
      case 'l' -> takeResources(value);
      case 'q' -> {
        if (!ReservationSyntax.isServer(value)) {
          wrong("illegal -q value: format \"@server\"");
        }
      }
      case 'r' -> {
        if (value.length() > RecurrenceTexts.CHARS_MAX) {
          wrong("illegal -r value (expression too long)");
        }
      }
      case 'W' -> takeAttributes(value.stripLeading());
      case '-' -> takeWord(value);
      default -> {}
    }
    if (letter != '-' && letter != 'l' && letter != 'W') {
      values.put(letter, value);
    }
  }

  private Long time(char letter, String value) {
    Long time = ReservationSyntax.time(call, value).orElse(null);
    if (time == null) {
      wrong("illegal -" + letter + " time value");
    }
    return time;
  }

  private void takeResources(String value) {
    values.put('l', value);
    for (String item : ShellWords.splitList(value)) {
      int equals = item.indexOf('=');
      String name = equals < 0 ? item.strip() : item.substring(0, equals).strip();
      if (name.isEmpty()) {
        wrong("illegal -l value");
        return;
      }
      resources.put(name, equals < 0 ? "" : item.substring(equals + 1).strip());
    }
  }

  /** {@code name=value,name=value}; what has no name goes on with the value before. */
  private void takeAttributes(String value) {
    String name = "";
    for (String item : ShellWords.splitList(value)) {
      int equals = item.indexOf('=');
      if (equals > 0) {
        name = item.substring(0, equals).strip();
        attributes.put(name, item.substring(equals + 1).strip());
      } else if (equals == 0 || name.isEmpty()) {
        wrong("illegal -W value");
        return;
      } else {
        attributes.merge(name, item, (a, b) -> a + "," + b);
      }
    }
  }

  private void takeWord(String word) {
    if (word.equals("hosts")) {
      maintenance = true;
    } else if (word.startsWith("job" + BOUND)) {
      job = word.substring("job".length() + 1);
    } else {
      wrong = true;
    }
  }

  private void wrong(String text) {
    call.complain(text);
    wrong = true;
  }

  /** What options are to each other. */
  private void together(List<String> operands) {
    boolean moves = attributes.containsKey("qmove");
    if (moves && (has('R') || has('E'))) {
      wrong("-Wqmove is not compatible with -R or -E option");
    }
    for (char letter : new char[] {'D', 'l', 'p', 'r'}) {
      if (moves && has(letter)) {
        wrong("can't use -" + letter + " with -Wqmove");
      }
    }
    if (moves && maintenance) {
      wrong("can't use -Wqmove with --hosts");
    }
    if (maintenance && has('I')) {
      wrong("can't use -I with --hosts");
    }
    for (char letter : new char[] {'l', 'p', 'r'}) {
      if (maintenance && has(letter)) {
        wrong("can't use -" + letter + " with --hosts");
      }
    }
    if (maintenance && attributes.containsKey("delete_idle_time")) {
      wrong("can't use -Wdelete_idle_time with --hosts");
    }
    if (maintenance && job != null) {
      wrong("can't use --job with --hosts");
    }
    List<String> left = operands;
    if (maintenance) {
      takeHosts(operands);
      left = List.of();
    }
    for (char letter : new char[] {'D', 'l', 'p', 'r'}) {
      if (job != null && !maintenance && has(letter)) {
        wrong("can't use -" + letter + " with --job");
      }
    }
    if (job != null && moves) {
      wrong("can't use -Wqmove with --job");
    }
    if (job != null && (has('R') || has('E'))) {
      wrong("Start/End time cannot be used with --job option");
    }
    if (startIsTimeOfDay && startMs != null && endMs != null && endMs < startMs) {
      endMs += TimeUnit.DAYS.toMillis(1);
    }
    if (!wrong && !left.isEmpty()) {
      wrong("directive error: " + String.join(" ", call.args()) + " ");
    }
  }

  private void takeHosts(List<String> operands) {
    hosts = operands.stream().filter(it -> !it.isEmpty()).toList();
    Set<String> seen = new HashSet<>();
    for (String host : hosts) {
      if (!seen.add(host)) {
        wrong("Duplicate host: " + host);
        return;
      }
    }
    if (hosts.isEmpty()) {
      wrong("missing host(s)");
    }
  }

  boolean has(char letter) {
    return values.containsKey(letter);
  }

  /** Value of the last option of this letter; null when it was not given. */
  String value(char letter) {
    return values.get(letter);
  }

  /** Of -l and -D, in the order of the command line. */
  Map<String, String> resources() {
    return resources;
  }

  /** Of -W. */
  Map<String, String> attributes() {
    return attributes;
  }

  /** Milliseconds since 1970; null without -R. */
  Long startMs() {
    return startMs;
  }

  /** Milliseconds since 1970; null without -E. */
  Long endMs() {
    return endMs;
  }

  /** Seconds of -I; null without it. */
  Long interactive() {
    return interactive;
  }

  /** Whether --hosts was given. */
  boolean maintenance() {
    return maintenance;
  }

  List<String> hosts() {
    return hosts;
  }

  /** Of --job; null without it. */
  String job() {
    return job;
  }
}
