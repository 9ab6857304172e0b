package io.millrace.server.gateway.submit;

import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Dependency;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.GetOpt;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.operand.ShellWords;
import io.millrace.server.gateway.operand.TextLines;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.request.JobOptions;
import io.millrace.server.gateway.request.JobProgram;
import io.millrace.server.gateway.request.NewJobBuilder;
import io.millrace.server.gateway.request.QsubOptions;
import io.millrace.server.gateway.request.SubmitQueue;
import io.millrace.server.gateway.request.SubmitSyntax;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * {@code qsub --bulk FILE}: one job per line of FILE, each line the arguments of a qsub: {@code
 * [options] script} or {@code [options] -- command args}. Empty lines and lines that begin with #
 * are passed over; options beside --bulk hold for every line that does not say otherwise.
 *
 * <p>Lines go out in chunks of up to 100 jobs for one shard, a few chunks ahead of the answers.
 * FILE.progress remembers what was sent and answered; running the same command again goes on there
 * and submits nothing twice. A line that is wrong ends the run; lines behind it are not submitted.
 */
final class BulkSubmission {

  /** Dependencies that a shard takes for all jobs of one command together. */
  private static final int DEPENDENCIES_MAX = 20;

  private static final int JOBS_MAX = 100;
  private static final int CHUNKS_AHEAD = 24;

  /** Chunks that share one note in the progress file: each note is a round trip to the client. */
  private static final int CHUNKS_PER_NOTE = 8;

  private static final int SCRIPTS_KEPT = 32;

  /** What a bulk submission holds: scripts, chunks that fill up, chunks on their way, each. */
  private static final int BYTES_MAX = 4 << 20;

  /**
   * Variables of one command together, characters; -V with a large environment makes chunks small.
   */
  private static final int VARIABLES_MAX = 512 << 10;

  private final Call call;
  private final String file;
  private final JobOptions defaults;
  private final NewJobBuilder builder;
  private final UUID base;
  private final Map<Integer, BulkChunk> open = new LinkedHashMap<>();
  private final Deque<Departure> ready = new ArrayDeque<>();
  private final Deque<Flight> flights = new ArrayDeque<>();

  /** Scripts that were read, by path; the one that was used last stands last. */
  private final Map<String, JobProgram> scripts = new LinkedHashMap<>(16, 0.75f, true);

  private final Map<String, SubmitQueue> queues = new LinkedHashMap<>();
  private BulkProgress progress;
  private int chunks;
  private long submitted;
  private long skipped;
  private int status;

  /** A chunk that is complete and goes out with the next note. */
  private record Departure(int number, int shard, BulkChunk chunk, UUID base, String hash) {}

  /** A chunk on its way. */
  private record Flight(
      int number, String lines, int jobs, int bytes, CompletableFuture<Reply> reply) {}

  BulkSubmission(Call call, String file, JobOptions defaults) {
    this.call = call;
    this.file = file;
    this.defaults = defaults;
    this.builder = new NewJobBuilder(call);
    this.base = call.commandId();
  }

  int run() throws Failure, LinkException, QueryException, IOException, InterruptedException {
    // A repeated invocation goes on from the progress file, so its output need not be held back.
    call.invocation().streaming();
    try (TextLines lines = openLines()) {
      progress = openProgress();
      for (String line = next(lines); line != null; line = next(lines)) {
        String text = line.strip();
        if (!text.isEmpty() && text.charAt(0) != '#') {
          take(lines.number(), text);
        }
      }
    } catch (Failure failure) {
      if (progress != null) {
        drain();
      }
      throw failure;
    }
    sendOpen();
    drain();
    if (submitted == 0 && skipped > 0 && status == 0) {
      String before = "all " + skipped + " jobs of " + file + " were submitted before; remove ";
      call.complain(before + progressFile() + " to submit them again");
    }
    return status;
  }

  private void sendOpen() throws Failure, LinkException, IOException, InterruptedException {
    for (Map.Entry<Integer, BulkChunk> rest : open.entrySet()) {
      send(rest.getKey(), rest.getValue());
    }
    open.clear();
  }

  private TextLines openLines() throws Failure, IOException {
    try {
      return new TextLines(call.invocation().openFile(file));
    } catch (IOException e) {
      throw fileFailure(file, e);
    }
  }

  private String next(TextLines lines) throws Failure, IOException {
    try {
      return lines.next();
    } catch (TextLines.WrongLine e) {
      throw call.failure(file + " " + e.getMessage(), 2);
    }
  }

  private BulkProgress openProgress() throws Failure, IOException {
    int variables =
        defaults.has('V')
            ? call.invocation().environment().values().stream().mapToInt(String::length).sum()
            : 0;
    int jobs = Math.max(1, Math.min(JOBS_MAX, VARIABLES_MAX / Math.max(1, variables)));
    String queue = call.site().serverAttribute("default_queue").orElse("");
    try {
      return BulkProgress.open(call.invocation(), progressFile(), jobs, queue);
    } catch (IOException e) {
      throw fileFailure(progressFile(), e);
    }
  }

  private Failure fileFailure(String path, IOException e) throws IOException {
    if (call.invocation().clientGone()) {
      throw e;
    }
    return call.failure(path + ": " + e.getMessage(), 1);
  }

  private String progressFile() {
    return file + ".progress";
  }

  private void take(long number, String line)
      throws Failure, LinkException, QueryException, IOException, InterruptedException {
    try {
      add(number, line);
    } catch (Failure failure) {
      String first = failure.text().lines().findFirst().orElse("qsub: wrong options");
      String what = first.startsWith("usage:") ? "wrong options" : first.replace("qsub: ", "");
      throw call.failure(file + " line " + number + ": " + what, failure.status());
    }
  }

  private static int named(List<Dependency> jobOptions) {
    return jobOptions.stream().mapToInt(wish -> wish.getJobs().size()).sum();
  }

  private void add(long number, String line)
      throws Failure, LinkException, QueryException, IOException, InterruptedException {
    List<String> words;
    try {
      words = ShellWords.split(line);
    } catch (IllegalArgumentException e) {
      throw call.failure(e.getMessage(), 2);
    }
    GetOpt options =
        GetOpt.parse(SubmitSyntax.QSUB_LETTERS, words, false, text -> call.complain(text));
    JobOptions own = QsubOptions.of(call, options).over(defaults);
    JobProgram program = program(options);
    JobOptions jobOptions = JobSubmission.asked(call, own, program);
    InteractiveSubmission.refuse(call, jobOptions);
    BlockingSubmission.refuse(call, jobOptions);
    SubmitQueue queue = queue(jobOptions);
    NewJob job = JobSubmission.build(builder, jobOptions, queue, program, words);
    if (job.getArray() != null) {
      throw call.refused("-J", "many jobs at once are not job arrays");
    }
    if (named(job.getDepend()) + named(job.getBefore()) > DEPENDENCIES_MAX) {
      throw call.failure("a job of many depends on at most " + DEPENDENCIES_MAX + " others", 1);
    }
    int group = progress.group(queue.name(), queue.shard());
    BulkChunk chunk = open.computeIfAbsent(group, g -> new BulkChunk(call.args()));
    if (BulkChunk.bytes(job) > BulkChunk.JOB_BYTES_MAX) {
      String most = "at most " + BulkChunk.JOB_BYTES_MAX + " bytes";
      throw call.failure("variables and arguments of one job have " + most, 1);
    }
    if (!chunk.hasRoom(job, program.script())) {
      send(group, chunk);
      chunk = new BulkChunk(call.args());
      open.put(group, chunk);
    }
    chunk.add(number, line, job, program.script());
    if (chunk.jobs().size() >= progress.jobsPerChunk()) {
      open.remove(group);
      send(group, chunk);
    }
    if (open.values().stream().mapToInt(BulkChunk::bytes).sum() > BYTES_MAX) {
      sendOpen();
    }
  }

  private JobProgram program(GetOpt options) throws Failure, IOException {
    List<String> operands = options.operands();
    if (options.endMarker() == 0 && !operands.isEmpty()) {
      return JobProgram.command(operands);
    }
    if (options.endMarker() >= 0 || operands.size() != 1) {
      throw call.failure("a script, or -- and a command, is needed", 2);
    }
    String path = operands.get(0);
    JobProgram known = scripts.get(path);
    if (known == null) {
      known = JobProgram.file(call, path);
      scripts.put(path, known);
      forgetScripts();
    }
    return known;
  }

  private void forgetScripts() {
    int bytes = scripts.values().stream().mapToInt(JobProgram::bytes).sum();
    Iterator<JobProgram> oldest = scripts.values().iterator();
    while (scripts.size() > SCRIPTS_KEPT || (scripts.size() > 1 && bytes > BYTES_MAX)) {
      bytes -= oldest.next().bytes();
      oldest.remove();
    }
  }

  private SubmitQueue queue(JobOptions jobOptions)
      throws Failure, LinkException, QueryException, InterruptedException {
    String given = jobOptions.get('q', progress.defaultQueue());
    SubmitQueue known = queues.get(given);
    if (known == null) {
      JobOptions named = new JobOptions();
      named.set('q', given);
      known = SubmitQueue.of(call, named);
      queues.put(given, known);
    }
    return known;
  }

  private void send(int shard, BulkChunk chunk)
      throws Failure, LinkException, IOException, InterruptedException {
    int number = chunks++;
    String hash = chunk.hash();
    BulkProgress.Sent earlier = progress.sent(number);
    if (earlier != null && !earlier.hash().equals(hash)) {
      throw call.failure(
          file
              + " or the options changed in lines "
              + chunk.lines()
              + " since an earlier run sent them; put them back, or remove "
              + progressFile()
              + " and what was submitted from "
              + file,
          1);
    }
    if (earlier != null && earlier.done()) {
      skipped += chunk.jobs().size();
      return;
    }
    UUID used = earlier == null ? base : earlier.base();
    if (earlier != null) {
      call.repeats();
    } else {
      progress.willSend(number, used, hash, chunk.lines());
    }
    ready.add(new Departure(number, shard, chunk, used, hash));
    int bytes = ready.stream().mapToInt(departure -> departure.chunk().bytes()).sum();
    if (ready.size() >= CHUNKS_PER_NOTE || bytes > BYTES_MAX) {
      depart();
    }
  }

  private void depart() throws LinkException, IOException, InterruptedException {
    progress.flush();
    while (!ready.isEmpty()) {
      Departure next = ready.poll();
      BulkChunk chunk = next.chunk();
      while (flights.size() >= CHUNKS_AHEAD
          || (!flights.isEmpty() && flying() + chunk.bytes() > BYTES_MAX)) {
        land(flights.poll());
      }
      // The same lines in the same place are the same jobs, also without the progress file.
      CommandMeta meta = call.meta(next.base(), "chunk " + next.number() + " " + next.hash());
      CompletableFuture<Reply> reply =
          call.sendAsync(next.shard(), meta, new SubmitJobs(meta, chunk.scripts(), chunk.jobs()));
      int jobs = chunk.jobs().size();
      flights.add(new Flight(next.number(), chunk.lines(), jobs, chunk.bytes(), reply));
    }
  }

  private int flying() {
    return flights.stream().mapToInt(Flight::bytes).sum();
  }

  private void drain() throws LinkException, IOException, InterruptedException {
    try {
      depart();
      while (!flights.isEmpty()) {
        land(flights.poll());
      }
    } finally {
      progress.flush();
    }
  }

  private void land(Flight flight) throws LinkException, InterruptedException {
    Reply reply = call.await(flight.reply());
    List<String> ids = reply.getLines();
    if (reply.getCode() == 0 && !ids.isEmpty()) {
      progress.done(flight.number(), ids.get(0), ids.get(ids.size() - 1));
      submitted += flight.jobs();
      if (!defaults.has('z')) {
        call.out(String.join("\n", ids) + "\n");
      }
      return;
    }
    status = PbsError.exitStatus(reply.getCode());
    String where = file + " lines " + flight.lines() + ": ";
    if (reply.getCode() == PbsError.COMMAND_TOO_OLD.code()) {
      call.complain(
          where
              + "sent by an earlier run, too long ago to tell whether they were submitted; look"
              + " with qstat -x, then remove their line from "
              + progressFile());
    } else {
      progress.failed(flight.number(), reply.getCode());
      call.complain(where + JobSubmission.refusal(reply));
    }
  }
}
