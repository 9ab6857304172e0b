package io.millrace.server.gateway.admin;

import io.millrace.schemas.command.ChangeUsage;
import io.millrace.schemas.command.UsageChange;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigOptions;
import io.millrace.schemas.pbs.schedconfig.share.ShareCommand;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.share.FairShares;
import java.util.Map;
import java.util.Optional;

/**
 * pbsfs: what entities have used of their shares. The answers are PBS's; what is changed goes to
 * the shard of the scheduler object as a command.
 */
final class Pbsfs implements Command {
  private static final String USAGE =
      "usage: pbsfs [-I sched_name] [-p | -t | -d | -e]\n"
          + "       pbsfs [-I sched_name] -g entity\n"
          + "       pbsfs [-I sched_name] -s entity usage\n"
          + "       pbsfs [-I sched_name] -c entity1 entity2\n";

  private static final double MILLI = 1000;

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(Syntax.of("", USAGE));
  }

  @Override
  public int run(Call call) throws Failure, LinkException, QueryException, InterruptedException {
    ShareCommand.ShareCommandLine asked = ShareCommand.asked(call.args());
    boolean allowed = call.role() == Role.MANAGER;
    Optional<ShareCommand.ShareCommandAnswer> refused =
        ShareCommand.refusal(
            asked, allowed, call.site().find(ObjectKind.SCHEDULER, asked.scheduler()).isPresent());
    if (refused.isPresent()) {
      return told(call, refused.get());
    }
    ClusterObject scheduler =
        call.site().find(ObjectKind.SCHEDULER, asked.scheduler()).orElseThrow();
    FairShares shares =
        FairShares.of(scheduler)
            .orElseThrow(
                () ->
                    call.failure(
                        "scheduler "
                            + asked.scheduler()
                            + " has no fair share: ./millrace policy"
                            + " load",
                        1));
    Map<String, Double> usages = shares.usages(call.site());
    ShareCommand command =
        new ShareCommand(
            shares::unused,
            shares.policy().folder().config().text(SchedConfigOptions.USAGE_RES),
            shares.policy().folder().config().factor(SchedConfigOptions.DECAY_FACTOR),
            usages,
            true);
    ShareCommand.ShareCommandAnswer answer = command.answer(asked);
    if (answer.status() == 0 && answer.changed()) {
      change(call, shares, asked, command.usages());
    }
    return told(call, answer);
  }

  private static void change(
      Call call, FairShares shares, ShareCommand.ShareCommandLine asked, Map<String, Double> after)
      throws Failure, LinkException, InterruptedException {
    UsageChange change =
        switch (asked.action()) {
          case 'd' -> UsageChange.FADE;
          case 'e' -> UsageChange.FORGET;
          default -> UsageChange.SET;
        };
    String entity = change == UsageChange.SET ? asked.operands().get(0) : "";
    if (change == UsageChange.SET && !shares.unused().entity(entity).isLeaf()) {
      return; // of a group nothing is kept, as in PBS
    }
    long milli = Math.round(after.getOrDefault(entity, 1.0) * MILLI);
    Reply reply =
        call.send(
            shares.shard(),
            meta -> new ChangeUsage(meta, asked.scheduler(), change, entity, milli));
    if (reply.getCode() != 0) {
      throw call.failure(String.join(" ", reply.getLines()).strip(), 1);
    }
  }

  private static int told(Call call, ShareCommand.ShareCommandAnswer answer) {
    answer.out().forEach(line -> call.out(line + "\n"));
    answer.err().forEach(line -> call.invocation().err(line + "\n"));
    return answer.status();
  }
}
