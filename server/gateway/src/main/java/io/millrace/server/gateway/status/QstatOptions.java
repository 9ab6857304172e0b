package io.millrace.server.gateway.status;

import io.millrace.schemas.pbs.attributes.AccessList;
import io.millrace.schemas.state.Job;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.GetOpt;
import io.millrace.server.gateway.operand.JobIds;
import io.millrace.server.gateway.print.SizeUnit;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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

  static final String LETTERS = "aBD:EfF:GHiJMnpqQrstTu:wx1";

  /** Letters of options that ask for the alternate table. */
  private static final String ALTERNATE = "aiHrnsuTGM";

  /** What is to be shown. */
  enum Subject {
    JOBS,
    QUEUES,
    QUEUE_LIMITS,
    SERVERS
  }

  /** The form in which it is shown. */
  enum QstatFormat {
    TABLE,
    ALTERNATE,
    WRAPPED,
    WIDE,
    DSV,
    JSON
  }

  private final GetOpt options;
  private final Subject subject;
  private final QstatFormat format;

  private QstatOptions(GetOpt options, Subject subject, QstatFormat format) {
    this.options = options;
    this.subject = subject;
    this.format = format;
  }

  static QstatOptions parse(Call call) throws Failure {
    GetOpt options = call.options(LETTERS);
    if (options.wrong()) {
      throw call.usage(USAGE);
    }
    JudgedOptions judged = new JudgedOptions();
    options.options().forEach(judged::take);
    List<String> conflicts = judged.conflicts();
    conflicts.forEach(call::complain);
    if (!conflicts.isEmpty() || judged.wrong) {
      throw call.usage(USAGE);
    }
    Subject subject = judged.subject();
    if (options.has('E') && subject == Subject.JOBS) {
      onlyJobs(options.operands());
    }
    return new QstatOptions(options, subject, judged.format(subject));
  }

  /** The options read so far: as in PBS some of them exclude later ones, but not the reverse. */
  private static final class JudgedOptions {
    private static final String CONFLICT = "conflicting options.";

    private final Set<Character> letters = new HashSet<>();
    private final List<String> said = new ArrayList<>();
    private Subject mode = Subject.JOBS;
    private QstatFormat form = QstatFormat.TABLE;
    private boolean full;

    /** Whether the options are such that PBS answers with its usage alone. */
    private boolean wrong;

    void take(GetOpt.GivenOption option) {
      switch (option.letter()) {
        case 'B' -> choose(Subject.SERVERS, 'Q');
        case 'Q' -> choose(Subject.QUEUES, 'B');
        case 'q' -> mode = Subject.QUEUES;
        case 'f' -> full = true;
        // What asks for the table wins over a full listing before it.
        case 'n', 's' -> full = false;
        case 'D' -> wrong |= form != QstatFormat.DSV;
        case 'F' -> read(option.argument());
        default -> {}
      }
      letters.add(option.letter());
    }

    private void choose(Subject subject, char other) {
      mode = subject;
      boolean ofJobs = only(ALTERNATE + "q1") > 0 && !letters.contains('w');
      if (letters.contains(other) || ofJobs) {
        said.add(CONFLICT);
      }
    }

    private void read(String name) {
      switch (name.toLowerCase(Locale.ROOT)) {
        case "json" -> form = QstatFormat.JSON;
        case "dsv" -> form = QstatFormat.DSV;
        case "default" -> form = QstatFormat.TABLE;
        default -> wrong = true;
      }
    }

    /** What PBS says of options that exclude each other, one line for each of its rules. */
    List<String> conflicts() {
      boolean formed = form != QstatFormat.TABLE;
      boolean[] conflicting = {
        only("airHq") > 1,
        only("GM") > 1,
        formed && (!full || only(ALTERNATE + "q1w") > 0),
        letters.contains('q') && full,
        letters.contains('1') && only("ns") == 0
      };
      for (boolean each : conflicting) {
        if (each) {
          said.add(CONFLICT);
        }
      }
      if (formed && letters.contains('w')) {
        said.add("option w cannot be used with -F");
      }
      return said;
    }

    Subject subject() {
      return mode == Subject.QUEUES && letters.contains('q') ? Subject.QUEUE_LIMITS : mode;
    }

    QstatFormat format(Subject subject) {
      boolean wide = letters.contains('w');
      if (form != QstatFormat.TABLE) {
        return form;
      }
      if (subject == Subject.JOBS && only(ALTERNATE) > 0 && !(full && wide)) {
        return QstatFormat.ALTERNATE;
      }
      return full ? wide ? QstatFormat.WIDE : QstatFormat.WRAPPED : QstatFormat.TABLE;
    }

    private int only(String of) {
      return (int) of.chars().filter(c -> letters.contains((char) c)).count();
    }
  }

  private static void onlyJobs(List<String> operands) throws Failure {
    if (!operands.stream().allMatch(JobIds::looksLikeJob)) {
      throw new Failure("qstat: Express option can only be used with job ids\n", 1);
    }
  }

  Subject subject() {
    return subject;
  }

  QstatFormat format() {
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

  /** The list of users of -u; empty without -u. */
  Optional<String> users() {
    return options.has('u') ? Optional.of(options.argument('u')) : Optional.empty();
  }

  /** The only user whose jobs -u can ask for; empty when there may be more. */
  Optional<String> onlyUser() {
    return options.has('u') ? JobConditions.onlyUser(options.argument('u')) : Optional.empty();
  }

  /** Whether finished jobs are wanted. */
  boolean history() {
    return options.has('x') || options.has('H');
  }
}
