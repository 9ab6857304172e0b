package io.millrace.server.campaigns.command;

import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.CommandSet;
import io.millrace.server.gateway.help.Page;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** CiGri's commands by their names. */
public final class CampaignCommands implements CommandSet {

  @Override
  public Map<String, Command> commands() {
    return Map.of(
        "gridsub", new Gridsub(),
        "gridstat", new Gridstat(),
        "griddel", new Griddel(),
        "gridevents", new Gridevents(),
        "gridclusters", new Gridclusters(),
        "gridnotify", new Gridnotify(),
        "gridaffinity", new Gridaffinity(),
        "gridrules", new Gridrules());
  }

  @Override
  public Map<String, Page> pages() {
    Map<String, Page> pages = new TreeMap<>();
    commands()
        .forEach(
            (name, command) ->
                pages.put(name, Page.parse(name, command.syntax().orElseThrow(), text(name))));
    return pages;
  }

  /** What man(1) shows. */
  public static Collection<Page> manual() {
    return new CampaignCommands().pages().values();
  }

  private static String text(String name) {
    try (InputStream in = CampaignCommands.class.getResourceAsStream(name + ".txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
