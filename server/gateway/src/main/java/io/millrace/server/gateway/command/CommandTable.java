package io.millrace.server.gateway.command;

import io.millrace.server.gateway.help.HelpText;
import io.millrace.server.gateway.help.Page;
import io.millrace.server.gateway.link.CommandIds;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.NoRoomException;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.session.CommandHandler;
import io.millrace.server.gateway.session.GatewayBusyException;
import io.millrace.server.gateway.session.Invocation;
import java.io.IOException;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * All commands by name. They are found once, when the first table is made: each package has a
 * {@link CommandSet} with its own.
 */
public final class CommandTable implements CommandHandler {

  private static final int NO_SUCH_COMMAND = 127;
  private static final int USAGE = 2;

  /** Stands first: what follows is the command as it was, options and arguments of programs too. */
  private static final String ID_OPTION = "--command-id";

  /** Largest age of a command id: shards forget answers by the time in the id. */
  private static final long ID_AGE_MAX_MS = 3_600_000;

  private static final Map<String, Command> ALL = new TreeMap<>();
  private static final Map<String, Page> PAGES = new TreeMap<>();
  private static final Map<String, Page> PBS_PAGES = new TreeMap<>();
  private static final Set<String> PBS_NAMES = new TreeSet<>();

  static {
    ServiceLoader.load(CommandSet.class).forEach(CommandTable::add);
  }

  private static void add(CommandSet set) {
    Map<String, Command> commands = set.commands();
    Map<String, Page> pages = new TreeMap<>(set.pages());
    pages.replaceAll(
        (name, page) ->
            commands.containsKey(name) && commands.get(name).changes() ? page.repeatable() : page);
    ALL.putAll(commands);
    PAGES.putAll(pages);
    if (set instanceof PbsCommandSet) {
      PBS_NAMES.addAll(commands.keySet());
      PBS_PAGES.putAll(pages);
    }
  }

  private final Site site;

  /** Commands that work at this site. */
  public CommandTable(Site site) {
    this.site = site;
  }

  /** Names of PBS's commands, in order, for help texts. */
  public static List<String> names() {
    return List.copyOf(PBS_NAMES);
  }

  /** The help pages of PBS's commands, in order of their names. */
  public static Collection<Page> pages() {
    return Collections.unmodifiableCollection(PBS_PAGES.values());
  }

  /** Names of all commands, also of other families, in order. */
  public List<String> all() {
    return List.copyOf(ALL.keySet());
  }

  @Override
  public int run(Invocation invocation) throws IOException, InterruptedException {
    String name = invocation.command();
    List<String> args = invocation.args();
    if (name.equals("millrace") && !args.isEmpty()) {
      name = args.get(0);
      args = args.subList(1, args.size());
    }
    Command command = ALL.get(name);
    if (command == null) {
      invocation.err(name + ": no such command; there are " + String.join(", ", names()) + "\n");
      return NO_SUCH_COMMAND;
    }
    if (args.equals(List.of("--help")) && PAGES.containsKey(name)) {
      invocation.out(HelpText.of(PAGES.get(name)));
      return 0;
    }
    if (args.equals(List.of("--version"))) {
      invocation.out("pbs_version = " + Version.text() + "\n");
      return 0;
    }
    UUID id = invocation.commandId();
    boolean given = !args.isEmpty() && args.get(0).equals(ID_OPTION) && command.changes();
    if (given) {
      Optional<UUID> known = args.size() < 2 ? Optional.empty() : CommandIds.read(args.get(1));
      if (known.isEmpty()) {
        invocation.err(name + ": " + ID_OPTION + " takes a UUID of version 7, made now\n");
        return USAGE;
      }
      id = known.get();
      args = args.subList(2, args.size());
    }
    long ageMs = site.clock().millis() - CommandIds.timeMs(id);
    if (Math.abs(ageMs) > ID_AGE_MAX_MS && (given || !(command.lasting() && ageMs > 0))) {
      String whose = given ? "the" : "the client's";
      String age = " command id was not made now but " + ageMs / 1000 + " s ago\n";
      invocation.err(name + ": " + whose + age);
      return 1;
    }
    if (command.lasting()) {
      invocation.lasts();
    }
    return run(new Call(invocation, site, command.spokenName(name), args, id), command);
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
      return unreachable(call, command, e.getMessage());
    } catch (LinkException e) {
      return unlinked(call, command, e);
    }
  }

  /** What is known of a command whose answer is not there is said as it is. */
  private int unlinked(Call call, Command command, LinkException e) throws GatewayBusyException {
    switch (e.kind()) {
      case UNANSWERED:
        return open(call, e.getMessage());
      case TOO_LARGE, NO_ROOM:
        call.complain(e.getMessage());
        return 1;
      case CLOSED:
        throw new GatewayBusyException(e.getMessage()); // the next gateway finds what became of it
      default:
        return unreachable(call, command, e.getMessage());
    }
  }

  private int open(Call call, String why) {
    String again = call.name() + " " + ID_OPTION + " " + call.commandId();
    String what = "; it may still be carried out; repeated as ";
    call.complain(site.withRoom(why) + what + again + " ... it is done once");
    return Failure.TIMED_OUT;
  }

  private int unreachable(Call call, Command command, String why) {
    if (command.changes() && call.isRepeated()) {
      return open(call, why);
    }
    int errno = Failure.CONNECTION_REFUSED;
    String undone = call.hasAnswer() ? "carried out in part only" : command.undone();
    undone = command.changes() ? undone + ": " : "";
    String server = "cannot connect to server " + site.server() + " (errno=" + errno + "): ";
    call.complain(server + undone + site.withRoom(why));
    return command.unreachableStatus();
  }
}
