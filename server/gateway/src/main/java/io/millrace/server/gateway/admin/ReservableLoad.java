package io.millrace.server.gateway.admin;

import io.millrace.schemas.Topics;
import io.millrace.schemas.command.AttributeChange;
import io.millrace.schemas.command.AttributeOperation;
import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.link.LinkException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * {@code reservable-load SCHEDULER ZONE FILE}: the second half of {@code ./millrace policy load} of
 * a {@code reservable.ad}. The client reads the file with its user's rights; the server reads the
 * text before it is written down.
 */
final class ReservableLoad implements Command {
  private static final int FILE_MAX = 256 << 10;

  @Override
  public String spokenName(String word) {
    return "millrace policy";
  }

  @Override
  public int run(Call call) throws Failure, LinkException, IOException, InterruptedException {
    if (call.args().size() != 3) {
      throw call.usage("usage: ./millrace policy load SCHEDULER FILE\n");
    }
    String scheduler = call.args().get(0);
    String zone = call.args().get(1);
    String path = call.args().get(2);
    String text = text(call, path, call.invocation().readFile(path, FILE_MAX));
    List<AttributeChange> changes =
        List.of(
            change(AttributeTable.RESERVABLE, text), change(AttributeTable.RESERVABLE_ZONE, zone));
    Reply reply =
        call.send(
            Topics.ADMINISTRATIVE_SHARD,
            meta ->
                new ChangeObject(
                    meta, ChangeOperation.SET, ObjectKind.SCHEDULER, scheduler, changes));
    if (reply.getCode() != 0) {
      String why = String.join(" ", reply.getLines()).strip();
      throw call.failure("scheduler " + scheduler + ": " + why, 1);
    }
    call.site().cluster().barrier();
    call.out(
        "scheduler "
            + scheduler
            + " asks "
            + path.substring(path.lastIndexOf('/') + 1)
            + " which nodes may be reserved; times are those of "
            + zone
            + "\n");
    return 0;
  }

  private static String text(Call call, String path, byte[] bytes) throws Failure {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw call.failure(path + ": this is no text in UTF-8", 1);
    }
  }

  private static AttributeChange change(String name, String value) {
    return new AttributeChange(name, value, AttributeOperation.ASSIGN);
  }
}
