package io.millrace.server.gridengine.advance;

import io.millrace.schedulers.gridengine.language.request.RequestRefused;
import io.millrace.schemas.command.SettleReservation;
import io.millrace.schemas.command.SubmitReservation;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.jobs.ReservationIds;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.Roles;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.reservation.OtherWords;
import io.millrace.server.gridengine.cell.Cell;
import io.millrace.server.gridengine.cell.CellReservations;
import io.millrace.server.gridengine.cell.UsageTexts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** sge/qrsub: reserves slots for a time to come. */
public final class ReserveCommand implements Command {

  /** The access list of those who may reserve, besides managers. */
  private static final String RESERVERS = "arusers";

  /** Seconds that the scheduler has; what it has not decided by then is withdrawn. */
  private static final long WAIT_S = -10;

  private static final String CONFIRMED = "CONFIRMED";
  private static final Pattern PRINTABLE = Pattern.compile("\\p{Print}+");
  private static final Map<String, Integer> OPTIONS = new HashMap<>();

  /** Options that Grid Engine has and that are refused by name, with why. */
  private static final Map<String, String> REFUSED =
      Map.of(
          "-ckpt", "there are no checkpointing environments",
          "-masterq", "the queue of the master cannot be chosen");

  static {
    List.of("-a", "-A", "-d", "-e", "-he", "-l", "-m", "-M", "-N", "-now", "-q", "-u", "-w")
        .forEach(it -> OPTIONS.put(it, 1));
    REFUSED.keySet().forEach(it -> OPTIONS.put(it, 1));
    OPTIONS.put("-pe", 2);
    OPTIONS.put("-help", 0);
  }

  /** Options with the number of their arguments. */
  static Map<String, Integer> known() {
    return Map.copyOf(OPTIONS);
  }

  @Override
  public String undone() {
    return "not reserved";
  }

  @Override
  public int run(Call call) throws Failure, LinkException, QueryException, InterruptedException {
    if (call.args().contains("-help")) {
      call.out(UsageTexts.QRSUB);
      return 0;
    }
    if (call.args().isEmpty()) {
      throw new Failure(UsageTexts.QRSUB + "ERROR! no option argument\n", 1);
    }
    AdvanceOptions options = options(call.args());
    Cell cell = Cell.of(call);
    try {
      return reserve(call, cell, options);
    } catch (RequestRefused e) {
      call.out(e.getMessage() + "\n");
      return 1;
    }
  }

  /** The options, none of which is looked at before all are right. */
  static AdvanceOptions options(List<String> words) throws Failure {
    AdvanceOptions options = AdvanceOptions.of(words, OPTIONS);
    if (!options.operands().isEmpty()) {
      throw AdvanceOptions.invalid(options.operands().get(0));
    }
    for (Map.Entry<String, String> refused : REFUSED.entrySet()) {
      if (options.has(refused.getKey())) {
        String text = "error: option " + refused.getKey() + " is not supported: ";
        throw new Failure(text + refused.getValue() + "\n", 1);
      }
    }
    if (!OtherWords.isName(options.value("-N").orElse("none"))) {
      String what = "a name has 1 to 230 letters, digits and characters of -_+.";
      throw new Failure("error: -N: " + what + "\n", 1);
    }
    if (!PRINTABLE.matcher(options.value("-A").orElse("none")).matches()) {
      throw new Failure("error: -A: an account has only printable characters\n", 1);
    }
    AdvanceMail.of(options);
    options.yes("-he");
    options.yes("-now");
    String verify = options.value("-w").orElse("e");
    if (!List.of("e", "v").contains(verify)) {
      throw AdvanceOptions.invalid("-w " + verify);
    }
    return options;
  }

  private static int reserve(Call call, Cell cell, AdvanceOptions options)
      throws Failure, LinkException, QueryException, InterruptedException {
    String user = call.invocation().user();
    List<String> reservers =
        cell.configuration().cluster().accessLists().getOrDefault(RESERVERS, List.of());
    if (call.role() != Role.MANAGER && !reservers.contains(user)) {
      throw new RequestRefused(
          "denied: \"" + user + "\" must be manager or in userset \"" + RESERVERS + "\"");
    }
    AdvanceTimes window = AdvanceTimes.of(options, call.clock());
    AdvanceRequest request = new AdvanceRequest(call, cell, options);
    Optional<ReservationSpec> spec = request.place(window);
    if (spec.isEmpty()) {
      throw new RequestRefused(HeldAdvance.NO_ROOM);
    }
    if (options.value("-w").filter("v"::equals).isPresent()) {
      call.out("verification: found suitable queue(s)\n");
      return 0;
    }
    if (!Roles.maySubmit(call)) {
      throw new RequestRefused("denied: root may not reserve here (acl_roots)");
    }
    String id = send(call, spec.get());
    long number = ReservationIds.number(id);
    int shard = CellReservations.shardOf(call.site(), spec.get().getPartition());
    HeldAdvance.decide(
        number,
        () -> request.holds(number, spec.get()),
        commit -> call.send(shard, meta -> new SettleReservation(meta, id, commit, true)));
    call.out("Your advance reservation " + number + " has been granted\n");
    return 0;
  }

  /** The id of the reservation, which is held once its scheduler has confirmed it. */
  private static String send(Call call, ReservationSpec spec)
      throws Failure, LinkException, InterruptedException {
    CommandMeta meta = call.meta();
    SubmitReservation command = HeldAdvance.command(meta, spec, WAIT_S);
    int shard = CellReservations.shardOf(call.site(), spec.getPartition());
    Reply reply = OtherWords.await(call, shard, meta, command, WAIT_S);
    List<String> lines = reply.getLines();
    if (reply.getCode() != 0) {
      throw new RequestRefused("denied: " + String.join(" ", lines).strip());
    }
    String[] words = lines.isEmpty() ? new String[0] : lines.get(0).split(" ", 2);
    if (words.length < 2 || !words[1].equals(CONFIRMED)) {
      boolean late = lines.size() > 1 && lines.get(1).contains("in time");
      throw new RequestRefused(
          late ? "denied: the scheduler has not answered" : HeldAdvance.NO_ROOM);
    }
    return words[0];
  }
}
