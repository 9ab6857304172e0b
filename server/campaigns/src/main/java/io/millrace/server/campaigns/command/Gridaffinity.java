package io.millrace.server.campaigns.command;

import io.millrace.schemas.campaign.SetAffinity;
import io.millrace.schemas.campaign.UserAffinity;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.campaigns.ask.DoorCall;
import io.millrace.server.campaigns.core.affinity.AffinityDeciders;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.Roles;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.ClusterView;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** gridaffinity: which users are before others on which clusters. */
final class Gridaffinity implements Command {

  private static final String USAGE = "usage: gridaffinity [USER CLUSTER N]\n";
  private static final String HEAD =
      "User             Cluster         Affinity\n---------------- --------------- --------\n";
  private static final int WRONG = 2;
  private static final int OPERANDS = 3;

  static final Syntax SYNTAX = Syntax.of("", USAGE);

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(SYNTAX);
  }

  @Override
  public int run(Call call) throws Failure, InterruptedException {
    // No option has a letter: a number may begin with a minus.
    List<String> words = call.args();
    if (words.isEmpty()) {
      call.out(list(call));
      return 0;
    }
    if (words.size() != OPERANDS) {
      throw call.usage(USAGE);
    }
    return set(call, words.get(0), words.get(1), words.get(2));
  }

  private static String list(Call call) throws Failure, InterruptedException {
    boolean all = Roles.seesAll(call.site(), call::role);
    StringBuilder out = new StringBuilder(HEAD);
    new DoorCall(call)
        .list("/affinities", UserAffinity.class).stream()
            .filter(it -> all || it.getUser().equals(call.invocation().user()))
            .sorted(
                Comparator.comparing(UserAffinity::getCluster)
                    .thenComparing(it -> -it.getAffinity())
                    .thenComparing(UserAffinity::getUser))
            .forEach(
                it ->
                    out.append(
                        String.format(
                            Locale.ROOT,
                            "%-16s %-15s %8d%n",
                            it.getUser(),
                            it.getCluster(),
                            it.getAffinity())));
    return out.toString();
  }

  private static boolean isCluster(Call call, String name) {
    return call.site()
        .cluster()
        .find(ObjectKind.QUEUE, name)
        .flatMap(queue -> ClusterView.attribute(queue, "queue_type"))
        .filter("Execution"::equals)
        .isPresent();
  }

  private static int set(Call call, String user, String cluster, String number)
      throws Failure, InterruptedException {
    if (!number.matches("[+-]?[0-9]{1,9}")) {
      String form = "' is no affinity; it is a whole number from -";
      throw call.failure(
          "'" + number + form + AffinityDeciders.MOST + " to " + AffinityDeciders.MOST, WRONG);
    }
    int affinity = Integer.parseInt(number);
    // One of a cluster that is gone can be taken away still.
    if (affinity != 0 && !isCluster(call, cluster)) {
      throw call.failure("there is no cluster " + cluster, 1);
    }
    Reply reply = new DoorCall(call).command(new SetAffinity(call.meta(), user, cluster, affinity));
    if (reply.getCode() != 0) {
      call.complain(String.join(" ", reply.getLines()));
    }
    return PbsError.exitStatus(reply.getCode());
  }
}
