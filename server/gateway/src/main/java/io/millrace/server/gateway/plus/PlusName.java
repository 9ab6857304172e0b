package io.millrace.server.gateway.plus;

import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.jobs.ReservationIds;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.reservation.OtherWords;
import io.millrace.server.gateway.reservation.ReservationNames;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A reservation that a command names.
 *
 * @param id its full name
 * @param shard the one that gave its number
 */
record PlusName(String id, int shard) {

  /** The name of one that stands alone, or is a part. */
  static PlusName of(Call call, String text) throws Failure, QueryException, InterruptedException {
    if (ReservationNames.ofWhole(text, call.site().server()).isPresent()) {
      throw call.failure(
          text + " has parts in several partitions: it is shown, cancelled and destroyed, no more",
          PlusAnswer.REFUSED);
    }
    String id =
        OtherWords.id(call, text)
            .orElseThrow(() -> call.failure("illegally formed reservation identifier: " + text, 2));
    OptionalInt shard = OtherWords.shard(call, id);
    if (shard.isEmpty()) {
      throw unknown(call, text);
    }
    return new PlusName(id, shard.getAsInt());
  }

  /** The same, and the name of one that has parts. */
  static PlusName ofAny(Call call, String text)
      throws Failure, QueryException, InterruptedException {
    Optional<String> whole = ReservationNames.ofWhole(text, call.site().server());
    return whole.isEmpty()
        ? of(call, text)
        : ofWhole(call, whole.get()).orElseThrow(() -> unknown(call, text));
  }

  /**
   * @param id full name of one that has parts
   */
  static Optional<PlusName> ofWhole(Call call, String id)
      throws QueryException, InterruptedException {
    OptionalInt shard = call.site().queries().birth(ReservationIds.wholeNumber(id));
    return shard.isEmpty() ? Optional.empty() : Optional.of(new PlusName(id, shard.getAsInt()));
  }

  boolean isWhole() {
    return ReservationIds.wholeNumber(id) >= 0;
  }

  static Failure unknown(Call call, String text) {
    return call.failure(PbsError.UNKNOWN_RESERVATION.text() + " " + text, PlusAnswer.REFUSED);
  }
}
