package io.millrace.server.accounting.daylog;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.folder.NamedFolder;
import io.millrace.schemas.pbs.attributes.SchedulerFolders;
import io.millrace.server.accounting.book.AccountBook;
import io.millrace.server.accounting.file.DayFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folders with day logs, each with one file a day: below a home, or where a scheduler object
 * has its own. One that cannot be used is left alone, and lines go where they went without it.
 */
public final class LogFolders {
  private static final Logger LOG = LoggerFactory.getLogger(LogFolders.class);

  private static final String SERVER = "server_logs";
  private static final String REPORT = "server_priv/reporting";

  private final Path home;
  private final AccountBook book;
  private final ZoneId zone;

  /** By their path below the home, or their whole path. */
  private final Map<String, DayFiles> open = new TreeMap<>();

  /** Folders for logs that scheduler objects name and that can be used, by scheduler object. */
  private final Map<String, String> named = new HashMap<>();

  /** What scheduler objects said last, by attribute and name. */
  private final Map<String, String> said = new HashMap<>();

  /**
   * A folder that a scheduler object names since it was written last.
   *
   * @param path whole path
   * @param refused why it cannot be used; empty when it can
   */
  record LogFolderMove(String attribute, String path, Optional<String> refused) {}

  private final Map<String, List<LogFolderMove>> moves = new HashMap<>();

  /** Cuts off what was written to any of them and not kept. */
  public LogFolders(Path home, AccountBook book, ZoneId zone) throws IOException {
    this.home = home;
    this.book = book;
    this.zone = zone;
    book.settings().forEach(this::heed);
    moves.clear();
    for (String file : book.lengths().keySet()) {
      int slash = file.lastIndexOf('/');
      String folder = slash > 0 ? file.substring(0, slash) : "";
      if (!folder.isEmpty() && !open.containsKey(folder)) {
        if (!folder.startsWith("/") || NamedFolder.refuseLog(folder).isEmpty()) {
          open(folder);
        }
      }
    }
  }

  /**
   * A scheduler object says where its folders are. To be told what one shard has written, in its
   * order: another one may be behind.
   */
  void heed(ClusterObject object) {
    if (object.getKind() != ObjectKind.SCHEDULER) {
      return;
    }
    for (String attribute : SchedulerFolders.BOTH) {
      heed(object, attribute);
    }
  }

  private void heed(ClusterObject object, String attribute) {
    String name = object.getName();
    String path = value(object, attribute);
    String before = said.put(attribute + " " + name, path);
    boolean log = attribute.equals(SchedulerFolders.LOG);
    boolean stays = path.equals(before == null ? "" : before);
    // One that others could not write before may be open to them now.
    if (stays && (path.isEmpty() || !log)) {
      return;
    }
    String whole = path.isEmpty() ? usual(attribute, name).toString() : path;
    Optional<String> refused = path.isEmpty() ? Optional.empty() : refuse(attribute, path);
    if (log && (path.isEmpty() || refused.isPresent())) {
      named.remove(name);
    } else if (log) {
      named.put(name, path);
    }
    if (!stays) {
      moves
          .computeIfAbsent(name, it -> new ArrayList<>())
          .add(new LogFolderMove(attribute, whole, refused));
    }
  }

  private static Optional<String> refuse(String attribute, String path) {
    return attribute.equals(SchedulerFolders.LOG)
        ? NamedFolder.refuseLog(path)
        : NamedFolder.refusePriv(path);
  }

  /** The folders that a scheduler object has named and of which nobody has been told. */
  List<LogFolderMove> takeMoves(String scheduler) {
    List<LogFolderMove> taken = moves.remove(scheduler);
    return taken == null ? List.of() : taken;
  }

  /** A scheduler object is gone. */
  void forget(String scheduler) {
    named.remove(scheduler);
    moves.remove(scheduler);
    SchedulerFolders.BOTH.forEach(attribute -> said.remove(attribute + " " + scheduler));
  }

  private Path usual(String attribute, String scheduler) {
    return home.resolve(SchedulerFolders.usual(attribute, scheduler));
  }

  private static String value(ClusterObject object, String name) {
    for (Attribute attribute : object.getAttributes()) {
      if (attribute.getName().equals(name)) {
        return attribute.getValue();
      }
    }
    return "";
  }

  private DayFiles open(String folder) throws IOException {
    DayFiles files = new DayFiles(home.resolve(folder), folder + "/", zone);
    files.open(book);
    open.put(folder, files);
    return files;
  }

  private DayFiles of(String folder) {
    try {
      DayFiles files = open.get(folder);
      return files == null ? open(folder) : files;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  DayFiles server() {
    return of(SERVER);
  }

  /** What Grid Engine's reporting file has, one file a day. */
  DayFiles report() {
    return of(REPORT);
  }

  /** Its own, or the one that PBS has for it when it says nothing. */
  DayFiles scheduler(String name) {
    String own = named.get(name);
    try {
      return own != null ? open.containsKey(own) ? open.get(own) : open(own) : usual(name);
    } catch (IOException e) {
      leave(name, e);
      return usual(name);
    }
  }

  private DayFiles usual(String scheduler) {
    return of(SchedulerFolders.usual(SchedulerFolders.LOG, scheduler));
  }

  private void leave(String scheduler, IOException why) {
    String path = named.remove(scheduler);
    LOG.warn("the log of scheduler {} is not written to {}: {}", scheduler, path, why.toString());
  }

  public int unwritten() {
    return open.values().stream().mapToInt(DayFiles::unwritten).sum();
  }

  /** The disk of a folder that a scheduler object names may be full, or gone: not ours. */
  public void write() throws IOException {
    for (Map.Entry<String, String> own : Map.copyOf(named).entrySet()) {
      DayFiles files = open.get(own.getValue());
      try {
        if (files != null) {
          files.write(book);
        }
      } catch (IOException e) {
        leave(own.getKey(), e);
        files.moveTo(usual(own.getKey()));
      }
    }
    for (DayFiles files : open.values()) {
      files.write(book);
    }
  }
}
