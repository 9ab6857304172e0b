package io.millrace.server.gateway.admin;

import io.millrace.schemas.HostName;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.schedconfig.JoinedFiles;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.link.LinkException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * {@code origin2000-load SCHEDULER ZONE FILE...}: the second half of {@code ./millrace policy load}
 * of an Origin2000 scheduler's files, which the first half has read and checked. Whoever sets the
 * same text otherwise finds out by {@code ./millrace why}: a text that cannot be read starts
 * nothing.
 */
final class OriginPolicyLoad implements Command {
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
    Map<String, String> files = new LinkedHashMap<>();
    files.put(JoinedFiles.ZONE, zone);
    files.put("host", HostName.whole().toLowerCase(Locale.ROOT));
    Map<String, String> texts = PolicyTexts.read(call, call.args().subList(2, call.args().size()));
    files.putAll(texts);
    PolicyTexts.set(call, scheduler, AttributeTable.ORIGIN2000, JoinedFiles.join(files), "");
    String names = String.join(", ", texts.keySet());
    call.out(
        "scheduler " + scheduler + " decides by " + names + "; times are those of " + zone + "\n");
    return 0;
  }
}
