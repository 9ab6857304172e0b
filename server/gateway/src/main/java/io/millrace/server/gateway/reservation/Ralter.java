package io.millrace.server.gateway.reservation;

import io.millrace.reservations.window.ReservedTime;
import io.millrace.schemas.command.AlterReservation;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AttributeType;
import io.millrace.schemas.pbs.resources.ParsedRequest;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.GetOpt;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.operand.JobList;
import io.millrace.server.gateway.query.QueryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/** pbs_ralter: changes a reservation. */
final class Ralter implements Command {

  private static final String LETTERS = "E:I:m:M:N:R:q:U:G:D:l:W:";
  private static final String SELECT = "select=";
  private static final String USAGE = ReservationSyntax.RALTER;

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(Syntax.of(LETTERS, USAGE));
  }

  @Override
  public int run(Call call) throws Failure, LinkException, QueryException, InterruptedException {
    GetOpt options = call.options(LETTERS);
    boolean wrong = options.wrong();
    for (GetOpt.GivenOption option : options.options()) {
      wrong |= isWrong(call, option.letter(), option.argument());
    }
    boolean force = options.has('W');
    if (force && !options.has('R') && !options.has('E') && !options.has('D')) {
      call.complain("No support for requested service");
      wrong = true;
    }
    if (wrong || options.operands().size() != 1) {
      throw call.usage(USAGE);
    }
    ReservationSyntax.refuseOther(call, options.argument('q'));
    String text = options.operands().get(0);
    String id =
        ReservationNames.parse(text, call.site().server())
            .orElseThrow(() -> call.failure("illegally formed reservation identifier: " + text, 2));
    checkValues(call, options);
    OptionalInt shard = Rdel.shard(call, id);
    Reservation now = Rstat.find(call, id).orElse(null);
    if (shard.isEmpty() || now == null) {
      throw call.failure(PbsError.UNKNOWN_RESERVATION);
    }
    CommandMeta meta = call.meta();
    AlterReservation command = command(call, options, meta, now);
    long seconds = command.getInteractiveS();
    Reply reply = AwaitedReply.of(call, shard.getAsInt(), meta, command, seconds);
    if (reply.getCode() != 0) {
      throw call.failure(JobList.text(reply), PbsError.exitStatus(reply.getCode()));
    }
    // Behind it stands the reason, which PBS does not tell.
    reply.getLines().stream().limit(1).forEach(line -> call.out("pbs_ralter: " + line + "\n"));
    return 0;
  }

  /** Says what is wrong with the form of a value. */
  private static boolean isWrong(Call call, char letter, String value) {
    boolean wrong =
        switch (letter) {
          case 'R', 'E' -> ReservationSyntax.time(call, value).isEmpty();
          case 'I' -> ReservationSyntax.seconds(value).filter(it -> it > 0).isEmpty();
          case 'q' -> !ReservationSyntax.isServer(value);
          case 'W' -> !value.equals("force");
          case 'l' -> !value.startsWith(SELECT);
          default -> false;
        };
    if (wrong && letter == 'l') {
      call.invocation().err("pbs_ralter -l only allows for select\n");
    } else if (wrong) {
      String what = letter == 'W' || letter == 'q' ? " value" : " time value";
      String form = letter == 'q' ? ": format \"@server\"" : "";
      call.complain("illegal -" + letter + what + form);
    }
    return wrong;
  }

  private static void checkValues(Call call, GetOpt options) throws Failure {
    if (options.has('D') && seconds(options).isEmpty()) {
      throw ReservationSyntax.illegal(call, 'D', USAGE);
    }
    if (options.has('m')) {
      ReservationSyntax.checkMailPoints(call, options.argument('m'), USAGE);
    }
    if (options.has('N')) {
      ReservationSyntax.checkName(call, options.argument('N'), USAGE);
    }
    for (char letter : new char[] {'U', 'G', 'M'}) {
      boolean unset = letter == 'G' && "".equals(options.argument(letter));
      if (options.has(letter) && !unset) {
        ReservationSyntax.list(call, letter, options.argument(letter), USAGE);
      }
    }
  }

  private static Optional<Long> seconds(GetOpt options) {
    return AttributeType.parseSeconds(options.argument('D'));
  }

  private static AlterReservation command(
      Call call, GetOpt options, CommandMeta meta, Reservation now) throws Failure {
    AlterReservation command = new AlterReservation();
    command.setMeta(meta);
    command.setReservationId(now.getId());
    command.setForce(options.has('W'));
    String waits = options.argument('I');
    command.setInteractiveS(waits == null ? 0 : ReservationSyntax.seconds(waits).orElse(0L));
    command.setName(options.argument('N'));
    command.setMailPoints(options.has('m') ? options.argument('m').strip() : null);
    times(call, options, now.getSpec(), command);
    if (options.has('l')) {
      ParsedRequest request = request(call, options.argument('l'));
      command.setRequest(request.request());
      command.setResourceList(request.resourceList());
    }
    if (options.has('U')) {
      command.setUsers(list(call, options, 'U', now.getSpec().getUsers()));
    }
    if (options.has('G')) {
      command.setGroups(list(call, options, 'G', now.getSpec().getGroups()));
    }
    if (options.has('M')) {
      command.setMailUsers(ReservationSyntax.list(call, 'M', options.argument('M'), USAGE));
    }
    return command;
  }

  /** Start and end; of a duration alone the start stays. */
  private static void times(
      Call call, GetOpt options, ReservationSpec spec, AlterReservation command) throws Failure {
    Long start =
        options.has('R') ? ReservationSyntax.time(call, options.argument('R')).get() : null;
    Long end = options.has('E') ? ReservationSyntax.time(call, options.argument('E')).get() : null;
    if (options.has('D')) {
      long lengthMs = TimeUnit.SECONDS.toMillis(seconds(options).orElseThrow());
      boolean both = start != null && end != null;
      boolean fits = lengthMs > 0 && lengthMs <= ReservedTime.DURATION_MAX_MS;
      if (!fits || (both && end - start != lengthMs)) {
        throw call.failure(PbsError.BAD_TIMES);
      }
      if (start == null && end != null) {
        start = end - lengthMs;
      }
      end = (start == null ? spec.getStartMs() : start) + lengthMs;
    }
    command.setStartMs(start);
    command.setEndMs(end);
  }

  private static ParsedRequest request(Call call, String select) throws Failure {
    try {
      String value = select.substring(SELECT.length());
      return call.site().requests().parse(List.of(new Attribute("select", value)));
    } catch (RequestException e) {
      throw call.failure(e.getMessage(), PbsError.exitStatus(e.code()));
    }
  }

  /** A list of names; those with a sign are added to what there is, or taken from it. */
  private static List<String> list(Call call, GetOpt options, char letter, List<String> present)
      throws Failure {
    String text = options.argument(letter);
    if (text.isEmpty()) {
      return List.of();
    }
    List<String> given = ReservationSyntax.list(call, letter, text, USAGE);
    boolean signs = given.stream().allMatch(it -> it.charAt(0) == '+' || it.charAt(0) == '-');
    if (!signs) {
      return given;
    }
    List<String> names = new ArrayList<>(present);
    for (String each : given) {
      String name = each.substring(1);
      names.remove(name);
      if (each.charAt(0) == '+') {
        names.add(name);
      }
    }
    return names;
  }
}
