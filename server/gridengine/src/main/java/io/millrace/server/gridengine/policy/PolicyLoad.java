package io.millrace.server.gridengine.policy;

import io.millrace.schedulers.gridengine.language.Configuration;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schedulers.gridengine.language.options.PlainText;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code policy-load SCHEDULER FILE...}: the second half of {@code ./millrace policy load}. The
 * client reads the files with its user's rights; a manager's change of the scheduler object carries
 * their texts, so that they are a fact before anybody decides by them.
 */
public final class PolicyLoad implements Command {

  private static final int FILE_MAX = 256 << 10;

  @Override
  public String spokenName(String word) {
    return "millrace policy";
  }

  @Override
  public int run(Call call) throws Failure, LinkException, IOException, InterruptedException {
    if (call.args().size() < 2) {
      throw new Failure("usage: ./millrace policy load SCHEDULER FOLDER\n", 2);
    }
    String scheduler = call.args().get(0);
    Map<String, String> files = new LinkedHashMap<>();
    Configuration read;
    try {
      for (String path : call.args().subList(1, call.args().size())) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        files.put(name, PlainText.of(name, call.invocation().readFile(path, FILE_MAX)));
      }
      read = Configuration.of(files);
    } catch (ConfigurationRefused e) {
      throw new Failure("millrace policy: " + e.getMessage() + "\n", 1);
    }
    List<AttributeChange> changes =
        List.of(
            change("policy", "gridengine"),
            change(AttributeTable.GRID_ENGINE_CONFIGURATION, Configuration.join(files)));
    Reply reply =
        call.send(
            Topics.ADMINISTRATIVE_SHARD,
            meta ->
                new ChangeObject(
                    meta, ChangeOperation.SET, ObjectKind.SCHEDULER, scheduler, changes));
    if (reply.getCode() != 0) {
      throw new Failure(
          "millrace policy: scheduler "
              + scheduler
              + ": "
              + String.join(" ", reply.getLines()).strip()
              + "\n",
          1);
    }
    call.site().cluster().barrier();
    call.out(
        "scheduler "
            + scheduler
            + " decides as Grid Engine: "
            + files.size()
            + " files, "
            + read.cluster().queues().size()
            + " queue instances\n");
    return 0;
  }

  private static AttributeChange change(String name, String value) {
    return new AttributeChange(name, value, AttributeOperation.ASSIGN);
  }
}
