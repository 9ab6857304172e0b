package io.millrace.ops.bench;

import io.millrace.ops.word.Console;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.server.gateway.Gateway;
import io.millrace.server.gateway.GatewayCommands;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Load of jobs from a hundred users that ask for more memory than exists. */
final class DeepLoad {

  private static final int USERS = 100;
  private static final int CLASSES_PER_QUEUE = 25;
  private static final int CHUNK_JOBS = 100;
  private static final int CHUNKS_AHEAD = 40;

  /** A chunk is repeated until it is answered: on a busy machine a shard may be far behind. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final long TOO_MUCH_BYTES = 1L << 50;

  private final Gateway gateway;
  private final int queues;
  private final Random random;
  private final List<GatewayCommands> users = new ArrayList<>();
  private String someJob = "";

  DeepLoad(Gateway gateway, int queues, Random random) {
    this.gateway = gateway;
    this.queues = queues;
    this.random = random;
    for (int user = 0; user < USERS; user++) {
      users.add(new GatewayCommands(gateway.site(), "user" + user, "users", Role.USER));
    }
  }

  static String queue(int number) {
    return "deep" + number;
  }

  /** Id of one of the jobs. */
  String someJob() {
    return someJob;
  }

  /**
   * @return jobs per second
   */
  double submit(int jobs, boolean different, Console console)
      throws IOException, InterruptedException {
    long begin = System.nanoTime();
    Deque<CompletableFuture<Reply>> flying = new ArrayDeque<>();
    for (int done = 0; done < jobs; done += CHUNK_JOBS) {
      int user = random.nextInt(USERS);
      int queue = done / CHUNK_JOBS % queues;
      List<NewJob> chunk = new ArrayList<>(CHUNK_JOBS);
      for (int i = done; i < Math.min(jobs, done + CHUNK_JOBS); i++) {
        int kind = different ? i : random.nextInt(CLASSES_PER_QUEUE);
        chunk.add(job(user, queue, kind));
      }
      flying.add(users.get(user).submit(chunk, PATIENCE));
      while (flying.size() > CHUNKS_AHEAD) {
        accepted(flying.remove());
      }
      if (done % 20_000 == 0) {
        console.busy("submitted " + done + " of " + jobs + " " + console.since(begin));
      }
    }
    while (!flying.isEmpty()) {
      accepted(flying.remove());
    }
    return jobs / ((System.nanoTime() - begin) / 1e9);
  }

  private void accepted(CompletableFuture<Reply> answer) throws IOException, InterruptedException {
    try {
      Reply reply = answer.get(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (reply.getCode() != 0) {
        throw new IOException("refused: " + reply.getLines());
      }
      someJob = reply.getLines().get(0).strip();
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("a chunk was not answered: " + e, e);
    }
  }

  private NewJob job(int user, int queue, int kind) {
    long bytes = TOO_MUCH_BYTES + ((long) kind << 20);
    ResourceRequest request =
        new ResourceRequest(
            List.of(new Chunk(1, Map.of("ncpus", 1L, "mem", bytes), Map.of())),
            "free",
            3600L,
            Map.of());
    JobSpec spec =
        JobSpec.newBuilder()
            .setName("deep")
            .setOwner("user" + user)
            .setGroup("users")
            .setSubmitHost(gateway.site().host())
            .setQueue(queue(queue))
            .setPriority(random.nextInt(2000) - 1000)
            .setRequest(request)
            .setResourceList(
                List.of(
                    new Attribute("mem", bytes / 1024 + "kb"),
                    new Attribute("ncpus", "1"),
                    new Attribute("nodect", "1"),
                    new Attribute("place", "free"),
                    new Attribute("select", "1:ncpus=1:mem=" + bytes / 1024 + "kb"),
                    new Attribute("walltime", "01:00:00")))
            .setOutputPath("")
            .setErrorPath("")
            .setVariables(
                List.of(
                    new Attribute("PBS_O_HOME", "/home/user" + user),
                    new Attribute("PBS_O_WORKDIR", "/home/user" + user + "/work"),
                    new Attribute("PBS_O_SYSTEM", "Linux")))
            .setScriptHash(ByteBuffer.allocate(0))
            .setArgv(List.of("/bin/true"))
            .setExtra(List.of())
            .build();
    return new NewJob(spec, "n", List.of(), List.of(), null, 0L);
  }
}
