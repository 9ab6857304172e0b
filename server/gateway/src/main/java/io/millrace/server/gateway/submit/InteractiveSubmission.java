package io.millrace.server.gateway.submit;

import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobEvent;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.GetOpt;
import io.millrace.server.gateway.operand.JobIds;
import io.millrace.server.gateway.query.AwaitedJob;
import io.millrace.server.gateway.request.JobOptions;
import io.millrace.server.gateway.request.JobProgram;
import io.millrace.server.gateway.request.QsubOptions;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * qsub -I: the job is a shell at the user's terminal. The client listens, the supervisor of the run
 * connects, and the gateway only tells the client when the job will never come.
 */
final class InteractiveSubmission {

  /** The option and the job with which a client comes whose gateway went away. */
  static final String ATTEND = "--attend";

  /** Time between two looks at the job. */
  private static final long LOOK_MS = 2000;

  private InteractiveSubmission() {}

  /** Of an interactive job that the command line asks for: a script is there for its directives. */
  static JobProgram program(Call call, GetOpt options) throws Failure, IOException {
    List<String> operands = options.operands();
    if (options.endMarker() >= 0 || operands.size() > 1) {
      throw call.usage(QsubOptions.USAGE);
    }
    return operands.isEmpty()
        ? JobProgram.command(List.of())
        : JobProgram.file(call, operands.get(0));
  }

  /** The job runs a shell and nothing of the script that it has its name from. */
  static JobProgram shell(JobProgram program) {
    return new JobProgram(program.name(), null, List.of());
  }

  static void check(Call call, JobOptions jobOptions) throws Failure, IOException {
    if (jobOptions.has('J')) {
      throw call.failure("interactive and array job submission cannot be used together", 1);
    }
    if (!call.invocation().stdinIsTerminal() || !call.invocation().stdoutIsTerminal()) {
      throw new Failure(
          "qsub:\tstandard input and output must be a terminal for\n"
              + "\tinteractive job submission\n",
          1);
    }
    if (!call.invocation().servesTerminal()) {
      throw call.failure("-I needs the client that is compiled where there is a C compiler", 1);
    }
    call.invocation().lasts();
  }

  /** Refuses -I where many jobs are submitted at once: nobody sits before them. */
  static void refuse(Call call, JobOptions jobOptions) throws Failure {
    if (jobOptions.has('I')) {
      throw call.failure("an interactive job is submitted by itself", 1);
    }
  }

  /** What makes the job one: where its terminal is. It cannot run again, as nobody waits then. */
  static void wanted(Call call, JobSpec spec) throws Failure {
    spec.setRerunnable(false);
    try {
      spec.setTerminal(call.invocation().listen());
    } catch (IOException e) {
      throw call.failure("cannot listen for the job: " + e.getMessage(), 1);
    }
  }

  /** For the client that submitted the job long ago and still waits for it. */
  static int attendAgain(Call call) throws Failure, InterruptedException {
    if (!call.invocation().servesTerminal()) {
      throw call.failure(ATTEND + " is for a client that waits for its interactive job", 1);
    }
    return attend(call, call.args().get(1));
  }

  /** Until the client has met its job, or the job is over without that. */
  static int attend(Call call, String id) throws Failure, InterruptedException {
    long number =
        JobIds.parse(id, call.site().server())
            .orElseThrow(() -> call.failure("illegally formed job identifier: " + id, 1))
            .number();
    call.invocation().attend(id);
    AwaitedJob awaited = new AwaitedJob(call.site().queries(), number);
    boolean over = false;
    while (true) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
      if (call.invocation().clientGone()) {
        return 0;
      }
      if (over) { // and the client, which would have closed, still waits
        call.complain("job " + id + " apparently deleted");
        reason(awaited.look()).ifPresent(call::complain);
        return 1;
      }
      Optional<Job> job = awaited.look();
      over = awaited.gone() || job.isPresent() && job.get().getStatus() == JobStatus.FINISHED;
    }
  }

  /** What the job's own history says last. */
  private static Optional<String> reason(Optional<Job> job) {
    List<JobEvent> events = job.map(Job::getEvents).orElse(List.of());
    return events.isEmpty()
        ? Optional.empty()
        : Optional.of(events.get(events.size() - 1).getDetail()).filter(t -> !t.isEmpty());
  }
}
