package io.millrace.server.gateway.job;

import io.millrace.schemas.command.MessageJob;
import io.millrace.schemas.command.RunNow;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Job;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.GetOpt;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.operand.JobIds;
import io.millrace.server.gateway.operand.JobList;
import io.millrace.server.gateway.operand.RunningSubjobs;
import io.millrace.server.gateway.query.QueryException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** qrun and qmsg. */
final class RunCommands {

  private static final String QRUN =
      """
      Usage: qrun [-a] [-H vnode_specification ] job_identifier_list
             qrun [-a] [-H - ] job_identifier_list
             qrun --version
      """;

  private static final String QMSG =
      "usage: qmsg [-O] [-E] msg_string job_identifier...\n       qmsg --version\n";

  private static final int REFUSED = 2;

  /** Errors for a job that runs, has ended, is not next in its array, or does not exist. */
  private static final Set<Integer> NOT_WAITING =
      Set.of(
          PbsError.INVALID_REQUEST.code(),
          PbsError.BAD_STATE.code(),
          PbsError.JOB_FINISHED.code(),
          PbsError.SUBJOB_FINISHED.code(),
          PbsError.UNKNOWN_JOB.code());

  private static final int TEXT_MAX = 256;

  private RunCommands() {}

  static final Command RUN = Command.of(Syntax.of("aH:", QRUN), RunCommands::run);

  static final Command MESSAGE = Command.of(Syntax.of("EO", QMSG), RunCommands::message);

  /**
   * qrun returns when the run is granted; the start is asynchronous, so -a has no further effect.
   */
  private static int run(Call call)
      throws Failure, LinkException, QueryException, IOException, InterruptedException {
    GetOpt options = call.options("aH:");
    boolean nowhere = "".equals(options.argument('H'));
    if (nowhere) {
      call.complain("illegal -H value");
    }
    if (options.wrong() || nowhere || options.operands().isEmpty()) {
      throw new Failure(QRUN, 1);
    }
    String where = options.argument('H');
    Now now = new Now(call, where, nodes(call, where));
    int status = JobList.run(call, options.operands(), now, now::each);
    return status == 0 || status == 1 ? status : REFUSED;
  }

  /**
   * Runs one job after the other. As in PBS the message about an unknown node names the nodes, not
   * the job.
   */
  private static final class Now implements JobList.JobCommandSender {
    private final Call call;
    private final String where;
    private final List<String> nodes;
    private int several;

    Now(Call call, String where, List<String> nodes) {
      this.call = call;
      this.where = where;
      this.nodes = nodes;
    }

    @Override
    public Reply send(int shard, String id)
        throws LinkException, QueryException, InterruptedException {
      Reply reply = call.send(shard, meta -> new RunNow(meta, id, nodes));
      return RunningSubjobs.ofArray(call, id, reply);
    }

    /**
     * Runs the waiting ones of several subjobs, as many as there is room for, as if each were
     * named. Only those that are next in the array can be run; when they start, others are next.
     */
    Reply each(int shard, JobIds.ArrayPart part)
        throws LinkException, QueryException, InterruptedException {
      String operand = call.name() + " " + several++ + " ";
      Set<Integer> tried = new HashSet<>();
      Reply answer = null;
      List<Integer> next = next(part, tried);
      while (!next.isEmpty()) {
        for (int index : next) {
          if (answer != null && call.invocation().clientGone()) {
            return answer;
          }
          tried.add(index);
          Reply reply = send(shard, part, index, operand);
          if (reply.getCode() != 0 && !NOT_WAITING.contains(reply.getCode())) {
            return reply;
          }
          answer = answer == null || reply.getCode() == 0 ? reply : answer;
        }
        next = next(part, tried);
      }
      // When none can be run, the error is about the first.
      return answer != null ? answer : send(shard, part, first(part), operand);
    }

    /**
     * The command's id is derived from the subjob, since a repeated invocation may find others
     * next.
     */
    private Reply send(int shard, JobIds.ArrayPart part, int index, String operand)
        throws LinkException, InterruptedException {
      String id = part.array().id().replace("[]", "[" + index + "]");
      CommandMeta meta = call.meta(call.commandId(), operand + id);
      return call.await(call.sendAsync(shard, meta, new RunNow(meta, id, nodes)));
    }

    private static int first(JobIds.ArrayPart part) {
      return part.indices().get(0).getFirst();
    }

    /** Waiting subjobs with a record that were not tried yet. */
    private List<Integer> next(JobIds.ArrayPart part, Set<Integer> tried)
        throws QueryException, InterruptedException {
      Job array =
          call.role() == Role.USER
              ? null
              : call.site().queries().job(part.array().number()).orElse(null);
      if (array == null || array.getArray() == null) {
        return List.of();
      }
      List<Integer> next = new ArrayList<>(array.getArray().getWaiting());
      // Some of those that have begun may be suspended.
      next.addAll(array.getArray().getBegun());
      return next.stream().filter(it -> part.has(it) && !tried.contains(it)).sorted().toList();
    }

    @Override
    public String subject(Reply refusal, String name) {
      return refusal.getCode() == PbsError.UNKNOWN_NODE.code() ? where : name;
    }
  }

  /**
   * Names of nodes with + between them, in brackets or not. What each chunk gets follows from the
   * job.
   */
  private static List<String> nodes(Call call, String where) throws Failure {
    List<String> nodes = new ArrayList<>();
    if (where == null || where.equals("-")) {
      return nodes;
    }
    for (String part : where.replace("(", "").replace(")", "").split("\\+", -1)) {
      int colon = part.indexOf(':');
      if (colon >= 0) {
        String why = "a chunk holds what the job asks for: name nodes only, not " + part;
        throw call.failure(why, 1);
      }
      nodes.add(part);
    }
    return nodes;
  }

  private static int message(Call call)
      throws Failure, LinkException, QueryException, IOException, InterruptedException {
    GetOpt options = call.options("EO");
    if (options.wrong() || options.operands().size() < 2) {
      throw call.usage(QMSG);
    }
    String streams = (options.has('O') ? "O" : "") + (options.has('E') ? "E" : "");
    String to = streams.isEmpty() ? "E" : streams;
    String given = options.operands().get(0);
    String text = given.substring(0, Math.min(given.length(), TEXT_MAX));
    return RunningSubjobs.run(
        call,
        options.operands().subList(1, options.operands().size()),
        (meta, id) -> new MessageJob(meta, id, to, text),
        (id, reply) ->
            reply.getCode() == PbsError.BAD_STATE.code() && id.indexOf('[') >= 0
                ? RunningSubjobs.refusal(
                    reply, PbsError.UNSUPPORTED, "not supported for Array Jobs")
                : reply);
  }
}
