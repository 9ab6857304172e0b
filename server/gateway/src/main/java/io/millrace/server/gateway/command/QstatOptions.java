package io.millrace.server.gateway.command;

import io.millrace.schemas.attributes.AccessList;
import io.millrace.schemas.state.Job;
import io.millrace.server.gateway.print.SizeUnit;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

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

  static final String LETTERS = "aBD:EfF:GHiJMnpqQrstTu:wx1";
  private static final String ALTERNATE = "aiHrnsuTGM";

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
    boolean full = full(options);
    Subject subject = subject(options);
    Format format = format(call, options, full);
    List<String> conflicts = conflicts(options, subject, full);
    conflicts.forEach(call::complain);
    if (!conflicts.isEmpty() || misplaced(options, subject)) {
      throw call.usage(USAGE);
    }
    if (options.has('E') && subject == Subject.JOBS) {
      onlyJobs(options.operands());
    }
    return new QstatOptions(options, subject, format);
  }

  /** Whether -f counts: -n and -s behind it ask for the table again. */
  private static boolean full(GetOpt options) {
    boolean full = false;
    for (GetOpt.Option option : options.options()) {
      full = option.letter() == 'f' || (full && option.letter() != 'n' && option.letter() != 's');
    }
    return full;
  }

  /** What PBS says of options that exclude each other. */
  private static List<String> conflicts(GetOpt options, Subject subject, boolean full) {
    String conflict = "conflicting options.";
    List<String> said = new ArrayList<>();
    boolean form = options.has('F') && !"default".equalsIgnoreCase(options.argument('F'));
    boolean limits = subject == Subject.QUEUE_LIMITS;
    boolean[] wrong = {
      only(options, "airHq") > 1 || (limits && only(options, "nsuT") > 0),
      only(options, "GM") > 1,
      form && (!full || options.has('w') || options.has('1') || only(options, ALTERNATE) > 0),
      limits && full,
      options.has('1') && only(options, "ns") == 0
    };
    for (boolean each : wrong) {
      if (each) {
        said.add(conflict);
      }
    }
    if (form && options.has('w')) {
      said.add("option w cannot be used with -F");
    }
    return said;
  }

  /** What PBS answers with its usage alone. */
  private static boolean misplaced(GetOpt options, Subject subject) {
    boolean ofJobs = subject == Subject.JOBS || subject == Subject.QUEUE_LIMITS;
    return (!ofJobs && only(options, ALTERNATE) > 0)
        || only(options, "QqB") > 1
        || (options.has('D') && !"dsv".equalsIgnoreCase(options.argument('F')));
  }

  private static void onlyJobs(List<String> operands) throws Failure {
    if (!operands.stream().allMatch(JobIds::looksLikeJob)) {
      throw new Failure("qstat: Express option can only be used with job ids\n", 1);
    }
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

  private static Format format(Call call, GetOpt options, boolean full) throws Failure {
    String name = options.has('F') ? options.argument('F').toLowerCase(Locale.ROOT) : "default";
    boolean alternate = only(options, ALTERNATE) > 0;
    return switch (name) {
      case "json" -> Format.JSON;
      case "dsv" -> Format.DSV;
      case "default" -> {
        if (alternate && !(full && options.has('w'))) {
          yield Format.ALTERNATE;
        }
        yield full ? options.has('w') ? Format.WIDE : Format.WRAPPED : Format.TABLE;
      }
      default -> throw call.usage(USAGE);
    };
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

  /** Job identifiers and destinations; with -E in order of their numbers. */
  List<String> operands() {
    if (!has('E')) {
      return options.operands();
    }
    return options.operands().stream()
        .sorted(
            Comparator.comparing((String it) -> new BigInteger("0" + it.replaceFirst("\\D.*", ""))))
        .toList();
  }

  SizeUnit sizes() {
    return has('G') ? SizeUnit.GIGABYTES : has('M') ? SizeUnit.MEGAWORDS : SizeUnit.AS_ASKED;
  }

  String delimiter() {
    return options.has('D') ? options.argument('D') : "|";
  }

  /** Whether -u asks for the job: {@code user@host} is a user's job that came from that host. */
  boolean wantsUser(Job job) {
    return !options.has('u')
        || AccessList.allowsUser(
            options.argument('u'), job.getSpec().getOwner(), job.getSpec().getSubmitHost());
  }

  /** The only user whose jobs -u can ask for; empty when there may be more. */
  Optional<String> onlyUser() {
    return options.has('u') ? Selection.onlyUser(options.argument('u')) : Optional.empty();
  }

  /** Whether finished jobs are wanted. */
  boolean history() {
    return options.has('x') || options.has('H');
  }
}
