package io.millrace.server.gateway.plus;

import io.millrace.schemas.Topics;
import io.millrace.schemas.command.AttributeChange;
import io.millrace.schemas.command.AttributeOperation;
import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.ClusterView;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.operand.JobList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * plus_scheduler and plus_schedkill: a scheduler decides from now on, or no longer.
 *
 * <p>In PluS everybody may end the scheduler, which its manual calls a problem; here managers may.
 */
final class PlusScheduler implements Command {

  private static final String TARGET = "-t";
  private static final String DEFAULT = "default";
  private static final String LOAD = "./millrace policy load says by what a scheduler decides";

  /** Options of PluS that are refused, each with the reason. */
  private static final Map<String, String> REFUSED =
      Map.of(
          "-a", LOAD,
          "-c", LOAD,
          "-r", "reservations are in the ledger, not in a file",
          "-ne", "what has ended is kept for job_history_duration",
          "-sgeq", "a scheduler has the queues of its partitions");

  private final Syntax how;
  private final boolean starts;

  private PlusScheduler(Syntax how, boolean starts) {
    this.how = how;
    this.starts = starts;
  }

  static PlusScheduler start() {
    String usage =
        """
        usage: plus_scheduler [-t target] [-a algo] [-c conffile] [-r rsvFilePath] [-ne maxExpired]
                              [-sgeq qNames]
        """;
    return new PlusScheduler(
        Syntax.of("", usage)
            .with(
                "-t target",
                "-a algo",
                "-c conffile",
                "-r rsvFilePath",
                "-ne maxExpired",
                "-sgeq qNames"),
        true);
  }

  static PlusScheduler stop() {
    return new PlusScheduler(
        Syntax.of("", "usage: plus_schedkill [-t target]\n").with("-t target"), false);
  }

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(how);
  }

  @Override
  public int run(Call call) throws Failure, LinkException, InterruptedException {
    PlusOptions options = PlusOptions.read(call, how);
    for (String word : how.words()) {
      String option = word.split(" ")[0];
      if (options.has(option) && REFUSED.containsKey(option)) {
        throw call.refused(option, REFUSED.get(option));
      }
    }
    if (call.role() != Role.MANAGER) {
      throw call.failure(PbsError.UNAUTHORIZED.text().strip(), PlusAnswer.REFUSED);
    }
    String name = options.has(TARGET) ? options.value(TARGET) : DEFAULT;
    if (call.site().cluster().find(ObjectKind.SCHEDULER, name).isEmpty()) {
      throw call.failure("there is no scheduler " + name, PlusAnswer.REFUSED);
    }
    List<AttributeChange> changes =
        List.of(
            new AttributeChange(
                "scheduling", starts ? "True" : "False", AttributeOperation.ASSIGN));
    Reply reply =
        call.send(
            Topics.ADMINISTRATIVE_SHARD,
            meta ->
                new ChangeObject(meta, ChangeOperation.SET, ObjectKind.SCHEDULER, name, changes));
    if (reply.getCode() != 0) {
      throw call.failure("scheduler " + name + ": " + JobList.text(reply), PlusAnswer.REFUSED);
    }
    call.site().cluster().barrier();
    call.out("scheduler " + name + (starts ? " decides" + policy(call, name) : " has stopped"));
    call.out("\n");
    return 0;
  }

  private static String policy(Call call, String name) {
    Optional<ClusterObject> scheduler = call.site().cluster().find(ObjectKind.SCHEDULER, name);
    return scheduler
        .flatMap(it -> ClusterView.attribute(it, "policy"))
        .map(it -> " by policy " + it)
        .orElse("");
  }
}
