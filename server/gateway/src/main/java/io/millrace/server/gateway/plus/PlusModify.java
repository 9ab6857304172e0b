package io.millrace.server.gateway.plus;

import io.millrace.reservations.window.ReservedTime;
import io.millrace.schemas.command.AlterReservation;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.resources.ParsedRequest;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.reservation.OtherWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** plus_modify: gives a reservation other times, nodes or users. */
final class PlusModify implements Command {

  private static final String USAGE =
      """
      usage: plus_modify [-T] -r rsvID [-s startTime] [-e endTime | -D duration] [-n numNodes]
                         [-U users]
      """;

  private static final Syntax HOW =
      Syntax.of("", USAGE)
          .with(
              "-r rsvID",
              "-s startTime",
              "-e endTime",
              "-D duration",
              "-n numNodes",
              "-U users",
              "-T");

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(HOW);
  }

  @Override
  public int run(Call call) throws Failure, LinkException, QueryException, InterruptedException {
    PlusOptions options = PlusOptions.read(call, HOW);
    String text = options.must("-r");
    options.exclude("-e", "-D");
    if (List.of("-s", "-e", "-D", "-n", "-U").stream().noneMatch(options::has)) {
      throw options.wrong("nothing is to be changed");
    }
    PlusName name = PlusName.of(call, text);
    Reservation now =
        OtherWords.find(call, name.id()).orElseThrow(() -> PlusName.unknown(call, text));
    CommandMeta meta = call.meta();
    AlterReservation command = command(call, options, meta, now);
    Reply reply = OtherWords.await(call, name.shard(), meta, command, PlusAnswer.WAIT_S);
    call.out(PlusAnswer.shortName(PlusAnswer.confirmed(call, reply)) + "\n");
    return 0;
  }

  private static AlterReservation command(
      Call call, PlusOptions options, CommandMeta meta, Reservation now) throws Failure {
    ReservationSpec spec = now.getSpec();
    AlterReservation command = new AlterReservation();
    command.setMeta(meta);
    command.setReservationId(now.getId());
    command.setInteractiveS(PlusAnswer.WAIT_S);
    command.setForce(false);
    command.setMore(true);
    command.setTransaction(options.has("-T"));
    Long start = PlusTimes.time(call, options, "-s");
    Long end = PlusTimes.time(call, options, "-e");
    Long duration = PlusTimes.duration(options, "-D");
    long from = start == null ? spec.getStartMs() : start;
    if (duration != null) {
      end = from + duration;
    }
    long to = end == null ? spec.getEndMs() : end;
    if (to <= from || duration != null && duration > ReservedTime.DURATION_MAX_MS) {
      throw call.failure(PbsError.BAD_TIMES.text(), PlusAnswer.REFUSED);
    }
    command.setStartMs(start);
    command.setEndMs(end);
    if (options.has("-n")) {
      int nodes = options.number("-n", PlusRequest.NODES_MAX, 1);
      ParsedRequest request = PlusRequest.withNodes(call, spec.getResourceList(), nodes, to - from);
      command.setRequest(request.request());
      command.setResourceList(request.resourceList());
    }
    if (options.has("-U")) {
      command.setUsers(users(call, options, spec));
    }
    return command;
  }

  /** Its owner stays among them. */
  private static List<String> users(Call call, PlusOptions options, ReservationSpec spec)
      throws Failure {
    List<String> users = new ArrayList<>(PlusRequest.users(call, options.value("-U"), USAGE));
    String owner = spec.getOwner() + "@" + spec.getSubmitHost();
    if (!users.contains(owner)) {
      users.add(owner);
    }
    return users;
  }
}
