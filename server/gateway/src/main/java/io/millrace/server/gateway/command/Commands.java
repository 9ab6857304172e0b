package io.millrace.server.gateway.command;

import io.millrace.server.gateway.help.HelpText;
import io.millrace.server.gateway.help.Page;
import io.millrace.server.gateway.link.CommandIds;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.NoRoomException;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.session.CommandHandler;
import io.millrace.server.gateway.session.Invocation;
import java.io.IOException;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** All commands by name. */
public final class Commands implements CommandHandler {

  /** Connection refused, which is what PBS's clients say of a server that is down. */
  static final int CONNECTION_REFUSED = 111;

  /** No answer in time. */
  static final int TIMED_OUT = 110;

  private static final int NO_SUCH_COMMAND = 127;

  /** Shards forget answers by the time in the id, so nobody may name a time that is far off. */
  private static final long ID_AGE_MAX_MS = 3_600_000;

  private static final Map<String, Command> OWN =
      Map.ofEntries(
          Map.entry("qsub", new Qsub()),
          Map.entry("qstat", new Qstat()),
          Map.entry("qselect", new Qselect()),
          Map.entry("qdel", JobCommands.DELETE),
          Map.entry("qhold", JobCommands.HOLD),
          Map.entry("qrls", JobCommands.RELEASE),
          Map.entry("qalter", new Qalter()),
          Map.entry("qmove", JobCommands.MOVE),
          Map.entry("qrerun", JobCommands.RERUN),
          Map.entry("qsig", JobCommands.SIGNAL),
          Map.entry("qorder", new Qorder()),
          Map.entry("qrun", RunCommands.RUN),
          Map.entry("qmsg", RunCommands.MESSAGE),
          Map.entry("pbsdsh", new Pbsdsh()),
          Map.entry("pbsnodes", new Pbsnodes()),
          Map.entry("qmgr", new Qmgr()),
          Map.entry("qenable", QueueCommands.ENABLE),
          Map.entry("qdisable", QueueCommands.DISABLE),
          Map.entry("qstart", QueueCommands.START),
          Map.entry("qstop", QueueCommands.STOP),
          Map.entry("qterm", QueueCommands.TERMINATE),
          Map.entry("tracejob", new Tracejob()),
          Map.entry("why", new Why()),
          Map.entry("shards", new Shards()));

  private static final Map<String, Page> PAGES = new TreeMap<>();

  static {
    OWN.forEach(
        (name, command) ->
            command.syntax().ifPresent(how -> PAGES.put(name, Page.read(name, how))));
  }

  private final Site site;
  private final Map<String, Command> all = new HashMap<>(OWN);
  private final Map<String, Page> pages = new HashMap<>(PAGES);

  /** Commands that work at this site, with those of all sets that are there. */
  public Commands(Site site) {
    this.site = site;
    ServiceLoader.load(CommandSet.class).forEach(this::add);
  }

  private void add(CommandSet set) {
    all.putAll(set.commands());
    pages.putAll(set.pages());
  }

  /** Names of all commands, for help texts. */
  public static List<String> names() {
    return OWN.keySet().stream().sorted().toList();
  }

  /** What each command tells of itself, in order of their names. */
  public static Collection<Page> pages() {
    return Collections.unmodifiableCollection(PAGES.values());
  }

  /** Names of all commands that are there, those of other families too, in order. */
  public List<String> all() {
    return all.keySet().stream().sorted().toList();
  }

  @Override
  public int run(Invocation invocation) throws IOException, InterruptedException {
    String name = invocation.command();
    List<String> args = invocation.args();
    if (name.equals("millrace") && !args.isEmpty()) {
      name = args.get(0);
      args = args.subList(1, args.size());
    }
    Command command = all.get(name);
    if (command == null) {
      invocation.err(name + ": no such command; there are " + String.join(", ", names()) + "\n");
      return NO_SUCH_COMMAND;
    }
    if (args.equals(List.of("--help")) && pages.containsKey(name)) {
      invocation.out(HelpText.of(pages.get(name)));
      return 0;
    }
    if (args.equals(List.of("--version"))) {
      invocation.out("pbs_version = " + Version.text() + "\n");
      return 0;
    }
    long ageMs = site.clock().millis() - CommandIds.timeMs(invocation.commandId());
    if (Math.abs(ageMs) > ID_AGE_MAX_MS && !(command.lasting() && ageMs > 0)) {
      invocation.err(
          name + ": the client's command id was not made now but " + ageMs / 1000 + " s ago\n");
      return 1;
    }
    if (command.lasting()) {
      invocation.lasts();
    }
    return run(new Call(invocation, site, command.spokenName(name), args), command);
  }

  private int run(Call call, Command command) throws IOException, InterruptedException {
    try {
      Roles.refuseStrangers(call);
      return command.run(call);
    } catch (Failure failure) {
      call.invocation().err(failure.text());
      return failure.status();
    } catch (QueryException e) {
      if (e instanceof NoRoomException) {
        call.complain(e.getMessage());
        return 1;
      }
      call.complain(cannotConnect(CONNECTION_REFUSED) + ": " + e.getMessage());
      return command.unreachableStatus();
    } catch (LinkException e) {
      if (e.kind() == LinkException.Kind.UNANSWERED) {
        call.complain(e.getMessage() + "; it may still be carried out");
        return TIMED_OUT;
      }
      if (e.kind() == LinkException.Kind.TOO_LARGE || e.kind() == LinkException.Kind.NO_ROOM) {
        call.complain(e.getMessage());
        return 1;
      }
      call.complain(cannotConnect(CONNECTION_REFUSED) + ": " + e.getMessage());
      return command.unreachableStatus();
    }
  }

  private String cannotConnect(int errno) {
    return "cannot connect to server " + site.server() + " (errno=" + errno + ")";
  }
}
