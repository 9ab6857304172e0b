package io.millrace.server.gateway.command;

import io.millrace.schemas.command.DeleteJob;
import io.millrace.schemas.command.HoldJob;
import io.millrace.schemas.command.MoveJob;
import io.millrace.schemas.command.ReleaseJob;
import io.millrace.schemas.command.RerunJob;
import io.millrace.schemas.command.SignalJob;
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

  static final Command DELETE =
      call -> {
        GetOpt options = checked(call, "W:x", QDEL);
        if (options.has('W')) {
          throw call.refused("-W " + options.argument('W'), "a run ends before its job does");
        }
        boolean purge = options.has('x');
        return JobList.run(
            call,
            options.operands(),
            (shard, id) -> call.send(shard, meta -> new DeleteJob(meta, id, purge, List.of())),
            (shard, part) ->
                call.send(
                    shard, meta -> new DeleteJob(meta, part.array().id(), purge, part.indices())));
      };

  static final Command HOLD =
      call -> {
        // PBS's qhold answers a first "--help" with its usage alone.
        if (!call.args().isEmpty() && call.args().get(0).equals("--help")) {
          throw call.usage(QHOLD);
        }
        GetOpt options = checked(call, "h:", QHOLD);
        String holds = holds(call, options, QHOLD);
        return JobList.run(
            call,
            options.operands(),
            (shard, id) -> call.send(shard, meta -> new HoldJob(meta, id, holds)));
      };

  static final Command RELEASE =
      call -> {
        GetOpt options = call.options("h:");
        String holds = holds(call, options, QRLS);
        check(call, options, QRLS);
        return JobList.run(
            call,
            options.operands(),
            (shard, id) -> call.send(shard, meta -> new ReleaseJob(meta, id, holds)));
      };

  static final Command RERUN =
      call -> {
        // PBS's qrerun stops reading options at the first wrong one.
        List<String> wrong = new ArrayList<>(1);
        GetOpt options = GetOpt.parse("W:", call.args(), false, wrong::add);
        wrong.stream().limit(1).forEach(call::complain);
        check(call, options, QRERUN);
        if (options.has('W')) {
          throw call.refused("-W " + options.argument('W'), "a run ends before the next begins");
        }
        return RunningSubjobs.run(
            call,
            options.operands(),
            (shard, id) -> call.send(shard, meta -> new RerunJob(meta, id)));
      };

  static final Command MOVE =
      call -> {
        // It has no options; PBS's own says no more than this to any.
        GetOpt options =
            GetOpt.parse("", call.args(), false, call.args().size() < 2 ? t -> {} : call::complain);
        if (options.wrong() || options.operands().size() < 2) {
          throw call.usage(QMOVE);
        }
        String destination = options.operands().get(0);
        String queue = Destinations.queue(call, destination);
        List<String> ids = options.operands().subList(1, options.operands().size());
        return JobList.run(
            call, ids, (shard, id) -> call.send(shard, meta -> new MoveJob(meta, id, queue)));
      };

  static final Command SIGNAL =
      call -> {
        GetOpt options = checked(call, "s:", QSIG);
        String signal = options.has('s') ? options.argument('s') : "SIGTERM";
        return RunningSubjobs.run(
            call,
            options.operands(),
            (shard, id) -> call.send(shard, meta -> new SignalJob(meta, id, signal)));
      };

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
}
