package io.millrace.ops.faults.sabotage;

import io.millrace.ops.faults.kill.Restarter;
import io.millrace.ops.home.Home;
import io.millrace.schemas.campaign.AttemptEnded;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.JobSpec;
import io.millrace.server.gateway.link.CommandIds;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Injects faults of the campaign server, on its topics, while it is down. */
final class CampaignInjector {

  private static final String PART = "campaigns";
  private static final String ATTEMPT = "MILLRACE_ATTEMPT";
  private static final long PATIENCE_MS = 300_000;
  private static final long AGAIN_MS = 1_000;

  private final Home home;
  private final Restarter restarter;

  CampaignInjector(Home home, Restarter restarter) {
    this.home = home;
    this.restarter = restarter;
  }

  /** Injects the fault; returns one sentence that says what was done. */
  String inject(Sabotage sabotage) throws IOException, InterruptedException {
    // What is committed at the kill may be of a moment at which no task ran.
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
    while (System.nanoTime() < deadline) {
      restarter.hold(PART);
      try {
        CampaignTopics topics = new CampaignTopics(home);
        Optional<String> done =
            switch (sabotage) {
              case FORGET_TASK -> forget(topics);
              case SEND_AGAIN -> sendAgain(topics);
              case COUNT_REPLICA -> countReplica(topics);
              default -> throw new IllegalArgumentException(sabotage + " is not about campaigns");
            };
        if (done.isPresent()) {
          return done.get();
        }
      } finally {
        restarter.release(PART);
      }
      restarter.awaitReady(PATIENCE_MS);
      TimeUnit.MILLISECONDS.sleep(AGAIN_MS);
    }
    throw new IOException("no task was at a cluster while the campaign server was down");
  }

  private static Optional<String> forget(CampaignTopics topics)
      throws IOException, InterruptedException {
    Optional<OpenTask> task = topics.open().stream().findFirst();
    if (task.isPresent()) {
      topics.know(task.get().getCampaign(), task.get().getTask(), null);
    }
    return task.map(it -> "forgot task " + it.getTask() + ", which runs as " + it.getJobId());
  }

  private static Optional<String> sendAgain(CampaignTopics topics)
      throws IOException, InterruptedException {
    OpenTask task = topics.open().stream().findFirst().orElse(null);
    if (task == null) {
      return Optional.empty();
    }
    String tag = tag(task.getCampaign(), task.getTask(), task.getAttempt());
    CampaignTopics.SentJob sent = topics.sent(tag);
    topics.send(sent.shard(), alone(sent.command(), sent.job().getSpec(), newId()));
    return Optional.of("submitted " + tag + " again");
  }

  /** A further attempt at a task that was counted, which the campaign server waits for. */
  private static Optional<String> countReplica(CampaignTopics topics)
      throws IOException, InterruptedException {
    AttemptEnded end = topics.counted().orElse(null);
    if (end == null) {
      return Optional.empty();
    }
    CampaignTopics.SentJob sent =
        topics.sent(tag(end.getCampaign(), end.getTask(), end.getAttempt()));
    int attempt = end.getAttempt() + 1;
    String tag = tag(end.getCampaign(), end.getTask(), attempt);
    JobSpec spec = JobSpec.newBuilder(sent.job().getSpec()).setCampaign(tag).build();
    spec.setVariables(
        spec.getVariables().stream()
            .map(it -> it.getName().equals(ATTEMPT) ? new Attribute(ATTEMPT, "" + attempt) : it)
            .toList());
    CommandId id = newId();
    OpenTask waited = new OpenTask();
    waited.setCampaign(end.getCampaign());
    waited.setTask(end.getTask());
    waited.setAttempt(attempt);
    waited.setStatus(TaskStatus.SENT);
    waited.setCluster(spec.getQueue());
    waited.setCause(id);
    waited.setJobId("");
    waited.setSentMs(System.currentTimeMillis());
    waited.setAffinities(List.of());
    waited.setLead(-1);
    waited.setFollowers(List.of());
    topics.know(end.getCampaign(), end.getTask(), waited);
    topics.send(sent.shard(), alone(sent.command(), spec, id));
    return Optional.of("submitted " + tag + " of a task that is done, and has it counted");
  }

  private static String tag(long campaign, int task, int attempt) {
    return campaign + "." + task + "." + attempt;
  }

  private static CommandId newId() {
    return CommandIds.random(System.currentTimeMillis());
  }

  /** The command with one job only. */
  private static SubmitJobs alone(SubmitJobs command, JobSpec spec, CommandId id) {
    CommandMeta meta = CommandMeta.newBuilder(command.getMeta()).setId(id).build();
    NewJob job = new NewJob(spec, "n", List.of(), List.of(), null, 0L);
    return new SubmitJobs(meta, List.of(), List.of(job));
  }
}
