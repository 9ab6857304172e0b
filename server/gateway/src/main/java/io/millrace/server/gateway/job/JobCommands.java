package io.millrace.server.gateway.job;

import io.millrace.schemas.command.HoldJob;
import io.millrace.schemas.command.MoveJob;
import io.millrace.schemas.command.ReleaseJob;
import io.millrace.schemas.command.RerunJob;
import io.millrace.schemas.command.SignalJob;
import io.millrace.schemas.output.Reply;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.GetOpt;
import io.millrace.server.gateway.command.PbsCommandSet;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.operand.Destinations;
import io.millrace.server.gateway.operand.HoldLetters;
import io.millrace.server.gateway.operand.JobIds;
import io.millrace.server.gateway.operand.JobList;
import io.millrace.server.gateway.operand.RunningSubjobs;
import io.millrace.server.gateway.query.QueryException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The commands on existing jobs; the short ones are in this class. */
public final class JobCommands implements PbsCommandSet {

  private static final String QDEL =
      "usage:\n\tqdel [-W force|suppress_email=X] [-x] job_identifier...\n\tqdel --version\n";
  private static final String QHOLD =
      "usage: qhold [-h hold_list] job_identifier...\n       qhold --version\n";
  private static final String QRLS =
      "usage: qrls [-h hold_list] job_identifier...\n       qrls --version\n";
  private static final String QRERUN =
      "usage: qrerun [-W force] job_identifier...\n       qrerun --version\n";
  private static final String QSIG =
      "usage: qsig [-s signal] job_identifier...\n       qsig --version\n";
  private static final String QMOVE =
      "usage: qmove destination job_identifier...\n       qmove --version\n";

  @Override
  public Map<String, Command> commands() {
    return Map.ofEntries(
        Map.entry("qdel", command("W:x", QDEL, JobCommands::delete)),
        Map.entry("qhold", command("h:", QHOLD, JobCommands::hold)),
        Map.entry("qrls", command("h:", QRLS, JobCommands::release)),
        Map.entry("qalter", new Qalter()),
        Map.entry("qmove", command("", QMOVE, JobCommands::move)),
        Map.entry("qrerun", command("W:", QRERUN, JobCommands::rerun)),
        Map.entry("qsig", command("s:", QSIG, JobCommands::signal)),
        Map.entry("qorder", new Qorder()),
        Map.entry("qrun", RunCommands.RUN),
        Map.entry("qmsg", RunCommands.MESSAGE),
        Map.entry("pbsdsh", new Pbsdsh()));
  }

  private static Command command(String letters, String usage, Command function) {
    return Command.of(Syntax.of(letters, usage), function);
  }

  private static GetOpt checked(Call call, String known, String usage) throws Failure {
    GetOpt options = call.options(known);
    check(call, options, usage);
    return options;
  }

  private static void check(Call call, GetOpt options, String usage) throws Failure {
    if (options.wrong() || options.operands().isEmpty()) {
      throw call.usage(usage);
    }
  }

  /** Letters out of u, o and s; "u" when the option is absent. */
  private static String holds(Call call, GetOpt options, String usage) throws Failure {
    String holds = options.has('h') ? options.argument('h') : "u";
    if (!holds.equals("n") && !HoldLetters.valid(holds)) {
      call.complain("illegal -h value");
      throw call.usage(usage);
    }
    return holds;
  }

  private static int delete(Call call)
      throws Failure, LinkException, QueryException, IOException, InterruptedException {
    GetOpt options = call.options("W:x");
    DeleteOptions deletion = DeleteOptions.read(call, options, QDEL);
    // As PBS's qdel: first complaints about what is no identifier, then all commands together.
    List<String> legal = new ArrayList<>();
    for (String text : options.operands()) {
      if (JobIds.legal(text, call.site().server())) {
        legal.add(text);
      } else {
        JobList.illFormed(call, text);
      }
    }
    int status =
        JobList.run(
            call,
            legal,
            (shard, id) -> {
              boolean quiet = deletion.quiet();
              return call.send(shard, meta -> deletion.command(meta, id, List.of(), quiet));
            },
            (shard, part) -> {
              boolean quiet = deletion.quiet();
              return call.send(
                  shard, meta -> deletion.command(meta, part.array().id(), part.indices(), quiet));
            });
    return status == 0 && legal.size() < options.operands().size() ? JobList.ILL_FORMED : status;
  }

  private static int hold(Call call)
      throws Failure, LinkException, QueryException, IOException, InterruptedException {
    GetOpt options = checked(call, "h:", QHOLD);
    String holds = holds(call, options, QHOLD);
    return JobList.run(
        call,
        options.operands(),
        (shard, id) -> call.send(shard, meta -> new HoldJob(meta, id, holds)));
  }

  private static int release(Call call)
      throws Failure, LinkException, QueryException, IOException, InterruptedException {
    GetOpt options = call.options("h:");
    String holds = holds(call, options, QRLS);
    check(call, options, QRLS);
    return JobList.run(
        call,
        options.operands(),
        (shard, id) -> call.send(shard, meta -> new ReleaseJob(meta, id, holds)));
  }

  private static int rerun(Call call)
      throws Failure, LinkException, QueryException, IOException, InterruptedException {
    // PBS's qrerun stops reading options at the first wrong one.
    List<String> wrong = new ArrayList<>(1);
    GetOpt options = GetOpt.parse("W:", call.args(), false, wrong::add);
    wrong.stream().limit(1).forEach(call::complain);
    check(call, options, QRERUN);
    boolean force = options.has('W');
    if (force && !options.argument('W').equals("force")) {
      throw call.usage(QRERUN);
    }
    return RunningSubjobs.run(
        call,
        options.operands(),
        (meta, id) -> new RerunJob(meta, id, force),
        (id, reply) -> {
          Reply told = RunningSubjobs.ofArray(call, id, reply);
          return force ? told : AwaitedRequeue.await(call, told, id);
        });
  }

  private static int move(Call call)
      throws Failure, LinkException, QueryException, IOException, InterruptedException {
    // It has no options; PBS's message is this for any.
    GetOpt options =
        GetOpt.parse("", call.args(), false, call.args().size() < 2 ? t -> {} : call::complain);
    if (options.wrong() || options.operands().size() < 2) {
      throw call.usage(QMOVE);
    }
    String destination = options.operands().get(0);
    if (!Destinations.legal(destination)) {
      throw call.failure("illegally formed destination: " + destination, 2);
    }
    String queue = Destinations.queue(call, destination);
    int home = Destinations.reservingShard(call, queue);
    List<String> ids = options.operands().subList(1, options.operands().size());
    return JobList.run(
        call, ids, (shard, id) -> call.send(shard, meta -> new MoveJob(meta, id, queue, home)));
  }

  private static int signal(Call call)
      throws Failure, LinkException, QueryException, IOException, InterruptedException {
    GetOpt options = checked(call, "s:", QSIG);
    String signal = options.has('s') ? options.argument('s') : "SIGTERM";
    return RunningSubjobs.run(
        call, options.operands(), (meta, id) -> new SignalJob(meta, id, signal));
  }
}
