package io.millrace.server.gateway.submit;

import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.Script;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.GetOpt;
import io.millrace.server.gateway.command.Roles;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.request.JobOptions;
import io.millrace.server.gateway.request.JobProgram;
import io.millrace.server.gateway.request.NewJobBuilder;
import io.millrace.server.gateway.request.QsubOptions;
import io.millrace.server.gateway.request.SubmitQueue;
import io.millrace.server.gateway.request.SubmitSyntax;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** qsub: one job from a script, standard input or a command; with --bulk one per line of a file. */
final class Qsub implements Command {

  private static final String BULK = "--bulk";

  private final BulkSlots bulks = new BulkSlots();

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(
        Syntax.of(SubmitSyntax.QSUB_LETTERS, QsubOptions.USAGE)
            .refusing(SubmitSyntax.REFUSED)
            .with(BULK + " FILE"));
  }

  @Override
  public String undone() {
    return "not submitted";
  }

  @Override
  public int run(Call call)
      throws Failure, LinkException, QueryException, IOException, InterruptedException {
    int bulk = call.args().indexOf(BULK);
    int end = call.args().indexOf("--");
    if (bulk >= 0 && (end < 0 || bulk < end)) {
      return bulk(call, bulk);
    }
    if (call.args().size() == 2 && call.args().get(0).equals(InteractiveSubmission.ATTEND)) {
      return InteractiveSubmission.attendAgain(call);
    }
    GetOpt options = call.options(SubmitSyntax.QSUB_LETTERS);
    JobOptions commandLine = QsubOptions.of(call, options);
    JobProgram program =
        commandLine.has('I')
            ? InteractiveSubmission.program(call, options)
            : program(call, options);
    JobOptions jobOptions = JobSubmission.asked(call, commandLine, program);
    boolean interactive = jobOptions.has('I');
    if (interactive) {
      InteractiveSubmission.check(call, jobOptions);
      program = InteractiveSubmission.shell(program);
    }
    SubmitQueue queue = SubmitQueue.of(call, jobOptions);
    mayUserSubmit(call);
    BlockingSubmission.begin(call, jobOptions);
    NewJob job =
        JobSubmission.build(new NewJobBuilder(call), jobOptions, queue, program, call.args());
    if (interactive) {
      InteractiveSubmission.wanted(call, job.getSpec());
    }
    List<Script> scripts = program.script() == null ? List.of() : List.of(program.script());
    Reply reply = call.send(queue.shard(), meta -> new SubmitJobs(meta, scripts, List.of(job)));
    if (reply.getCode() != 0) {
      throw call.failure(JobSubmission.refusal(reply), PbsError.exitStatus(reply.getCode()));
    }
    if (interactive) {
      return InteractiveSubmission.attend(call, reply.getLines().get(0));
    }
    if (!jobOptions.has('z')) {
      reply.getLines().forEach(id -> call.out(id + "\n"));
    }
    return BlockingSubmission.wanted(jobOptions)
        ? BlockingSubmission.attend(call, queue.shard(), reply.getLines().get(0))
        : 0;
  }

  private int bulk(Call call, int at)
      throws Failure, LinkException, QueryException, IOException, InterruptedException {
    List<String> rest = new ArrayList<>(call.args());
    rest.remove(at);
    if (at >= rest.size()) {
      call.complain("option requires an argument -- '" + BULK + "'");
      throw call.usage(QsubOptions.USAGE);
    }
    String file = rest.remove(at);
    GetOpt options =
        GetOpt.parse(SubmitSyntax.QSUB_LETTERS, rest, false, text -> call.complain(text));
    if (!options.operands().isEmpty()) {
      throw call.failure("--bulk FILE takes the scripts and commands from FILE", 2);
    }
    JobOptions defaults = QsubOptions.of(call, options);
    InteractiveSubmission.refuse(call, defaults);
    BlockingSubmission.refuse(call, defaults);
    mayUserSubmit(call);
    try (BulkSlots.BulkSlot place = bulks.take(call.invocation().user())) {
      return new BulkSubmission(call, file, defaults).run();
    }
  }

  private static void mayUserSubmit(Call call) throws Failure {
    if (!Roles.maySubmit(call)) {
      throw call.failure(PbsError.BAD_UID);
    }
  }

  private static JobProgram program(Call call, GetOpt options) throws Failure, IOException {
    List<String> operands = options.operands();
    if (options.endMarker() == 0) {
      if (operands.isEmpty()) {
        throw call.usage(QsubOptions.USAGE);
      }
      return JobProgram.command(operands);
    }
    if (operands.size() > 1 || options.endMarker() > 0) {
      throw call.usage(QsubOptions.USAGE);
    }
    if (operands.isEmpty()) {
      return JobProgram.input(call);
    }
    return JobProgram.file(call, operands.get(0));
  }
}
