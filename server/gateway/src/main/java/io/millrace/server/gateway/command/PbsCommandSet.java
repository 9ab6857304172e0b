package io.millrace.server.gateway.command;

import io.millrace.server.gateway.help.Page;
import java.util.HashMap;
import java.util.Map;

/** Commands of PBS's command line, whose pages stand in the package help. */
public interface PbsCommandSet extends CommandSet {

  @Override
  default Map<String, Page> pages() {
    Map<String, Page> pages = new HashMap<>();
    commands()
        .forEach(
            (name, command) ->
                command.syntax().ifPresent(how -> pages.put(name, Page.read(name, how))));
    return pages;
  }
}
