package io.millrace.server.gateway.job;

import io.millrace.schemas.command.LaunchTask;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.GetOpt;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.operand.JobIds;
import io.millrace.server.gateway.operand.JobList;
import io.millrace.server.gateway.query.NoRoomException;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.session.ClientGoneException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * pbsdsh: starts a program on the hosts of the job in which it is called. A task that was ordered
 * is not ordered again, however often the gateway or the client's connection breaks meanwhile.
 */
final class Pbsdsh implements Command {

  private static final String USAGE =
      """
      Usage: pbsdsh [-c copies][-s][-v][-o] -- program [args...]
             pbsdsh [-n node_index][-s][-v][-o] -- program [args...]
             pbsdsh --version
      Where -c copies =  run a copy of "program" on the first "copies" nodes,
            -n node_index = run a copy of "program" on the "node_index"-th node,
            -h hostname = run a copy of "program" on the node named by hostname,
            -s = forces synchronous execution,
            -v = forces verbose output.
            -o = no obits are waited for.
      """;

  private static final String LETTERS = "c:n:h:svo";

  /** Longest wait for a program: as long as any run may last. */
  private static final Duration PATIENCE = Duration.ofDays(3650);

  private static final int NODE_FILE_MAX = 1 << 20;
  private static final int SIGNALLED = 256;

  /** Copies of one call; what they print is held until those before them have ended. */
  private static final int COPIES_MAX = 4096;

  /** Tasks that are waited for at a time: a run has at most 256 that have not ended. */
  private static final int AHEAD_MAX = 256;

  /** Exit status in a shell of a program that was ended by a signal: 128 plus its number. */
  private static final int SHELL_SIGNALLED = 128;

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(Syntax.of(LETTERS, USAGE));
  }

  @Override
  public boolean lasting() {
    return true;
  }

  /** The caller's run, from its environment; the shard checks that it is the caller's. */
  private record CallerRun(JobIds.JobId job, int number, int shard) {}

  /** What to start where: indices of lines of the node file. */
  private record Spawns(List<Integer> places, List<String> argv, GetOpt options) {}

  @Override
  public int run(Call call)
      throws Failure, LinkException, QueryException, IOException, InterruptedException {
    GetOpt options = GetOpt.parse(LETTERS, call.args(), true, call::complain);
    if (options.wrong() || options.operands().isEmpty()) {
      throw new Failure(USAGE, 1);
    }
    CallerRun run = run(call, call.invocation().environment());
    List<String> nodes = nodes(call);
    Spawns spawns = new Spawns(places(options, nodes), options.operands(), options);
    return options.has('s') ? inTurn(call, run, spawns) : together(call, run, spawns);
  }

  private static CallerRun run(Call call, Map<String, String> environment)
      throws Failure, QueryException, InterruptedException {
    String id = environment.getOrDefault("PBS_JOBID", "");
    String number = environment.getOrDefault("MILLRACE_RUN", "");
    if (!environment.containsKey("PBS_ENVIRONMENT") || !number.matches("\\d{1,9}")) {
      throw call.failure("not executing under PBS", 1);
    }
    JobIds.JobId job =
        JobIds.parse(id, call.site().server())
            .orElseThrow(() -> call.failure("illegally formed job identifier: " + id, 1));
    OptionalInt shard = shard(call, job);
    if (shard.isEmpty()) {
      throw call.failure(
          PbsError.UNKNOWN_JOB.text() + " " + job.id(), PbsError.UNKNOWN_JOB.exitStatus());
    }
    return new CallerRun(job, Integer.parseInt(number), shard.getAsInt());
  }

  /**
   * The shard of the job; waits as long as there is no answer, since runs go on while the server
   * restarts.
   */
  private static OptionalInt shard(Call call, JobIds.JobId job)
      throws QueryException, InterruptedException {
    while (true) {
      try {
        return call.site().queries().birth(job.number());
      } catch (NoRoomException e) {
        throw e;
      } catch (QueryException e) {
        TimeUnit.SECONDS.sleep(1);
        if (call.invocation().clientGone()) {
          throw e;
        }
      }
    }
  }

  private static List<String> nodes(Call call) throws Failure, IOException {
    String file = call.invocation().environment().getOrDefault("PBS_NODEFILE", "");
    if (file.isEmpty()) {
      throw call.failure("not executing under PBS", 1);
    }
    try {
      byte[] text = call.invocation().readFile(file, NODE_FILE_MAX);
      return new String(text, StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      if (call.invocation().clientGone()) {
        throw e;
      }
      throw call.failure("PBS_NODEFILE: " + file + ": " + e.getMessage(), 1);
    }
  }

  private static List<Integer> places(GetOpt options, List<String> nodes) throws Failure {
    OptionalInt copies = number(options, 'c');
    OptionalInt place = number(options, 'n');
    if (options.has('h')) {
      place = host(options.argument('h'), nodes);
    }
    boolean onOne = place.isPresent();
    if (nodes.isEmpty() || (onOne && copies.isPresent())) {
      throw new Failure(USAGE, 1);
    }
    int first = place.orElse(0);
    int count = onOne ? 1 : copies.orElse(nodes.size());
    if (count > COPIES_MAX) {
      throw new Failure(
          "pbsdsh: " + count + " copies: at most " + COPIES_MAX + " are started by one call\n", 1);
    }
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      places.add((first + i) % nodes.size()); // as PBS does: those behind the last begin again
    }
    return places;
  }

  private static OptionalInt number(GetOpt options, char letter) throws Failure {
    if (!options.has(letter)) {
      return OptionalInt.empty();
    }
    String text = options.argument(letter);
    if (!text.matches("\\d{1,6}")) {
      throw new Failure("pbsdsh: -" + letter + " " + text + " is no number\n" + USAGE, 1);
    }
    return OptionalInt.of(Integer.parseInt(text));
  }

  private static OptionalInt host(String name, List<String> nodes) throws Failure {
    for (int i = 0; i < nodes.size(); i++) {
      if (nodes.get(i).equals(name) || name.startsWith(nodes.get(i) + ".")) {
        return OptionalInt.of(i);
      }
    }
    throw new Failure("pbsdsh: host " + name + " is none of the job's\n" + USAGE, 1);
  }

  /** Starts as many tasks at once as allowed; output is shown in the order of the nodes. */
  private int together(Call call, CallerRun run, Spawns spawns)
      throws LinkException, InterruptedException {
    Semaphore room = new Semaphore(AHEAD_MAX);
    Deque<CompletableFuture<Reply>> flying = new ArrayDeque<>();
    try {
      return together(call, run, spawns, room, flying);
    } finally {
      flying.forEach(reply -> reply.cancel(false));
    }
  }

  private static int together(
      Call call,
      CallerRun run,
      Spawns spawns,
      Semaphore room,
      Deque<CompletableFuture<Reply>> flying)
      throws LinkException, InterruptedException {
    int status = 0;
    int told = 0;
    for (int sent = 0; sent < spawns.places().size(); sent++) {
      while (!room.tryAcquire(1, TimeUnit.SECONDS)) {
        leaveWithClient(call);
      }
      CompletableFuture<Reply> reply = spawn(call, run, spawns, sent);
      reply.whenComplete((answer, failure) -> room.release());
      flying.add(reply);
      while (!flying.isEmpty() && flying.peek().isDone()) {
        status = first(status, told(call, spawns, told++, await(call, flying.peek())));
        flying.remove();
      }
    }
    while (!flying.isEmpty()) {
      status = first(status, told(call, spawns, told++, await(call, flying.peek())));
      flying.remove();
    }
    return status;
  }

  private int inTurn(Call call, CallerRun run, Spawns spawns)
      throws LinkException, InterruptedException {
    int status = 0;
    for (int i = 0; i < spawns.places().size(); i++) {
      CompletableFuture<Reply> reply = spawn(call, run, spawns, i);
      try {
        status = first(status, told(call, spawns, i, await(call, reply)));
      } finally {
        reply.cancel(false);
      }
    }
    return status;
  }

  private static int first(int status, int next) {
    return status == 0 ? next : status;
  }

  private static CompletableFuture<Reply> spawn(Call call, CallerRun run, Spawns spawns, int index)
      throws InterruptedException {
    CommandMeta meta = call.meta();
    LaunchTask command =
        new LaunchTask(
            meta,
            run.job().id(),
            run.number(),
            spawns.places().get(index),
            spawns.argv(),
            !spawns.options().has('o'));
    return call.sendAsync(run.shard(), meta, command, PATIENCE);
  }

  /** Ends the wait when the client has gone; the tasks go on until their run ends. */
  private static void leaveWithClient(Call call) {
    if (call.invocation().clientGone()) {
      throw new ClientGoneException("the client is gone", new IOException("it has closed"));
    }
  }

  private static Reply await(Call call, CompletableFuture<Reply> reply)
      throws LinkException, InterruptedException {
    while (true) {
      try {
        return reply.get(1, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        leaveWithClient(call);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof LinkException failure) {
          throw failure;
        }
        throw new IllegalStateException(e.getCause());
      }
    }
  }

  /** Shows the result of a task; returns its exit status as a shell would. */
  private static int told(Call call, Spawns spawns, int index, Reply reply) {
    int place = spawns.places().get(index);
    if (reply.getCode() != 0) {
      call.complain("spawn failed on node " + place + " err " + JobList.text(reply));
      return 1;
    }
    boolean verbose = spawns.options().has('v');
    if (verbose) {
      call.out(
          "%s: spawned task 0x%08X on logical node %d event %d%n"
              .formatted(call.name(), index, place, index + 1));
    }
    if (spawns.options().has('o')) {
      return 0;
    }
    List<String> lines = reply.getLines();
    call.invocation().print(lines.get(2).getBytes(StandardCharsets.ISO_8859_1), false);
    call.invocation().print(lines.get(3).getBytes(StandardCharsets.ISO_8859_1), true);
    int status = Integer.parseInt(lines.get(0));
    if (verbose || status != 0) {
      call.out("%s: task 0x%08X exit status %d%n".formatted(call.name(), index, status));
    }
    if (!lines.get(1).isEmpty()) {
      call.complain("task 0x%08X: %s".formatted(index, lines.get(1)));
    }
    return status >= SIGNALLED ? SHELL_SIGNALLED + status - SIGNALLED : status < 0 ? 1 : status;
  }
}
