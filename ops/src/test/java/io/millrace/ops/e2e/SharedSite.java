package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.ops.installation.Installation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * The installations of the classes that are marked {@link Shared}: each is brought up for the first
 * class of its own, and ended with the run of all tests. It has three hosts; the first is in the
 * default partition, the others in "p1" and "p2", whose schedulers are "s1" and "s2". The one named
 * {@link #OPEN} also takes HTTP requests and campaigns, and has a MUNGE daemon where there is one;
 * it and {@link #OTHER_HOSTS} take other hosts.
 *
 * <p>A class has a user and a folder of its own. It may kill parts, and starts them again; it may
 * make queues. It must undo its changes to the server, nodes and schedulers, which is checked. Jobs
 * and dead parts that it leaves are cleaned up before the next class.
 */
final class SharedSite implements BeforeAllCallback, ParameterResolver {

  /** Of each host. */
  static final int PROCESSORS = 8;

  static final String OPEN = "first";
  static final String OTHER_HOSTS = "third";

  private static final Duration PATIENCE = Duration.ofSeconds(180);

  /** A job that was told to end and still exists after this time has lost its host. */
  private static final Duration ASKED = Duration.ofSeconds(20);

  private static final ExtensionContext.Namespace PLACE =
      ExtensionContext.Namespace.create(SharedSite.class);

  @Override
  public void beforeAll(ExtensionContext context) throws IOException, InterruptedException {
    Shared shared = context.getRequiredTestClass().getAnnotation(Shared.class);
    Running all =
        context
            .getRoot()
            .getStore(PLACE)
            .computeIfAbsent(shared.site(), SharedSite::bringUp, Running.class);
    // Both end with the stores that hold them, this one after the last test of the class.
    context.getStore(PLACE).put(Turn.class, Turn.begin(all, shared.user()));
  }

  private static Running bringUp(String name) {
    try {
      Site site = Site.prepare("shared-" + name);
      MungeDaemon munge = null;
      String open = "";
      if (name.equals(OPEN)) {
        munge = MungeDaemon.installed() ? MungeDaemon.start(site.folder(), "munge") : null;
        open = " --campaigns --http 0 --listen 127.0.0.1";
        open += munge == null ? "" : " --munge-socket " + munge.socket();
      } else if (name.equals(OTHER_HOSTS)) {
        open = " --listen 127.0.0.1";
      }
      // Classes kill parts, and mean them to stay dead until they start them again.
      String parts = "--no-keeper --shards 4 --executors 3 --resources ncpus=" + PROCESSORS;
      site.up(parts + open).must();
      for (int i = 1; i <= 2; i++) {
        for (String directive :
            List.of(
                "create sched s" + i,
                "set sched s" + i + " partition = p" + i,
                "set sched s" + i + " scheduling = True",
                "set node " + Installation.host(i + 1) + " partition = p" + i)) {
          site.run("qmgr -c '" + directive + "'").must();
        }
      }
      return new Running(site, Set.copyOf(site.processes().keySet()), munge);
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == Site.class || type == Account.class || type == MungeDaemon.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Turn turn = context.getStore(PLACE).get(Turn.class, Turn.class);
    Class<?> type = parameter.getParameter().getType();
    if (type == MungeDaemon.class) {
      return turn.all.munge;
    }
    return type == Site.class ? turn.site : turn.user;
  }

  /** An installation with all its parts; its MUNGE daemon is null where it has none. */
  private record Running(Site site, Set<String> parts, MungeDaemon munge) implements AutoCloseable {

    @Override
    public void close() throws IOException, InterruptedException {
      try {
        site.close();
      } finally {
        if (munge != null) {
          munge.close();
        }
      }
    }
  }

  /** One class's use of the installation, from its first test to its last. */
  private record Turn(Running all, Site site, Account user, String standing)
      implements AutoCloseable {

    static Turn begin(Running all, String name) throws IOException, InterruptedException {
      Site site = all.site.at(name);
      return new Turn(all, site, Account.ordinary(name, site.folder()), standing(site));
    }

    /** Settings of the server, nodes and schedulers, without momentary values. */
    private static String standing(Site site) throws IOException, InterruptedException {
      StringBuilder all = new StringBuilder();
      for (String objects : List.of("server", "node @default", "sched @default")) {
        all.append(site.qmgr("print " + objects));
      }
      return all.toString()
          .lines()
          .filter(line -> line.matches("(create|set) (server|node|sched) .*"))
          .filter(line -> !line.contains(" state = "))
          .collect(Collectors.joining("\n"));
    }

    @Override
    public void close() throws IOException, InterruptedException {
      try {
        if (!site.processes().keySet().equals(all.parts)) {
          site.up("").must();
        }
        long begin = System.nanoTime();
        Site.await(PATIENCE, "no job is left of " + user.name(), () -> idle(begin));
        String now = standing(site);
        putBack(now);
        assertEquals(standing, now, "what " + user.name() + " has changed");
      } finally {
        user.remove(Path.of("/tmp"));
      }
    }

    /** Restores the settings, so that only the class that changed them fails. */
    private void putBack(String now) throws IOException, InterruptedException {
      List<String> before = standing.lines().toList();
      List<String> after = now.lines().toList();
      for (String line : after) {
        if (!before.contains(line)) {
          site.run("qmgr -c '" + line.replaceFirst("^set (.*?) \\+?= .*", "unset $1") + "'");
        }
      }
      for (String line : before) {
        if (!after.contains(line)) {
          site.run("qmgr -c '" + line + "'");
        }
      }
    }

    /** Deletes what a class left; by force when deleting normally has not helped in time. */
    private boolean idle(long begin) {
      try {
        if (site.run("qstat").must().isEmpty()) {
          return true;
        }
        boolean force = System.nanoTime() - begin > ASKED.toNanos();
        site.run("qdel " + (force ? "-W force " : "") + "$(qselect)");
        return false;
      } catch (IOException e) {
        throw new AssertionError(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError(e);
      }
    }
  }
}
