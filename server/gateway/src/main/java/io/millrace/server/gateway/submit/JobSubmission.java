package io.millrace.server.gateway.submit;

import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.GetOpt;
import io.millrace.server.gateway.operand.JobList;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.request.DefaultArguments;
import io.millrace.server.gateway.request.JobOptions;
import io.millrace.server.gateway.request.JobProgram;
import io.millrace.server.gateway.request.NewJobBuilder;
import io.millrace.server.gateway.request.QsubOptions;
import io.millrace.server.gateway.request.ScriptDirectives;
import io.millrace.server.gateway.request.SubmitQueue;
import io.millrace.server.gateway.request.SubmitSyntax;
import java.util.ArrayList;
import java.util.List;

/** What the ways to submit have in common: one job, an interactive one, many from a file. */
final class JobSubmission {

  private JobSubmission() {}

  /** What is asked for: on the command line, else in the script, else what the server presets. */
  static JobOptions asked(Call call, JobOptions commandLine, JobProgram program) throws Failure {
    JobOptions asked =
        program.script() == null ? commandLine : directives(call, commandLine, program);
    return DefaultArguments.under(call, asked);
  }

  private static JobOptions directives(Call call, JobOptions commandLine, JobProgram program)
      throws Failure {
    List<GetOpt.GivenOption> options = new ArrayList<>();
    for (List<String> words :
        ScriptDirectives.of(program.text(), ScriptDirectives.prefix(commandLine, call), call)) {
      GetOpt line =
          GetOpt.parse(
              SubmitSyntax.QSUB_LETTERS, words, false, t -> call.complain("directive error: " + t));
      if (line.wrong()) {
        throw call.usage(QsubOptions.USAGE);
      }
      if (!line.operands().isEmpty()) {
        throw call.failure("directive error: " + String.join(" ", words), 1);
      }
      options.addAll(line.options());
    }
    return options.isEmpty() ? commandLine : commandLine.over(QsubOptions.read(call, options));
  }

  static NewJob build(
      NewJobBuilder builder,
      JobOptions jobOptions,
      SubmitQueue queue,
      JobProgram program,
      List<String> arguments)
      throws Failure, QueryException, InterruptedException {
    try {
      return builder.build(jobOptions, queue.name(), program, arguments);
    } catch (RequestException e) {
      throw new Failure("qsub: " + e.getMessage() + "\n", PbsError.exitStatus(e.code()));
    }
  }

  static String refusal(Reply reply) {
    return reply.getLines().isEmpty()
        ? "Error (" + reply.getCode() + ") submitting job"
        : JobList.text(reply);
  }
}
