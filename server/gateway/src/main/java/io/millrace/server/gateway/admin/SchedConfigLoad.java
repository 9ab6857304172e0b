package io.millrace.server.gateway.admin;

import io.millrace.schemas.Topics;
import io.millrace.schemas.command.AttributeChange;
import io.millrace.schemas.command.AttributeOperation;
import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.schedconfig.StoredPolicy;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.link.LinkException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * {@code sched-config-load SCHEDULER ZONE FILE...}: the second half of {@code ./millrace policy
 * load} of a PBS scheduler's files. The client reads the files with its user's rights; one change
 * of the scheduler object carries all of them, so that they hold together or not at all.
 */
final class SchedConfigLoad implements Command {
  private static final int FILE_MAX = 256 << 10;
  private static final String USAGE = "usage: ./millrace policy load SCHEDULER FOLDER\n";

  @Override
  public String spokenName(String word) {
    return "millrace policy";
  }

  @Override
  public int run(Call call) throws Failure, LinkException, IOException, InterruptedException {
    if (call.args().size() < 3) {
      throw call.usage(USAGE);
    }
    String scheduler = call.args().get(0);
    Map<String, String> texts = new TreeMap<>();
    for (String path : call.args().subList(2, call.args().size())) {
      String name = path.substring(path.lastIndexOf('/') + 1);
      texts.put(name, text(call, name, call.invocation().readFile(path, FILE_MAX)));
    }
    String text = StoredPolicy.join(texts, call.args().get(1));
    List<String> problems = StoredPolicy.read(text).problems();
    if (!problems.isEmpty()) {
      problems.forEach(call::complain);
      return 1;
    }
    List<AttributeChange> changes =
        List.of(
            change("policy", AttributeTable.SCHED_CONFIG),
            change(AttributeTable.SCHED_CONFIG, text));
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
            + " decides by "
            + String.join(", ", texts.keySet())
            + "; times are those of "
            + call.args().get(1)
            + "\n");
    return 0;
  }

  private static String text(Call call, String name, byte[] bytes) throws Failure {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw call.failure(name + ": this is no text in UTF-8", 1);
    }
  }

  private static AttributeChange change(String name, String value) {
    return new AttributeChange(name, value, AttributeOperation.ASSIGN);
  }
}
