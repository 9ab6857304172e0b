package io.millrace.server.gateway.admin;

import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.schedconfig.StoredPolicy;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.link.LinkException;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * {@code sched-config-load SCHEDULER ZONE FILE...}: the second half of {@code ./millrace policy
 * load} of a PBS scheduler's files.
 */
final class SchedConfigLoad implements Command {
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
    String zone = call.args().get(1);
    Map<String, String> texts = PolicyTexts.read(call, call.args().subList(2, call.args().size()));
    String text = StoredPolicy.join(texts, zone);
    List<String> problems = StoredPolicy.read(text).problems();
    if (!problems.isEmpty()) {
      problems.forEach(call::complain);
      return 1;
    }
    PolicyTexts.set(call, scheduler, AttributeTable.SCHED_CONFIG, text);
    String files = String.join(", ", texts.keySet());
    call.out(
        "scheduler " + scheduler + " decides by " + files + "; times are those of " + zone + "\n");
    return 0;
  }
}
