package io.millrace.server.gateway.plus;

import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.reservation.OtherWords;
import java.util.OptionalInt;

/**
 * A reservation that a command names.
 *
 * @param id its full name
 * @param shard the one that gave its number
 */
record PlusName(String id, int shard) {

  static PlusName of(Call call, String text) throws Failure, QueryException, InterruptedException {
    String id =
        OtherWords.id(call, text)
            .orElseThrow(() -> call.failure("illegally formed reservation identifier: " + text, 2));
    OptionalInt shard = OtherWords.shard(call, id);
    if (shard.isEmpty()) {
      throw unknown(call, text);
    }
    return new PlusName(id, shard.getAsInt());
  }

  static Failure unknown(Call call, String text) {
    return call.failure(PbsError.UNKNOWN_RESERVATION.text() + " " + text, PlusAnswer.REFUSED);
  }
}
