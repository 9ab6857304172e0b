package io.millrace.server.gateway.command;

import io.millrace.reservations.resources.RequestException;
import io.millrace.schemas.Topics;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Script;
import io.millrace.schemas.output.Reply;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.session.FileTooLargeException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** qsub: one job from a script, standard input or a command; with --bulk one per line of a file. */
final class Qsub implements Command {

  /** Attribute of the server: options that each submission has which does not say otherwise. */
  static final String USAGE =
      """
      usage: qsub [-a date_time] [-A account_string] [-c interval]
      \t[-C directive_prefix] [-e path] [-f ] [-h ] [-I [-X]] [-j oe|eo] [-J X-Y[:Z]]
      \t[-k keep] [-l resource_list] [-m mail_options] [-M user_list]
      \t[-N jobname] [-o path] [-p priority] [-P project] [-q queue] [-r y|n]
      \t[-R o|e|oe] [-S path] [-u user_list] [-W otherattributes=value...]
      \t[-v variable_list] [-V ] [-z] [script | -- command [arg1 ...]]
             qsub --version
      """;

  static final int UNKNOWN_QUEUE = 15018;
  private static final int BAD_UID = 15023;
  private static final int NO_DEFAULT_QUEUE = 15037;
  private static final String BULK = "--bulk";

  private final BulkPlaces bulks = new BulkPlaces();

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(
        Syntax.of(SubmitSyntax.QSUB_LETTERS, USAGE)
            .refusing(SubmitSyntax.REFUSED)
            .with(BULK + " FILE"));
  }

  @Override
  public int run(Call call)
      throws Failure, LinkException, QueryException, IOException, InterruptedException {
    int bulk = call.args().indexOf(BULK);
    int end = call.args().indexOf("--");
    if (bulk >= 0 && (end < 0 || bulk < end)) {
      return bulk(call, bulk);
    }
    if (call.args().size() == 2 && call.args().get(0).equals(Interactive.ATTEND)) {
      return Interactive.attendAgain(call);
    }
    GetOpt options = call.options(SubmitSyntax.QSUB_LETTERS);
    Wishes commandLine = wishes(call, options);
    JobBuilder.Program program =
        commandLine.has('I') ? Interactive.program(call, options) : program(call, options);
    Wishes wishes = withDirectives(call, commandLine, program);
    boolean interactive = wishes.has('I');
    if (interactive) {
      Interactive.check(call, wishes);
      program = Interactive.shell(program);
    }
    Destination destination = destination(call, wishes);
    mayUserSubmit(call);
    Blocking.begin(call, wishes);
    NewJob job = build(new JobBuilder(call), wishes, destination, program, call.args());
    if (interactive) {
      Interactive.wanted(call, job.getSpec());
    }
    List<Script> scripts = program.script() == null ? List.of() : List.of(program.script());
    Reply reply =
        call.send(destination.shard(), meta -> new SubmitJobs(meta, scripts, List.of(job)));
    if (reply.getCode() != 0) {
      throw call.failure(refusal(reply), Failure.status(reply.getCode()));
    }
    if (interactive) {
      return Interactive.attend(call, reply.getLines().get(0));
    }
    if (!wishes.has('z')) {
      reply.getLines().forEach(id -> call.out(id + "\n"));
    }
    return Blocking.wanted(wishes)
        ? Blocking.attend(call, destination.shard(), reply.getLines().get(0))
        : 0;
  }

  /** What cannot stand together with -J, or without it. */
  static void checkArray(Call call, Wishes wishes) throws Failure {
    if (wishes.get('m', "").indexOf('j') >= 0 && !wishes.has('J')) {
      throw call.failure("mail option 'j' can not be used without array job", 1);
    }
    boolean limited = wishes.attribute("max_run_subjobs") != null;
    if (limited && !wishes.has('J')) {
      throw call.failure("Attribute has to be set on an array job", Failure.status(15231));
    }
    if (limited && wishes.get('J', "").indexOf('%') >= 0) {
      call.complain("multiple max_run_subjobs values found");
      throw call.usage(USAGE);
    }
    if (wishes.has('J') && wishes.get('r', "y").equals("n")) {
      call.complain(" cannot submit non-rerunable Array Job");
      throw call.usage(USAGE);
    }
  }

  private int bulk(Call call, int at)
      throws Failure, LinkException, QueryException, IOException, InterruptedException {
    List<String> rest = new ArrayList<>(call.args());
    rest.remove(at);
    if (at >= rest.size()) {
      call.complain("option requires an argument -- '" + BULK + "'");
      throw call.usage(USAGE);
    }
    String file = rest.remove(at);
    GetOpt options =
        GetOpt.parse(SubmitSyntax.QSUB_LETTERS, rest, false, text -> call.complain(text));
    if (!options.operands().isEmpty()) {
      throw call.failure("--bulk FILE takes the scripts and commands from FILE", 2);
    }
    Wishes defaults = wishes(call, options);
    Interactive.refuse(call, defaults);
    Blocking.refuse(call, defaults);
    mayUserSubmit(call);
    try (BulkPlaces.Place place = bulks.take(call.invocation().user())) {
      return new Bulk(call, file, defaults).run();
    }
  }

  static Wishes wishes(Call call, GetOpt options) throws Failure {
    if (options.wrong()) {
      throw call.usage(USAGE);
    }
    return new SubmitSyntax(call, USAGE, false).read(options.options());
  }

  /** A queue and the shard in which its jobs live. */
  record Destination(String queue, int shard) {}

  static Destination destination(Call call, Wishes wishes)
      throws Failure, LinkException, InterruptedException {
    String given = wishes.get('q', "");
    if (!Destinations.legal(given)) {
      throw call.failure("illegally formed destination: " + given, 2);
    }
    String name = given.isEmpty() ? "" : Destinations.queue(call, given);
    if (name.isEmpty()) {
      name = call.site().serverAttribute("default_queue").orElse("");
      if (name.isEmpty()) {
        throw call.failure("No default queue specified", Failure.status(NO_DEFAULT_QUEUE));
      }
    }
    ClusterObject queue = call.site().find(ObjectKind.QUEUE, name).orElse(null);
    if (queue == null) {
      throw call.failure("Unknown queue", Failure.status(UNKNOWN_QUEUE));
    }
    return new Destination(name, call.site().shardOf(queue));
  }

  private static void mayUserSubmit(Call call) throws Failure {
    if (!Roles.maySubmit(call)) {
      throw call.failure("Bad UID for job execution", Failure.status(BAD_UID));
    }
  }

  /** What is asked for: on the command line, else in the script, else what the server presets. */
  static Wishes withDirectives(Call call, Wishes commandLine, JobBuilder.Program program)
      throws Failure {
    Wishes asked = program.script() == null ? commandLine : directives(call, commandLine, program);
    return Preset.under(call, asked);
  }

  private static Wishes directives(Call call, Wishes commandLine, JobBuilder.Program program)
      throws Failure {
    String text = JobBuilder.text(program.script().getText().array());
    List<GetOpt.Option> options = new ArrayList<>();
    for (List<String> words : Directives.of(text, Directives.prefix(commandLine, call), call)) {
      GetOpt line =
          GetOpt.parse(
              SubmitSyntax.QSUB_LETTERS, words, false, t -> call.complain("directive error: " + t));
      if (line.wrong()) {
        throw call.usage(USAGE);
      }
      if (!line.operands().isEmpty()) {
        throw call.failure("directive error: " + String.join(" ", words), 1);
      }
      options.addAll(line.options());
    }
    return options.isEmpty()
        ? commandLine
        : commandLine.over(new SubmitSyntax(call, USAGE, false).read(options));
  }

  static NewJob build(
      JobBuilder builder,
      Wishes wishes,
      Destination destination,
      JobBuilder.Program program,
      List<String> arguments)
      throws Failure, QueryException, InterruptedException {
    try {
      return builder.build(wishes, destination.queue(), program, arguments);
    } catch (RequestException e) {
      throw new Failure("qsub: " + e.getMessage() + "\n", Failure.status(e.code()));
    }
  }

  static String refusal(Reply reply) {
    return reply.getLines().isEmpty()
        ? "Error (" + reply.getCode() + ") submitting job"
        : JobList.text(reply);
  }

  private static JobBuilder.Program program(Call call, GetOpt options) throws Failure, IOException {
    List<String> operands = options.operands();
    if (options.endMarker() == 0) {
      if (operands.isEmpty()) {
        throw call.usage(USAGE);
      }
      return JobBuilder.Program.command(operands);
    }
    if (operands.size() > 1 || options.endMarker() > 0) {
      throw call.usage(USAGE);
    }
    if (operands.isEmpty()) {
      byte[] text = call.invocation().stdin().readNBytes(Topics.SCRIPT_BYTES_MAX + 1);
      if (text.length > Topics.SCRIPT_BYTES_MAX) {
        throw tooLarge(call, "standard input");
      }
      Directives.checkLineEnds(text, call);
      return JobBuilder.Program.script("", text);
    }
    return script(call, operands.get(0));
  }

  static JobBuilder.Program script(Call call, String file) throws Failure, IOException {
    try {
      byte[] text = call.invocation().readFile(file, Topics.SCRIPT_BYTES_MAX);
      Directives.checkLineEnds(text, call);
      return JobBuilder.Program.script(file.substring(file.lastIndexOf('/') + 1), text);
    } catch (FileTooLargeException e) {
      throw tooLarge(call, file);
    } catch (IOException e) {
      if (call.invocation().clientGone()) {
        throw e;
      }
      throw call.failure("script file:: " + e.getMessage(), 1);
    }
  }

  private static Failure tooLarge(Call call, String what) {
    return call.failure(
        "script "
            + what
            + " is too large: a script has at most "
            + Topics.SCRIPT_BYTES_MAX
            + " bytes",
        1);
  }
}
