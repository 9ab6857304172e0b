package io.millrace.server.gateway.admin;

import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.link.LinkException;
import java.io.IOException;
import java.util.List;

/**
 * {@code reservable-load SCHEDULER ZONE FILE}: the second half of {@code ./millrace policy load} of
 * a {@code reservable.ad}. The client reads the file with its user's rights; the server reads the
 * text before it is written down.
 */
final class ReservableLoad implements Command {
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
    byte[] bytes = call.invocation().readFile(path, PolicyTexts.FILE_MAX);
    String text = PolicyTexts.text(call, path, bytes);
    PolicyTexts.change(
        call,
        scheduler,
        List.of(
            PolicyTexts.assign(AttributeTable.RESERVABLE, text),
            PolicyTexts.assign(AttributeTable.RESERVABLE_ZONE, zone)));
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
}
