package io.millrace.server.gateway.reservation;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.link.ClusterView;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.avro.specific.SpecificRecord;

/** What the commands of other families on reservations share with PBS's. */
public final class OtherWords {

  private OtherWords() {}

  /** The full name, {@code R7.server}; nothing for what has not the form of one. */
  public static Optional<String> id(Call call, String text) {
    return ReservationNames.parse(text, call.site().server());
  }

  /** The shard that gave the number; empty when no reservation has this full name. */
  public static OptionalInt shard(Call call, String id)
      throws QueryException, InterruptedException {
    return Rdel.shard(call, id);
  }

  public static Optional<Reservation> find(Call call, String id)
      throws QueryException, InterruptedException {
    return Rstat.find(call, id);
  }

  /** What the caller asks for, with nothing said yet but who he is. */
  public static ReservationSpec asked(Call call) {
    ReservationSpec spec = new ReservationSpec();
    spec.setName("");
    spec.setOwner(call.invocation().user());
    spec.setGroup(call.invocation().group());
    spec.setSubmitHost(call.host());
    spec.setPartition(Site.DEFAULT_PARTITION);
    spec.setRequest(new ResourceRequest(List.of(), "", -1L, Map.of()));
    spec.setResourceList(List.of());
    spec.setVariables(List.of(new Attribute("PBS_O_HOST", call.host())));
    spec.setUsers(List.of());
    spec.setGroups(List.of());
    spec.setHosts(List.of());
    spec.setMailPoints("n");
    spec.setMailUsers(List.of());
    spec.setMaintained(List.of());
    spec.setRule("");
    spec.setLaterMs(List.of());
    spec.setDeleteIdleS(-1);
    return spec;
  }

  /** Whether a reservation may have this name. */
  public static boolean isName(String name) {
    return ReservationSyntax.isName(name);
  }

  /** A time in PBS's form, milliseconds since 1970. */
  public static Optional<Long> time(Call call, String text) {
    return ReservationSyntax.time(call, text);
  }

  /** Names that may use a reservation, as PBS takes them. */
  public static List<String> users(Call call, String text, String usage) throws Failure {
    return ReservationSyntax.list(call, 'U', text, usage);
  }

  /** Sends a command and waits for the scheduler's decision; see {@link AwaitedReply}. */
  public static Reply await(
      Call call, int shard, CommandMeta meta, SpecificRecord command, long seconds)
      throws Failure, LinkException, InterruptedException {
    return AwaitedReply.of(call, shard, meta, command, seconds);
  }

  /** Whether a node could be reserved at all. */
  public static boolean reservable(ClusterObject node) {
    return !"offline".equals(ClusterView.attribute(node, "state").orElse(""))
        && ClusterView.attribute(node, "queue").orElse("").isEmpty()
        && !"False".equals(ClusterView.attribute(node, "resv_enable").orElse("True"));
  }
}
