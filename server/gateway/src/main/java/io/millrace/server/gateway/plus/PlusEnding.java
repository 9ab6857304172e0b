package io.millrace.server.gateway.plus;

import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationWhole;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.operand.JobList;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.reservation.OtherWords;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** plus_cancel and plus_destroy: end a reservation, or all of an owner. */
final class PlusEnding implements Command {

  private final Syntax how;
  private final PlusDeletion deletion;

  /** Sends the end of one reservation. */
  interface PlusDeletion {
    Reply send(Call call, PlusName name, boolean transaction)
        throws LinkException, InterruptedException;
  }

  PlusEnding(String name, PlusDeletion deletion) {
    this.how =
        Syntax.of("", "usage: " + name + " [-T] [-r rsvID] [-o owner]\n")
            .with("-r rsvID", "-o owner", "-T");
    this.deletion = deletion;
  }

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(how);
  }

  @Override
  public int run(Call call) throws Failure, LinkException, QueryException, InterruptedException {
    PlusOptions options = PlusOptions.read(call, how);
    if (!options.has("-r") && !options.has("-o")) {
      throw options.wrong("one of the options -r and -o is needed");
    }
    options.exclude("-o", "-T");
    int status = 0;
    for (PlusName name : named(call, options)) {
      Reply reply = deletion.send(call, name, options.has("-T"));
      String shown = PlusAnswer.shortName(name.id());
      if (reply.getCode() == 0) {
        call.out(shown + "\n");
      } else {
        call.complain(JobList.text(reply) + " " + shown);
        status = PlusAnswer.REFUSED;
      }
    }
    return status;
  }

  private static List<PlusName> named(Call call, PlusOptions options)
      throws Failure, QueryException, InterruptedException {
    String text = options.value("-r");
    String owner = options.value("-o");
    if (owner == null) {
      PlusName name = PlusName.ofAny(call, text);
      if (name.isWhole() && options.has("-T")) {
        throw options.wrong("option -T is not for reservations that have parts: " + text);
      }
      return List.of(name);
    }
    List<Reservation> all = new ArrayList<>(call.site().queries().reservations());
    all.removeIf(it -> !it.getSpec().getOwner().equals(owner));
    if (text != null) {
      String id = PlusName.ofAny(call, text).id();
      all.removeIf(it -> !it.getId().equals(id) && !isPartOf(it, id));
    }
    List<ReservationWhole> wholes = new ArrayList<>(call.site().queries().wholes());
    wholes.removeIf(it -> !it.getOwner().equals(owner) || !WholeRows.hasSites(it));
    if (text != null) {
      String id = PlusName.ofAny(call, text).id();
      wholes.removeIf(it -> !it.getId().equals(id));
    }
    if (all.isEmpty() && wholes.isEmpty()) {
      String which = text == null ? "" : " " + text;
      throw call.failure("no such reservation of " + owner + which, PlusAnswer.REFUSED);
    }
    all.sort(Comparator.comparingLong(Reservation::getNumber));
    List<PlusName> names = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (Reservation each : all) {
      if (each.getWhole() != null) {
        // Parts end together, whichever of them is seen first.
        String whole = each.getWhole().getWhole();
        if (seen.add(whole)) {
          PlusName.ofWhole(call, whole).ifPresent(names::add);
        }
        continue;
      }
      OtherWords.shard(call, each.getId())
          .ifPresent(shard -> names.add(new PlusName(each.getId(), shard)));
    }
    for (ReservationWhole each : wholes) {
      if (seen.add(each.getId())) {
        PlusName.ofWhole(call, each.getId()).ifPresent(names::add);
      }
    }
    return names;
  }

  private static boolean isPartOf(Reservation reservation, String id) {
    return reservation.getWhole() != null && reservation.getWhole().getWhole().equals(id);
  }
}
