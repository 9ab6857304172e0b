package io.millrace.server.gateway.command;

import java.util.Map;
import java.util.Set;

/** The options of qstat: which may stand together and which are refused. */
final class QstatOptions {

  static final String USAGE =
      """
      usage:\s
      qstat [-f] [-J] [-p] [-t] [-x] [-E] [-F format | -w] [-D delim] [ job_identifier... | destination... ]
      qstat [-a|-i|-r|-H|-T] [-J] [-t] [-u user] [-n] [-s] [-G|-M] [-1] [-w]
      \t[ job_identifier... | destination... ]
      qstat -Q [-f] [-F format] [-D delim] [ destination... ]
      qstat -q [-G|-M] [ destination... ]
      qstat -B [-f] [-F format] [-D delim] [ server_name... ]
      qstat --version
      """;

  private static final String LETTERS = "aBD:EfF:GHiJMnpqQrstTu:wx1";
  private static final String ALTERNATE = "aiHrnsu";

  private static final Map<Character, String> REFUSED =
      Map.of(
          'E', "jobs are always listed in the order of their numbers",
          'G', "sizes are shown as they were asked for",
          'J', "there are no job arrays",
          'M', "sizes are shown as they were asked for",
          'p', "usage of running jobs is known when they end",
          't', "there are no job arrays",
          'T', "start times are not estimated");

  /** What is to be shown. */
  enum Subject {
    JOBS,
    QUEUES,
    QUEUE_LIMITS,
    SERVERS
  }

  /** In which form. */
  enum Format {
    TABLE,
    ALTERNATE,
    WRAPPED,
    WIDE,
    DSV,
    JSON
  }

  private final GetOpt options;
  private final Subject subject;
  private final Format format;

  private QstatOptions(GetOpt options, Subject subject, Format format) {
    this.options = options;
    this.subject = subject;
    this.format = format;
  }

  static QstatOptions parse(Call call) throws Failure {
    GetOpt options = call.options(LETTERS);
    if (options.wrong()) {
      throw call.usage(USAGE);
    }
    for (GetOpt.Option option : options.options()) {
      String why = REFUSED.get(option.letter());
      if (why != null) {
        throw call.refused("-" + option.letter(), why);
      }
    }
    boolean alternate = ALTERNATE.chars().anyMatch(c -> options.has((char) c));
    Subject subject = subject(options);
    Format format = format(call, options, alternate);
    boolean conflict =
        (alternate && (format != Format.ALTERNATE || subject != Subject.JOBS))
            || (options.has('F') && !options.has('f'))
            || (options.has('D') && !"dsv".equals(options.argument('F')))
            || (options.has('w') && !alternate && (!options.has('f') || options.has('F')))
            || (options.has('1') && !options.has('n') && !options.has('s'))
            || (subject == Subject.QUEUE_LIMITS && options.has('f'))
            || (subject != Subject.JOBS && options.has('x'))
            || only(options, "QqB") > 1
            || only(options, "airH") > 1;
    if (conflict) {
      call.complain("conflicting options.");
      throw call.usage(USAGE);
    }
    return new QstatOptions(options, subject, format);
  }

  private static int only(GetOpt options, String letters) {
    return (int) letters.chars().filter(c -> options.has((char) c)).count();
  }

  private static Subject subject(GetOpt options) {
    if (options.has('Q')) {
      return Subject.QUEUES;
    }
    if (options.has('q')) {
      return Subject.QUEUE_LIMITS;
    }
    return options.has('B') ? Subject.SERVERS : Subject.JOBS;
  }

  private static Format format(Call call, GetOpt options, boolean alternate) throws Failure {
    String name = options.argument('F');
    if (name != null && !Set.of("json", "dsv").contains(name)) {
      throw call.usage(USAGE);
    }
    if (options.has('f')) {
      if (name != null) {
        return name.equals("json") ? Format.JSON : Format.DSV;
      }
      return options.has('w') ? Format.WIDE : Format.WRAPPED;
    }
    return alternate ? Format.ALTERNATE : Format.TABLE;
  }

  Subject subject() {
    return subject;
  }

  Format format() {
    return format;
  }

  boolean has(char letter) {
    return options.has(letter);
  }

  java.util.List<String> operands() {
    return options.operands();
  }

  String delimiter() {
    return options.has('D') ? options.argument('D') : "|";
  }

  /** Users of -u; empty for all. A user may be written user@host. */
  Set<String> users() {
    Set<String> users = new java.util.LinkedHashSet<>();
    if (options.has('u')) {
      for (String user : options.argument('u').split(",")) {
        users.add(user.replaceFirst("@.*", ""));
      }
    }
    return users;
  }

  /** Whether finished jobs are wanted. */
  boolean history() {
    return options.has('x') || options.has('H');
  }
}
