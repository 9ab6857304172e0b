package io.millrace.server.gateway.command;

import io.millrace.schemas.command.HoldJob;
import io.millrace.schemas.command.MoveJob;
import io.millrace.schemas.command.ReleaseJob;
import io.millrace.schemas.command.RerunJob;
import io.millrace.schemas.command.SignalJob;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** qdel, qhold, qrls, qmove, qrerun and qsig. */
final class JobCommands {

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

  private JobCommands() {}

  static final Command DELETE = Command.of(Syntax.of("W:x", QDEL), JobCommands::delete);

  static final Command HOLD = Command.of(Syntax.of("h:", QHOLD), JobCommands::hold);

  static final Command RELEASE = Command.of(Syntax.of("h:", QRLS), JobCommands::release);

  static final Command RERUN = Command.of(Syntax.of("W:", QRERUN), JobCommands::rerun);

  static final Command MOVE = Command.of(Syntax.of("", QMOVE), JobCommands::move);

  static final Command SIGNAL = Command.of(Syntax.of("s:", QSIG), JobCommands::signal);

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
    if (!holds.equals("n") && !validHolds(holds)) {
      call.complain("illegal -h value");
      throw call.usage(usage);
    }
    return holds;
  }

  static boolean validHolds(String holds) {
    return !holds.isEmpty()
        && holds.chars().allMatch(c -> "uos".indexOf(c) >= 0)
        && holds.chars().distinct().count() == holds.length();
  }

  private static int delete(Call call)
      throws Failure, LinkException, QueryException, IOException, InterruptedException {
    GetOpt options = call.options("W:x");
    DeleteWish wish = DeleteWish.read(call, options, QDEL);
    // PBS's qdel sends all identifiers together, once it has told of those that are none.
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
              boolean quiet = wish.quiet();
              return call.send(shard, meta -> wish.command(meta, id, List.of(), quiet));
            },
            (shard, part) -> {
              boolean quiet = wish.quiet();
              return call.send(
                  shard, meta -> wish.command(meta, part.array().id(), part.indices(), quiet));
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
        (id, reply) -> force ? reply : Requeueing.await(call, reply, id));
  }

  private static int move(Call call)
      throws Failure, LinkException, QueryException, IOException, InterruptedException {
    // It has no options; PBS's own says no more than this to any.
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
    List<String> ids = options.operands().subList(1, options.operands().size());
    return JobList.run(
        call, ids, (shard, id) -> call.send(shard, meta -> new MoveJob(meta, id, queue)));
  }

  private static int signal(Call call)
      throws Failure, LinkException, QueryException, IOException, InterruptedException {
    GetOpt options = checked(call, "s:", QSIG);
    String signal = options.has('s') ? options.argument('s') : "SIGTERM";
    return RunningSubjobs.run(
        call, options.operands(), (meta, id) -> new SignalJob(meta, id, signal));
  }
}
