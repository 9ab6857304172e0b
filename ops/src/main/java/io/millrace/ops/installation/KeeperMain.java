package io.millrace.ops.installation;

import io.millrace.connectors.local.spool.LockFile;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.process.Part;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Process entry of the keeper: {@code --home DIR --parts NAME,..}. */
public final class KeeperMain {

  private static final Logger LOG = LoggerFactory.getLogger(KeeperMain.class);

  private KeeperMain() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    GivenOptions options;
    try {
      options =
          ProgramOptions.ofProcess("keeper", "starts parts again that died")
              .value("--home", "DIR", "home folder")
              .value("--parts", "NAMES", "the parts that up has started")
              .parse(List.of(args));
      keep(new Home(Path.of(options.require("--home"))), options.require("--parts"));
    } catch (UsageException e) {
      System.exit(e.tell());
    }
  }

  private static void keep(Home home, String names)
      throws IOException, InterruptedException, UsageException {
    try (FileChannel alone = LockFile.open(home.keeperLock())) {
      if (alone.tryLock() == null) {
        System.err.println("another keeper is at work in " + home.root());
        return;
      }
      Distribution dist = Distribution.current();
      List<String> all = List.of(names.split(","));
      RoomToStart room = new RoomToStart(home, all);
      Keeper keeper = new Keeper(home, name -> part(home, dist, name), room, System::nanoTime);
      List<Thread> threads = new ArrayList<>();
      for (String name : all) {
        threads.add(new Thread(() -> keeper.keep(name), name));
      }
      threads.add(new Thread(room::keepReserve, "reserve"));
      for (Thread thread : threads) {
        thread.setUncaughtExceptionHandler(KeeperMain::end);
        thread.start();
      }
      System.out.println(Parts.KEEPER_READY);
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  /**
   * A keeper that keeps some parts only would be taken for a whole one; its guard starts it again.
   */
  private static void end(Thread thread, Throwable why) {
    LOG.error("{} is not kept any more: the keeper ends", thread.getName(), why);
    System.exit(1);
  }

  /** The part as the last {@code up} wanted it; empty also when its host was revoked since. */
  private static Optional<Part> part(Home home, Distribution dist, String name) throws IOException {
    ClusterSettings cluster = ClusterSettings.read(home);
    Parts parts = new Parts(home, dist, cluster, UpSettings.last(home));
    List<Part> all = new ArrayList<>(parts.others());
    if (cluster.isEmbedded()) {
      all.add(parts.broker());
    }
    return all.stream().filter(part -> part.name().equals(name)).findFirst();
  }
}
