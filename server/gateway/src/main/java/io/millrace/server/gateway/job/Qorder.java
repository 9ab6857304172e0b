package io.millrace.server.gateway.job;

import io.millrace.schemas.command.ExchangeJobs;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.operand.JobIds;
import io.millrace.server.gateway.operand.JobList;
import io.millrace.server.gateway.operand.SubjobList;
import io.millrace.server.gateway.query.QueryException;
import java.util.Optional;
import java.util.OptionalInt;

/** qorder: two jobs that wait change places. */
final class Qorder implements Command {
  private static final String USAGE =
      "usage: qorder job_identifier job_identifier\n       qorder --version\n";

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(Syntax.of("", USAGE));
  }

  @Override
  public int run(Call call) throws Failure, LinkException, QueryException, InterruptedException {
    if (call.args().size() != 2) {
      throw call.usage(USAGE);
    }
    JobIds.JobId one = id(call, call.args().get(0));
    JobIds.JobId other = id(call, call.args().get(1));
    String both = one.id() + " or " + other.id();
    OptionalInt shard = call.site().queries().birth(one.number());
    if (shard.isEmpty() || !exists(call, one) || !exists(call, other)) {
      call.complain(PbsError.UNKNOWN_JOB.text() + " " + both);
      return PbsError.UNKNOWN_JOB.exitStatus();
    }
    Reply reply = call.send(shard.getAsInt(), meta -> new ExchangeJobs(meta, one.id(), other.id()));
    return JobList.told(call, reply, both);
  }

  private static boolean exists(Call call, JobIds.JobId id)
      throws QueryException, InterruptedException {
    return SubjobList.job(call.site().queries(), id).isPresent();
  }

  private static JobIds.JobId id(Call call, String text) throws Failure {
    return JobIds.parse(text, call.site().server())
        .orElseThrow(() -> call.failure("illegally formed job identifier: " + text, 1));
  }
}
